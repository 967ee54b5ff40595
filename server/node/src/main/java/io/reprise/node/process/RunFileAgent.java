package io.reprise.node.process;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.time.SystemClock;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the run file up to date, and removes it at the end. A node whose disk is full starts without one, because it
 * can answer reads, and does more when there is room; until then the file is tried again each second.
 *
 * <p>The caller that changes the content writes the file. Only if that fails the agent gets a thread, and from then
 * on it alone writes.
 *
 * <p>The file is there only while the node has the directory's lock: without it the file is that of another node.
 */
final class RunFileAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.node");
    private static final long PAUSE_NS = 1_000_000_000;
    private static final int LOOKS_IN_PAUSE = 10;

    /** The operations on the file; a test's disk is full when the test says so. */
    interface Disk {
        /** Writes it. */
        void write(RunFile file);

        /** Removes it, if it is there and has not been replaced by that of another node. */
        void remove(RunFile file);
    }

    private final String node;
    private final String path;
    private final Disk disk;
    private final long pauseNs;
    private final AtomicReference<RunFile> wanted = new AtomicReference<>();
    private AgentRunner runner;
    private RunFile last;
    private boolean ended;
    private long nextNs;

    RunFileAgent(String node, String path, Disk disk, long pauseNs) {
        this.node = node;
        this.path = path;
        this.disk = disk;
        this.pauseNs = pauseNs;
    }

    /** The agent of a data directory. */
    static RunFileAgent in(Path directory, String node) {
        Disk disk = new Disk() {
            @Override
            public void write(RunFile file) {
                file.write(directory);
            }

            @Override
            public void remove(RunFile file) {
                file.remove(directory);
            }
        };
        return new RunFileAgent(node, RunFile.path(directory).toString(), disk, PAUSE_NS);
    }

    @Override
    public String roleName() {
        return "run-file";
    }

    /**
     * Says what is to be in it. Called with the directory's lock, by the thread that starts the node and, when its certificate has been
     * renewed, by the one that looks at that.
     */
    synchronized void write(RunFile file) {
        if (ended) {
            return;
        }
        boolean first = last == null;
        last = file;
        if (runner != null) {
            wanted.set(file);
            return;
        }
        try {
            disk.write(file);
        } catch (StorageFullException full) {
            LOG.warn(
                    "{} can't be written, because there is no room on the disk. Until there is room, status, stop, snapshot and what"
                            + " else takes a data directory don't find the node, or not as it is now.",
                    path);
            tryAgain(file);
        } catch (UncheckedIOException e) {
            if (first) {
                throw e;
            }
            LOG.warn("{}. It is tried again each second.", e.getMessage());
            tryAgain(file);
        }
    }

    private void tryAgain(RunFile file) {
        wanted.set(file);
        nextNs = SystemClock.INSTANCE.nanoTime() + pauseNs;
        runner = new AgentRunner(
                node,
                this,
                new ParkingIdleStrategy(new Waker(), pauseNs / LOOKS_IN_PAUSE, pauseNs, 1),
                SystemClock.INSTANCE,
                (role, failure) -> LOG.error("{} is not written any more, and this is a bug.", path, failure));
        runner.start();
    }

    /** Tries again, if it is time. */
    @Override
    public int doWork(long nowNs) {
        RunFile file = wanted.get();
        if (file == null || nowNs - nextNs < 0) {
            return 0;
        }
        nextNs = nowNs + pauseNs;
        try {
            disk.write(file);
        } catch (StorageFullException | UncheckedIOException again) {
            return 0;
        }
        // A newer content stays to be written.
        if (wanted.compareAndSet(file, null)) {
            LOG.info("{} is written: commands find the node now.", path);
        }
        return 1;
    }

    /**
     * The node ends; called while it has the lock, and again when that may have been missed. Only the first call does anything,
     * and a file that this has not written is another's, and stays.
     */
    synchronized void remove() {
        if (!ended) {
            leave();
            if (last != null) {
                disk.remove(last);
            }
        }
    }

    /** The same for a node that does not end in order: the file stays, so that {@code reprise stop} sees it. */
    synchronized void leave() {
        if (!ended) {
            ended = true;
            if (runner != null) {
                runner.close();
            }
        }
    }
}

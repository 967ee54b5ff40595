package io.reprise.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The folder for a run's files. It is removed when the run ends, by Ctrl-C or SIGTERM too, together with the run's
 * processes, which would otherwise write on into it. The next run with the same parent removes the rest of a killed
 * one: each holds a lock in its folder, which the system takes from a process that has ended.
 *
 * <p>Owned by the thread that runs the benchmark; the JVM's end is on another one.
 */
final class Scratch implements AutoCloseable {
    private static final String NAME = "bench-";

    /** Until its lock is held, so that no other run takes the folder for one that was left. */
    private static final String UNFINISHED = "new-bench-";

    /** Also tells a run's folder from others of such a name, which are left alone. */
    private static final String LOCK = ".held";

    private static final long PATIENCE_NS = 5_000_000_000L;
    private static final long PAUSE_NS = 50_000_000L;

    private final Path folder;
    private final FileChannel held;
    private final AtomicBoolean endedEarly = new AtomicBoolean();
    private final Thread hook = Thread.ofPlatform().name("bench-early-end").unstarted(this::endEarly);

    private Scratch(Path folder, FileChannel held) {
        this.folder = folder;
        this.held = held;
    }

    /** Makes a folder, and removes what earlier runs have left beside it. */
    static Scratch in(Path parent) {
        try {
            Files.createDirectories(parent);
            removeLeft(parent);
            Path unfinished = Files.createTempDirectory(parent, UNFINISHED);
            FileChannel held =
                    FileChannel.open(unfinished.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            held.lock();
            String random = unfinished.getFileName().toString().substring(UNFINISHED.length());
            Scratch scratch = new Scratch(Files.move(unfinished, parent.resolve(NAME + random)), held);
            Runtime.getRuntime().addShutdownHook(scratch.hook);
            return scratch;
        } catch (IOException e) {
            throw new UnwritableException("the run needs a folder for its files in " + parent, e);
        }
    }

    private static void removeLeft(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, NAME + "*")) {
            for (Path left : folders) {
                if (Files.isDirectory(left) && !isHeld(left)) {
                    removeIfPossible(left);
                }
            }
        }
    }

    private static boolean isHeld(Path left) {
        try (FileChannel channel = FileChannel.open(left.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            // Held by a run in this process.
            return true;
        } catch (IOException e) {
            // It has no lock, or nobody can tell.
            return true;
        }
    }

    private static void removeIfPossible(Path left) {
        try {
            Folders.remove(left);
        } catch (UncheckedIOException e) {
            // Somebody else's, or being removed by another run: no affair of this one.
        }
    }

    Path folder() {
        return folder;
    }

    /** Whether the JVM is being ended, so that what fails fails because of that. */
    boolean endedEarly() {
        return endedEarly.get();
    }

    /** Processes first: later writes are this process's own, which has but a moment left. */
    private void endEarly() {
        endedEarly.set(true);
        long beganNs = System.nanoTime();
        do {
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            LockSupport.parkNanos(PAUSE_NS);
        } while (!isRemoved() && System.nanoTime() - beganNs < PATIENCE_NS);
    }

    private boolean isRemoved() {
        try {
            Folders.remove(folder);
            return true;
        } catch (UncheckedIOException e) {
            return !Files.exists(folder);
        }
    }

    @Override
    public void close() {
        if (endedEarly.get()) {
            return;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is at work, and does the same.
            return;
        }
        try {
            held.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Folders.remove(folder);
        }
    }
}

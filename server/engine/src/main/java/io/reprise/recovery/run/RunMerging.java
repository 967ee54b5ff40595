package io.reprise.recovery.run;

import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.SnapshotBuffers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The merges of runs into longer ones, a step at a time, while there is no log to sort. Inputs stay for a while after the merge, because a repair may
 * be about to open them. A failure costs the merge: its inputs stay.
 *
 * <p>Owned by the thread that sorts the log.
 */
final class RunMerging implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final long WAITING_BYTES = 16 << 20;
    private static final long PAUSE_NS = 10_000_000_000L;

    /** Readers list runs and open them within this time. */
    private static final long KEPT_NS = 60_000_000_000L;

    private final LogRuns runs;
    private final FileStore files;
    private final LogSettings log;
    private final Clock clock;
    private final RunLevels levels;
    private final Deque<Needless> needless = new ArrayDeque<>();

    /** Null before the first merge. */
    private SnapshotBuffers buffers;

    /** Null while there is none. */
    private RunMerge merge;

    private long notBeforeNs;

    private record Needless(LogRun run, long fromNs) {}

    /**
     * Nothing to merge yet.
     *
     * @param files the data directory
     * @param fan the number of runs that are merged at once
     */
    RunMerging(LogRuns runs, FileStore files, LogSettings log, Clock clock, int fan) {
        this.runs = runs;
        this.files = files;
        this.log = log;
        this.clock = clock;
        levels = new RunLevels(fan);
    }

    /** The runs that there were at the start, in log order. */
    void begin(List<LogRun> chain) {
        levels.begin(chain);
    }

    /** A run that follows the last one. */
    void add(LogRun run) {
        levels.add(run);
    }

    /** Runs up to a position have been removed. */
    void removedUpTo(long position) {
        levels.removeUpTo(position);
        needless.removeIf(each -> each.run.end() <= position);
    }

    /**
     * Goes on. Returns 0 if there is nothing to do.
     *
     * @param snapshots log positions of snapshots, which no merge has within it
     */
    int step(long... snapshots) {
        long nowNs = clock.nanoTime();
        if (notBeforeNs != 0 && nowNs - notBeforeNs < 0) {
            return 0;
        }
        try {
            removeNeedless(nowNs);
            return merge == null ? begin(snapshots) : mergeOn(nowNs);
        } catch (DamagedSnapshotException | DamagedRunException e) {
            LOG.warn("Runs of the log can't be merged: {}", e.getMessage());
            if (merge != null) {
                levels.failed(merge.inputs());
            }
            abandon();
            return 1;
        } catch (StorageException e) {
            LOG.warn("Runs of the log could not be merged, and it is tried again: {}", e.getMessage());
            notBeforeNs = nowNs + PAUSE_NS;
            abandon();
            return 0;
        }
    }

    private void removeNeedless(long nowNs) {
        while (!needless.isEmpty() && nowNs - needless.getFirst().fromNs >= 0) {
            runs.remove(needless.removeFirst().run);
        }
    }

    private int begin(long... snapshots) {
        Optional<List<LogRun>> inputs = levels.next(snapshots);
        if (inputs.isEmpty()) {
            return 0;
        }
        buffers = buffers == null ? new SnapshotBuffers(WAITING_BYTES) : buffers;
        try {
            merge = new RunMerge(runs, files, log, inputs.get(), buffers);
        } catch (DamagedSnapshotException e) {
            levels.failed(inputs.get());
            throw e;
        }
        return 1;
    }

    private int mergeOn(long nowNs) {
        if (merge.step()) {
            return 1;
        }
        LogRun made = merge.publish(clock.epochMicros());
        levels.merged(merge.inputs(), made);
        merge.inputs().forEach(input -> needless.add(new Needless(input, nowNs + KEPT_NS)));
        merge.close();
        merge = null;
        return 1;
    }

    /** The runs that follow each other, in log order, as soon as they are known. Any thread. */
    Optional<List<LogRun>> chain() {
        return levels.chain();
    }

    /** Drops what is under way. */
    void abandon() {
        if (merge == null) {
            return;
        }
        try {
            merge.discard();
        } catch (StorageException e) {
            // The next start removes it.
            LOG.debug("A merge was not removed", e);
        }
        merge.close();
        merge = null;
    }

    @Override
    public void close() {
        abandon();
        if (buffers != null) {
            buffers.close();
        }
    }
}

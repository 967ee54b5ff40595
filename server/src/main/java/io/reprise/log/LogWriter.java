package io.reprise.log;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.StorageReadOnlyException;
import io.reprise.runtime.time.Clock;

/**
 * Writes what the partitions leave in their rings to the one log of the node: takes all that there is, writes it, forces
 * it, says how far everything is durable, and takes all that has come meanwhile. Has a thread of its own, the only one
 * that waits for the disk.
 *
 * <p>When there is no space for the next segment, or the file system has become read-only, it acknowledges nothing and
 * tries again; the rings fill up, and the executors refuse what they can't log. When a force or a write fails otherwise
 * the failure ends the agent, and with it the node: nothing is acknowledged any more, and nothing is tried twice.
 */
public final class LogWriter implements Agent {
    private static final long RETRY_NS = 100_000_000;

    private final LogSettings settings;
    private final LogTail tail;
    private final RingDrain drain;
    private final LogBatch batch;
    private final FrameCompressor compressor;
    private final SegmentWriter segments;
    private final SnapshotMarks marks;
    private final Waker[] sites;
    private final Clock clock;
    private final LogStats stats;
    private final ForcePace pace;

    private long lastForceNs;
    private long lastRecordNs;
    private boolean hurried;
    private boolean sealed;
    private boolean blocked;
    private boolean closing;
    private long retryAtNs;

    /**
     * A writer that goes on where the log ends.
     *
     * @param logs of all partitions, by number
     * @param sites are woken when something has become durable
     * @param snapshots is told the positions of snapshots
     */
    public LogWriter(
            LogTail tail,
            LogSettings settings,
            PartitionLog[] logs,
            Waker[] sites,
            Clock clock,
            SnapshotMark snapshots) {
        this.settings = settings;
        this.tail = tail;
        this.sites = sites.clone();
        this.clock = clock;
        this.stats = new LogStats();
        this.pace = new ForcePace(settings.longestPauseNs());
        this.compressor = new FrameCompressor(settings.compression(), clock);
        this.batch = new LogBatch(settings, new FrameChecksum(tail.database()), compressor);
        this.marks = new SnapshotMarks(snapshots);
        this.drain = new RingDrain(logs, batch, marks);
        this.segments = new SegmentWriter(tail, settings, batch, stats);
    }

    @Override
    public String roleName() {
        return "log";
    }

    /** What it has done so far. Any thread. */
    public LogStats stats() {
        return stats;
    }

    @Override
    public void onStart() {
        tail.settle();
        segments.open();
        lastForceNs = clock.nanoTime();
        sealed = true;
        drain.begin();
    }

    @Override
    public int doWork(long nowNs) {
        if (blocked && nowNs - retryAtNs < 0) {
            return 0;
        }
        try {
            int work = step(nowNs);
            unblock();
            return work;
        } catch (StorageFullException | StorageReadOnlyException e) {
            block(nowNs, e.getMessage());
            return 0;
        }
    }

    /** Writes and seals what there is. Only when nobody fills the rings any more. */
    @Override
    public void onClose() {
        closing = true;
        try {
            while (step(clock.nanoTime()) > 0) {
                continue;
            }
            forceAll();
            if (!sealed) {
                seal();
            }
        } catch (StorageFullException | StorageReadOnlyException e) {
            block(clock.nanoTime(), e.getMessage());
        } finally {
            segments.close();
            batch.close();
        }
    }

    private int step(long nowNs) {
        if (!batch.isFinished()) {
            hurried = drain.noteAsks();
            if (!hurried && !closing && pace.waits(nowNs)) {
                return 0;
            }
            int drained = drain.fill();
            if (drained > 0) {
                lastRecordNs = nowNs;
            }
            if (batch.isEmpty()) {
                drain.answerAsks();
                return drained + withoutBatch(nowNs, drained > 0);
            }
            batch.finish();
        }
        return flush();
    }

    private int flush() {
        long begin = clock.nanoTime();
        int records = batch.records();
        segments.write();
        drain.markWritten();
        boolean force = settings.synchronous() || begin - lastForceNs >= settings.forceEveryNs();
        if (force) {
            segments.force();
        }
        long end = clock.nanoTime();
        compressor.flushed(batch.size(), end - begin);
        stats.flushed(end - begin, records, drain.waitingBytes());
        pace.forced(begin, hurried);
        sealed = false;
        drain.answerAsks();
        segments.beginBatch();
        drain.begin();
        if (force) {
            lastForceNs = end;
            publish();
        }
        segments.prepareAhead();
        return Math.max(1, records);
    }

    /** Nothing is to be written: a segment that is full, written bytes to force, a batch to seal, or nothing at all. */
    private int withoutBatch(long nowNs, boolean drained) {
        if (drain.isStopped()) {
            roll();
            return 1;
        }
        if (!segments.hasUnforced()) {
            if (drained) {
                drain.markWritten();
                publish();
            }
        } else if (nowNs - lastForceNs >= settings.forceEveryNs()) {
            forceAll();
            return 1;
        }
        if (!sealed && !segments.hasUnforced() && nowNs - lastRecordNs >= settings.sealAfterNs()) {
            seal();
            return 1;
        }
        return !closing && segments.prepareAhead() ? 1 : 0;
    }

    private void forceAll() {
        if (batch.isEmpty()) {
            drain.markWritten();
        }
        if (segments.hasUnforced()) {
            segments.force();
        }
        lastForceNs = clock.nanoTime();
        publish();
    }

    private void roll() {
        segments.roll();
        drain.begin();
        forceAll();
    }

    private void seal() {
        if (!batch.fits(0)) {
            roll();
        } else {
            batch.appendMark(LogFormat.FLAG_SEAL);
            batch.finish();
            segments.write();
            segments.force();
            segments.beginBatch();
            drain.begin();
        }
        sealed = true;
    }

    private void publish() {
        stats.positions(segments.position(), segments.durable());
        marks.tell();
        if (drain.publishDurable()) {
            for (Waker site : sites) {
                site.wake();
            }
        }
    }

    private void block(long nowNs, String why) {
        if (!blocked) {
            LogWarnings.blocked(why);
        }
        blocked = true;
        stats.blocked(why);
        retryAtNs = nowNs + RETRY_NS;
    }

    private void unblock() {
        if (blocked) {
            blocked = false;
            stats.unblocked();
            LogWarnings.unblocked();
        }
    }
}

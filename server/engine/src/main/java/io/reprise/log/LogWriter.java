package io.reprise.log;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.TooManyOpenFilesException;
import io.reprise.runtime.file.TransientStorageException;
import io.reprise.runtime.time.Clock;

/**
 * Writes what the partitions leave in their rings to the one log of the node: takes all that there is, writes it, forces
 * it, says how far everything is durable, and takes all that has come meanwhile. Has a thread of its own, the only one
 * that waits for the disk.
 *
 * <p>When there is no space for the next segment, or the file system has become read-only, it closes the
 * {@link LogAdmission}, so that the sites refuse what would have to be logged, and tries again. When a force or a write
 * fails otherwise the failure ends the agent, and with it the node: nothing is acknowledged any more, and nothing is tried
 * twice.
 */
public final class LogWriter implements Agent, AutoCloseable {
    private static final long RETRY_NS = 100_000_000;
    private static final long STALL_NS = 1_000_000_000;

    /**
     * The number of parts of each partition's share of the room. A record may take one of them: two may come
     * between two looks at what is left, because a partition may leave another one when the first has been taken; and as many
     * again before it has heard of the second look.
     */
    private static final int PARTS = 4;

    /** The number of shares of a batch. A ring has one of them where other rings have records too. */
    private static final int SHARES = 4;

    /** Whose records are admitted, as far as there is room. */
    private enum Admitted {
        ALL,
        SMALL,
        NONE
    }

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
    private final LogAdmission admission = new LogAdmission();
    private final ForcePace pace;

    /**
     * The part of a segment that is kept for finished transactions, and for the engine's own records, when there is
     * no next one.
     */
    private final long reserveBytes;

    private final int partitions;

    private long lastForceNs;
    private long lastRecordNs;
    private boolean hurried;
    private boolean sealed;
    private boolean blocked;

    /** The admission that the operator was told last. */
    private Admitted admitted = Admitted.ALL;

    private boolean closing;
    private boolean closed;
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
        this.drain = new RingDrain(logs, batch, settings.batchBytes() / SHARES, marks);
        this.partitions = logs.length;
        this.reserveBytes = reserveBytes(settings, logs.length);
        this.segments = new SegmentWriter(tail, settings, batch, stats, reserveBytes);
        // A request before the writer's thread has begun gets the positions of the frames.
        stats.positions(tail.position(), tail.durable());
    }

    /**
     * The bytes that may be in the rings when transactions are no longer let in; of a small segment at most a
     * quarter.
     */
    private static long reserveBytes(LogSettings settings, int partitions) {
        return Math.min(settings.segmentBytes() / 4, (long) partitions * settings.ringBytes() + settings.batchBytes());
    }

    @Override
    public String roleName() {
        return "log";
    }

    /**
     * Before anything runs: makes the agent that prepares the next segment while this one is written, for a thread of
     * its own that ends before this one; to be closed by the caller. Without it the writer does so itself, and
     * replies wait for that too.
     *
     * @param own wakes this writer
     */
    public SegmentAhead segmentsAhead(Waker own) {
        return segments.ahead().attend(own);
    }

    /** Its counters so far. Any thread. */
    public LogStats stats() {
        return stats;
    }

    /** Whether transactions may write. Any thread. */
    public LogAdmission admission() {
        return admission;
    }

    @Override
    public void onStart() {
        tail.settle();
        segments.open();
        tellPositions();
        lastForceNs = clock.nanoTime();
        lastRecordNs = lastForceNs;
        sealed = tail.isSealed();
        drain.begin();
    }

    @Override
    public int doWork(long nowNs) {
        if (blocked && nowNs - retryAtNs < 0) {
            return 0;
        }
        stats.began(nowNs);
        try {
            int work = step(nowNs);
            admit();
            return work;
        } catch (TransientStorageException e) {
            block(nowNs, e.getMessage());
            return 0;
        } finally {
            stats.ended();
        }
    }

    /** Writes and seals the rest, as far as possible. Called when no thread fills the rings any more. */
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
        } catch (TransientStorageException e) {
            block(clock.nanoTime(), e.getMessage());
        } finally {
            close();
        }
    }

    /** Gives memory and files back, if it has not done so in the end: it has failed, or was never run. When its thread has ended. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            segments.close();
        } finally {
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
        if (end - begin >= STALL_NS) {
            LogWarnings.stalled(end - begin);
        }
        pace.forced(begin, hurried);
        sealed = false;
        drain.answerAsks();
        segments.beginBatch();
        drain.begin();
        if (force) {
            lastForceNs = end;
            publish();
        }
        segments.prepareAhead(end);
        return Math.max(1, records);
    }

    /** Does the rest of the work when there is no batch: a full segment, written bytes to force, or a batch to seal. */
    private int withoutBatch(long nowNs, boolean drained) {
        if (drain.isStopped()) {
            if (segments.hasUnforced()) {
                // Room for the next segment may take long, and replies to written batches must not wait for it.
                forceAll();
            }
            if (segments.openReserve()) {
                drain.begin();
                return 1;
            }
            return roll() ? 1 : 0;
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
        if (!sealed && !segments.hasUnforced() && nowNs - lastRecordNs >= settings.sealAfterNs() && seal()) {
            return 1;
        }
        return !closing && segments.prepareAhead(nowNs) ? 1 : 0;
    }

    private void forceAll() {
        if (batch.isEmpty()) {
            drain.markWritten();
        }
        if (segments.hasUnforced()) {
            segments.force();
        }
        if (batch.isEmpty()) {
            // The next write says that this is durable.
            segments.beginBatch();
        }
        lastForceNs = clock.nanoTime();
        publish();
    }

    /** Returns whether it could: the next segment may not be ready yet. */
    private boolean roll() {
        if (!segments.hasNext()) {
            return false;
        }
        segments.roll();
        drain.begin();
        forceAll();
        return true;
    }

    /** Writes a seal. Returns false if the next segment is not ready or has no room; no reply waits for a seal. */
    private boolean seal() {
        if (!batch.fitsSeal()) {
            try {
                sealed = roll();
            } catch (StorageFullException | TooManyOpenFilesException e) {
                sealed = false;
            }
            return sealed;
        }
        batch.appendSeal();
        batch.finish();
        segments.write();
        segments.force();
        segments.beginBatch();
        drain.begin();
        sealed = true;
        return true;
    }

    /** Not for a seal: a snapshot that waits for its record would take the seal for it. */
    private void tellPositions() {
        stats.positions(segments.position(), segments.durable());
    }

    private void publish() {
        tellPositions();
        marks.tell();
        if (drain.publishDurable()) {
            for (Waker site : sites) {
                site.wake();
            }
        }
    }

    private void block(long nowNs, String why) {
        if (!blocked) {
            LogWarnings.blocked(why, settings.synchronous());
        }
        blocked = true;
        admission.blocked(why);
        retryAtNs = nowNs + RETRY_NS;
    }

    /**
     * Everything at hand has been written. Each change is told, so that the operator's last message of this is true.
     */
    private void admit() {
        String shortage = segments.shortage();
        if (shortage == null && !blocked && admitted == Admitted.ALL) {
            return;
        }
        Admitted now = admit(shortage);
        if (blocked) {
            LogWarnings.unblocked();
        }
        if (now != admitted || blocked && now != Admitted.ALL) {
            tell(now, shortage);
        }
        admitted = now;
        blocked = false;
    }

    private Admitted admit(String shortage) {
        if (shortage == null) {
            admission.open();
            return Admitted.ALL;
        }
        long largest = (segments.room() - reserveBytes - drain.spilledBytes()) / PARTS / partitions;
        if (largest > 0) {
            admission.scarce(shortage, largest);
            return Admitted.SMALL;
        }
        admission.reserved(shortage);
        return Admitted.NONE;
    }

    private static void tell(Admitted now, String shortage) {
        switch (now) {
            case ALL -> LogWarnings.open();
            case SMALL -> LogWarnings.scarce(shortage);
            case NONE -> LogWarnings.reserved(shortage);
        }
    }
}

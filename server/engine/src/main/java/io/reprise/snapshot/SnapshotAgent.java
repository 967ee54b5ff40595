package io.reprise.snapshot;

import io.reprise.catalog.CatalogPrinter;
import io.reprise.id.DatabaseId;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.SnapshotStats.Phase;
import io.reprise.snapshot.file.DataFileEntry;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.snapshot.file.SnapshotBuffers;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotIdentity;
import io.reprise.snapshot.file.SnapshotWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes snapshots: decides when, writes the rows that the partitions' sweeps hand over, and keeps the newest ones. On
 * a thread of its own, because it waits for the disk.
 *
 * <pre>
 *  IDLE --due or asked for--> BEGINNING --begun--> SWEEPING --all rows--> PUBLISHING --log durable--> IDLE
 *   ^                            |                    |                       |
 *   |                         refused           failure (disk full, ...)   failure
 *   |                            v                    v                       v
 *   +----------------------------+<--sweeps cleared-- GIVING_UP <-------------+
 * </pre>
 *
 * <p>With a {@link SnapshotMerger}, IDLE goes to MERGING and from there to IDLE. If rows can't be merged, MERGING goes to BEGINNING.
 *
 * <p>A failure of the disk, or too little memory for the writing, costs the snapshot and not the engine: its files
 * are removed, callers are told why, and older snapshots stay. Any other failure here ends the agent.
 */
public final class SnapshotAgent implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.snapshot");
    private static final int MESSAGES = 8;

    /** The number of batches of a partition written before the next one's turn. */
    private static final int BATCHES_IN_TURN = 4;

    private final SnapshotSettings settings;
    private final Wiring wiring;
    private final FileStore files;
    private final Clock clock;
    private final List<PartitionSweep> sweeps;
    private final OpenSweeps openSweeps;
    private final SnapshotSchedule schedule;
    private final SnapshotDirectory directory;
    private final SnapshotPruning pruning;
    private final SnapshotBuffers buffers;
    private final SnapshotRequests requests;
    private final MpscRing<SnapshotStart.Message> messages;
    private final AtomicReference<SnapshotStats> stats = new AtomicReference<>();

    private Phase phase = Phase.IDLE;
    private SnapshotStart start;
    private SnapshotWriter writer;
    private List<DataFileEntry> entries;
    private Manifest manifest;
    private String problem = "";

    /** The merge that makes the snapshot; null if its rows are copied. */
    private SnapshotMerger.Merge merge;

    private boolean isMergeRead;
    private boolean begun;
    private boolean durable;
    private long beganNs;
    private long completed;
    private long failed;

    /**
     * The connections to the rest of the node.
     *
     * @param database the database's id
     * @param starter runs the transaction that a snapshot begins with
     * @param logPosition the end of the written log; read from the snapshot's thread
     * @param listener is told of each snapshot's end, on the snapshot's thread
     * @param byPartition whether each partition has all of its rows in its own file, also replicated ones: those of a node of a
     *     cluster stand at different places of their streams
     * @param merger makes snapshots from older ones where it can; null: rows are always copied
     * @param waker wakes the snapshot's thread; may be null
     */
    public record Wiring(
            DatabaseId database,
            SnapshotStarter starter,
            LongSupplier logPosition,
            Consumer<SnapshotReport> listener,
            boolean byPartition,
            SnapshotMerger merger,
            Waker waker) {}

    /**
     * A maker of snapshots.
     *
     * @param sweeps one for each partition, in their order; their owners are the partitions' threads
     * @param newestLogPosition the log position of the newest snapshot, or 0
     * @param damaged the ids of snapshots that could not be loaded
     */
    public SnapshotAgent(
            SnapshotSettings settings,
            Wiring wiring,
            FileStore files,
            Clock clock,
            List<PartitionSweep> sweeps,
            long newestLogPosition,
            Set<Long> damaged) {
        this.settings = settings;
        this.wiring = wiring;
        this.files = files;
        this.clock = clock;
        this.sweeps = List.copyOf(sweeps);
        openSweeps = new OpenSweeps(this.sweeps);
        schedule = new SnapshotSchedule(settings, wiring.logPosition(), newestLogPosition, clock.nanoTime());
        directory = new SnapshotDirectory(files);
        pruning = new SnapshotPruning(files, settings.keep(), damaged);
        buffers = new SnapshotBuffers(settings.waitingBytes());
        requests = new SnapshotRequests(wiring.waker());
        messages = new MpscRing<>(MESSAGES, wiring.waker());
        publishStats();
    }

    @Override
    public String roleName() {
        return "snapshot";
    }

    /**
     * Any thread: requests a snapshot whose moment is after this call. The future completes on the snapshot's thread, always with a
     * report.
     */
    public CompletableFuture<SnapshotReport> request() {
        CompletableFuture<SnapshotReport> future = new CompletableFuture<>();
        if (!requests.add(future)) {
            future.complete(report(
                    false,
                    0,
                    0,
                    SnapshotRequests.MOST + " requests for snapshots wait already; wait for one of those to end"));
        }
        return future;
    }

    /**
     * Any thread: changes the times of snapshots.
     *
     * @param intervalMs time from the beginning of one to that of the next; 0: only when asked for
     * @param logBytes amount of log after which another one begins before its time; 0: never for that
     */
    public void schedule(long intervalMs, long logBytes) {
        schedule.change(intervalMs, logBytes);
    }

    /** Any thread: the present activity. */
    public SnapshotStats stats() {
        return stats.get();
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        SnapshotStart.Message message;
        while ((message = messages.poll()) != null) {
            work++;
            if (message.start() == start) {
                take(message.event());
            }
        }
        work += switch (phase) {
            case IDLE -> !requests.isEmpty() || schedule.isDue(nowNs) ? begin(nowNs) : 0;
            case BEGINNING -> 0;
            case MERGING -> guarded(this::mergeOn, nowNs);
            case SWEEPING -> guarded(this::write, nowNs);
            case PUBLISHING -> durable ? publish(nowNs) : 0;
            case GIVING_UP -> throwAway(nowNs);
        };
        if (work > 0) {
            publishStats();
        }
        return work;
    }

    private int begin(long nowNs) {
        requests.take();
        beganNs = nowNs;
        schedule.began(nowNs);
        problem = "";
        begun = false;
        durable = false;
        writer = null;
        start = null;
        try {
            directory.prepare();
        } catch (StorageException e) {
            problem = e.getMessage();
            end(nowNs, report(false, 0, nowNs, problem));
            return 1;
        }
        isMergeRead = false;
        merge = wiring.merger() == null ? null : wiring.merger().begin();
        if (merge == null) {
            beginCopy();
        } else {
            phase = Phase.MERGING;
        }
        return 1;
    }

    private void beginCopy() {
        start = new SnapshotStart(sweeps, wiring.byPartition(), messages);
        phase = Phase.BEGINNING;
        wiring.starter().start(start);
    }

    /** A step of a merge. Rows that can't be merged are copied. */
    private int mergeOn(long nowNs) {
        try {
            if (!isMergeRead && merge.waits(nowNs)) {
                return 0;
            }
            if (!isMergeRead) {
                isMergeRead = merge.read();
            } else if (writer == null) {
                writer = new SnapshotWriter(
                        files,
                        new SnapshotIdentity(wiring.database(), merge.transactionId()),
                        merge.partitions(),
                        merge.tables(),
                        buffers,
                        SnapshotWriter.Settings.usual());
            } else if (isTooFast(nowNs)) {
                return 0;
            } else if (!merge.isDone()) {
                merge.step(writer);
            } else {
                publishMerge(nowNs);
            }
        } catch (CannotMergeException e) {
            LOG.info("Rows are copied for the snapshot, because it can't be merged: {}", e.getMessage());
            discard();
            writer = null;
            closeMerge();
            beginCopy();
        }
        return 1;
    }

    private void publishMerge(long nowNs) {
        manifest = writer.publish(merge.origin(clock.epochMicros()), writer.finishFiles());
        complete(nowNs, merge.transactionId(), merge.logPosition());
    }

    private void closeMerge() {
        if (merge != null) {
            merge.close();
            merge = null;
        }
    }

    private void take(SnapshotStart.Event event) {
        switch (event) {
            case DURABLE -> durable = true;
            case REFUSED -> refused(start.refusal());
            case BEGUN -> {
                begun = true;
                phase = Phase.SWEEPING;
                openSweeps.begin();
            }
        }
    }

    /** In partitions that have begun, sweeps are under way; those that were given up already go on to their end. */
    private void refused(String why) {
        if (!begun) {
            problem = why;
            end(clock.nanoTime(), report(false, 0, clock.nanoTime(), why));
        } else if (phase != Phase.GIVING_UP) {
            giveUp(why);
        }
    }

    /** A step that may fail because of the disk, or for lack of heap. */
    @FunctionalInterface
    private interface Step {
        int run(long nowNs);
    }

    private int guarded(Step step, long nowNs) {
        try {
            return step.run(nowNs);
        } catch (StorageException e) {
            giveUp(e.getMessage());
            return 1;
        } catch (OutOfMemoryError e) {
            giveUp("The process had too little memory to write the snapshot (" + e.getMessage()
                    + "). Older ones stay.");
            return 1;
        }
    }

    private int write(long nowNs) {
        if (writer == null) {
            writer = new SnapshotWriter(
                    files,
                    new SnapshotIdentity(wiring.database(), start.transactionId()),
                    sweeps.size(),
                    start.tables(),
                    buffers,
                    SnapshotWriter.Settings.usual());
        }
        if (isTooFast(nowNs)) {
            return 0;
        }
        int work = 0;
        for (int i = 0; i < sweeps.size() && phase == Phase.SWEEPING; i++) {
            PartitionSweep sweep = sweeps.get(i);
            for (int turn = 0; turn < BATCHES_IN_TURN && phase == Phase.SWEEPING; turn++) {
                RowBatch batch = sweep.toWriter().poll();
                if (batch == null) {
                    break;
                }
                work++;
                write(sweep, i, batch);
            }
        }
        if (openSweeps.areOver() && phase == Phase.SWEEPING) {
            entries = writer.finishFiles();
            phase = Phase.PUBLISHING;
            work++;
        }
        return work;
    }

    private boolean isTooFast(long nowNs) {
        if (settings.writeBytesPerSecond() == 0) {
            return false;
        }
        double dueNs = writer.imageBytes() * 1e9 / settings.writeBytesPerSecond();
        return nowNs - beganNs < dueNs;
    }

    private void write(PartitionSweep sweep, int i, RowBatch batch) {
        if (batch == sweep.end) {
            openSweeps.end(i);
        } else if (batch == sweep.gaveUp) {
            giveUp(sweep.problem());
        } else {
            try {
                writer.add(sweep.partition(), batch);
            } finally {
                OpenSweeps.giveBack(sweep, batch);
            }
        }
    }

    private int publish(long nowNs) {
        int work = guarded(this::writeManifest, nowNs);
        if (phase == Phase.PUBLISHING) {
            complete(nowNs, start.transactionId(), start.logPosition());
        }
        return work;
    }

    private int writeManifest(long nowNs) {
        manifest = writer.publish(
                new Manifest.Origin(
                        start.logPosition(),
                        clock.epochMicros(),
                        start.catalog().version(),
                        start.catalog().nextTableId(),
                        CatalogPrinter.print(start.catalog()),
                        start.attachment(),
                        sweeps.stream().map(PartitionSweep::takeOutcomes).toList()),
                entries);
        return 1;
    }

    /** The snapshot is complete. A later failure must not remove it, because older ones are removed now. */
    private void complete(long nowNs, long transactionId, long logPosition) {
        schedule.succeeded(logPosition);
        SnapshotPruning.Left left = pruning.run();
        problem = left.problem();
        long saved = 0;
        for (PartitionSweep sweep : sweeps) {
            saved += start == null ? 0 : sweep.rowsSaved();
        }
        end(
                nowNs,
                new SnapshotReport(
                        true,
                        transactionId,
                        logPosition,
                        manifest.rows(),
                        saved,
                        writer.imageBytes(),
                        manifest.bytes(),
                        clock.nanoTime() - beganNs,
                        left.oldestLogPosition(),
                        problem));
    }

    /** Gives up the snapshot: all sweeps are told to end, and awaited. */
    private void giveUp(String why) {
        problem = why;
        phase = Phase.GIVING_UP;
        openSweeps.giveUp();
    }

    private int throwAway(long nowNs) {
        int work = openSweeps.discard();
        if (openSweeps.areOver()) {
            work++;
            discard();
            end(nowNs, report(false, start == null ? 0 : start.transactionId(), nowNs, problem));
        }
        return work;
    }

    private void discard() {
        try {
            if (writer != null) {
                writer.discard();
            }
        } catch (StorageException e) {
            problem += " (What it had written could not be removed either; the next snapshot, or the next start, tries"
                    + " again: " + e.getMessage() + ")";
        }
    }

    private SnapshotReport report(boolean success, long id, long nowNs, String why) {
        return new SnapshotReport(success, id, 0, 0, 0, 0, 0, nowNs - beganNs, 0, why);
    }

    private void end(long nowNs, SnapshotReport report) {
        phase = Phase.IDLE;
        start = null;
        writer = null;
        closeMerge();
        entries = null;
        manifest = null;
        buffers.trim();
        if (report.succeeded()) {
            completed++;
        } else {
            failed++;
            schedule.failed(nowNs);
        }
        publishStats();
        wiring.listener().accept(report);
        requests.complete(report);
    }

    private void publishStats() {
        boolean writing = writer != null;
        long bytes = writing ? writer.bytesWritten() : 0;
        long tookNs = Math.max(1, clock.nanoTime() - beganNs);
        stats.set(new SnapshotStats(
                phase,
                start == null || !begun ? 0 : start.transactionId(),
                writing ? writer.rows() : 0,
                start == null || !begun ? 0 : start.rowsExpected(),
                bytes,
                writing ? (long) (bytes * 1e9 / tookNs) : 0,
                completed,
                failed,
                problem));
    }

    /** Ends the snapshot under way, whose files the next start removes. The owners of the sweeps close these. */
    @Override
    public void onClose() {
        SnapshotReport report = report(false, 0, clock.nanoTime(), "the engine was closed");
        if (writer != null) {
            writer.close();
        }
        requests.take();
        requests.complete(report);
    }

    /** Frees its memory. Its thread has ended. */
    @Override
    public void close() {
        closeMerge();
        buffers.close();
    }
}

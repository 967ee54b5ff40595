package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.log.FrameSource;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.storage.image.DamagedImageException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A replay in four stages: {@linkplain FrameSource read} frames, {@linkplain RecordAnalysis analyse} their records,
 * {@linkplain Schedule schedule} them, and apply them at the partitions, which a {@link ReplayLane} connects with this thread.
 *
 * <pre>
 *  FrameSource --frame--> RecordAnalysis --command, data record--> Schedule --ReplayLane--> executor
 *                                                                      ^                        |
 *                                                                      +------- ReplayLane -----+
 * </pre>
 *
 * <p>A recovery {@linkplain #run runs} it to the end of a log. A follower calls {@link #step} for each frame of a stream, and {@link #flush}
 * when no frame is there.
 *
 * <p>The write hash of each command is compared with the logged one. The earliest record that fails ends the replay with its failure.
 *
 * <p>Confined to the replaying thread. Executors run on their own threads, or inside of {@code idle}.
 */
public final class Replay implements AutoCloseable {
    private final FrameSource source;
    private final BucketMap buckets;
    private final ReplayLane[] lanes;
    private final ReplaySchema schema;
    private final RecoveryChoices choices;
    private final ReplayProgress progress;
    private final RecordAnalysis analysis;
    private final ReplayPath path;
    private final Schedule schedule;
    private Consumer<LogRecords> listener;
    private final LogFrame frame = new LogFrame();
    private final LogRecords records = new LogRecords();
    private final Callers callers = new Callers();
    private final long from;
    private long lastId;
    private long transactions;
    private byte[] stateHash;
    private RecordObserver observer = read -> {};
    private long cut = Long.MAX_VALUE;

    /**
     * A replay.
     *
     * @param lanes by partition
     * @param order the order that commands keep
     * @param choices followed where the log can't be run as it was
     * @param idle called while there is nothing to do but to wait for executors; throws if one of them has failed
     */
    public Replay(
            FrameSource source,
            ReplayLane[] lanes,
            BucketMap buckets,
            ReplaySchema schema,
            RecoveryChoices choices,
            ReplaySettings.Order order,
            Runnable idle,
            ReplayProgress progress) {
        this(source, lanes, buckets, schema, choices, schedule(lanes, buckets, order, idle), progress);
    }

    private static Schedule schedule(ReplayLane[] lanes, BucketMap buckets, ReplaySettings.Order order, Runnable idle) {
        return switch (order) {
            case LOG -> new LogOrder(lanes, buckets, idle);
            case BUCKETS -> new BucketOrder(lanes, buckets, idle);
        };
    }

    /** A replay in log order without choices, as at a follower. */
    public Replay(
            FrameSource source,
            ReplayLane[] lanes,
            BucketMap buckets,
            ReplaySchema schema,
            Runnable idle,
            ReplayProgress progress) {
        this(source, lanes, buckets, schema, new LogOrder(lanes, buckets, idle), progress);
    }

    /** A replay with a schedule of its own, without choices. */
    Replay(
            FrameSource source,
            ReplayLane[] lanes,
            BucketMap buckets,
            ReplaySchema schema,
            Schedule schedule,
            ReplayProgress progress) {
        this(source, lanes, buckets, schema, new RecoveryChoices(List.of()), schedule, progress);
    }

    private Replay(
            FrameSource source,
            ReplayLane[] lanes,
            BucketMap buckets,
            ReplaySchema schema,
            RecoveryChoices choices,
            Schedule schedule,
            ReplayProgress progress) {
        this.source = source;
        this.buckets = buckets;
        this.lanes = lanes.clone();
        this.schema = schema;
        this.choices = choices;
        this.schedule = schedule;
        path = new ReplayPath(buckets);
        this.progress = progress;
        analysis = new RecordAnalysis(buckets, schema);
        from = source.position();
        schedule.frameScheduled(from, source.end());
    }

    /**
     * Replays all that the source has, and waits until it has been applied. After an exception nothing is under way, unless an
     * executor has failed.
     */
    public void run() {
        try {
            while (step()) {
                continue;
            }
            drain();
        } catch (RuntimeException | Error failure) {
            schedule.abandon(failure);
            throw failure;
        }
    }

    /** Has each record applied before the next one is read, and tells the listener of it. For readers of changes; slower. */
    public void applyOneByOne(Consumer<LogRecords> afterEach) {
        listener = afterEach;
    }

    /** Before the first step: each data record of a partition is applied there alone, as in a cluster, whose partitions stay. */
    public void keepPartitions() {
        analysis.keepPartitions();
    }

    /** Before the first step: commands and data of transactions with higher ids are left out. */
    public void cutBehind(long id) {
        cut = id;
    }

    /** Before the first step: the observer sees each record. */
    public void observe(RecordObserver value) {
        observer = value;
    }

    /** Reads, analyses and schedules a frame. Returns false if the source has none. */
    public boolean step() {
        if (!read()) {
            return false;
        }
        records.wrap(frame);
        callers.clear();
        while (records.next()) {
            // The id of a record that is left out is not given out again either.
            lastId = Math.max(lastId, records.transactionId());
            observer.record(records);
            if (!choices.isEmpty() && choices.leavesOut(records) || isBehindCut()) {
                continue;
            }
            if (records.hasCaller()) {
                callers.add(records);
            }
            replayRecord();
            if (listener != null) {
                schedule.drain();
                listener.accept(records);
            }
        }
        schedule.frameScheduled(frame.endPosition(), source.end());
        callers.remember(lanes, buckets, analysis.isKeepingPartitions());
        progress.replayed(frame.endPosition() - from, source.end() - from, transactions);
        return true;
    }

    private boolean isBehindCut() {
        return records.transactionId() > cut && (records.kind().isTransaction() || records.kind() == RecordKind.MOVE);
    }

    private boolean read() {
        try {
            return source.next(frame);
        } catch (RuntimeException e) {
            // A damaged frame; a record before it may have failed, too, and is told of first.
            schedule.drain();
            throw e;
        }
    }

    /** Hands over what was gathered: the source has no frame for now. */
    public void flush() {
        schedule.flush();
    }

    /** Waits until all that was read has been applied. The partitions may be used for anything else then. */
    public void drain() {
        schedule.drain();
    }

    /** The highest transaction id so far. */
    public long lastId() {
        return lastId;
    }

    /** The critical path so far. */
    public ReplayPath path() {
        return path;
    }

    /** The number of transactions so far. */
    public long transactions() {
        return transactions;
    }

    /** The state hash that a clean close has left at the log's end, unless a change followed it. */
    public Optional<byte[]> endsWithStateHash() {
        return Optional.ofNullable(stateHash);
    }

    private void replayRecord() {
        switch (records.kind()) {
            case COMMAND, DATA, BOUNDARY, CALLS -> {
                stateHash = null;
                transactions++;
                int parts = records.parts();
                for (int part = 0; part < parts; part++) {
                    records.showPart(part);
                    if (records.kind() == RecordKind.COMMAND) {
                        command();
                    } else {
                        data();
                    }
                }
            }
            case CATALOG -> {
                stateHash = null;
                schedule.drain();
                schema.change(records.payloadCopy(), records.transactionId());
            }
            case SNAPSHOT_BEGIN, FOOTPRINT, START, EPOCH, TRANSACTION, SCHEMA -> {}
            case IMAGE -> {
                stateHash = null;
                schedule.drain();
                schema.image(records.partition(), ImageRecord.decode(records.payloadCopy()));
            }
            case MOVE -> {
                stateHash = null;
                transactions++;
                schedule.drain();
                schema.move(records.partition(), BucketMove.decode(records.payloadCopy()));
            }
            case STATE_HASH -> stateHash = records.payloadCopy();
            case RECOVERY_CHOICE -> {
                // Divergences before it are told of first, for they may be what it is about.
                schedule.drain();
                stateHash = null;
                choices.end(
                        RecoveryChoice.decode(records.payloadCopy()),
                        records.transactionId(),
                        Divergence.at(records.framePosition()));
            }
            default ->
                throw new IllegalStateException("the log has a record of kind " + records.kind() + " at position "
                        + records.framePosition() + ", which this version does not replay");
        }
    }

    private void command() {
        InFlight command = schedule.acquire();
        analysis.command(records, command);
        if (!choices.isEmpty() && choices.accepts(records.recordId())) {
            command.accept(choices);
        }
        path.add(command.execution());
        schedule.command(command);
    }

    private void data() {
        analysis.data(records);
        try {
            schedule.data(records, analysis);
        } catch (DamagedImageException e) {
            schedule.drain();
            throw Divergence.of(
                    records.transactionId(),
                    Divergence.at(records.framePosition()),
                    "data record",
                    "it can't be read: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        schedule.close();
        frame.close();
    }
}

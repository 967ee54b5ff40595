package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Invocation;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.execution.work.RefusedWork;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.physiological.DataRedo;
import io.reprise.log.physiological.DivergedReplayException;
import io.reprise.procedure.ProcedureException;
import io.reprise.storage.image.DamagedImageException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Runs a log again: reads its records and hands them, in their order, to the executors of the partitions that they are
 * about. The order of the log is one in which the transactions could have run, so that nothing has to be sorted, and
 * each executor goes through its lane as fast as it can; a command with several participants stands in all their lanes,
 * and its participants meet as they did the first time.
 *
 * <p>Who takes part is found out anew, so that the number of partitions may be another one than it was.
 *
 * <p>What a command wrote is compared with the hash that the log has of what it wrote the first time. The first one, in the order of the
 * log, that differs ends the replay.
 *
 * <p>One thread's; the executors are on theirs, or are run by {@code idle}.
 */
public final class Replay implements AutoCloseable {
    /** So much decoded that an executor has enough to do while this thread sleeps, which can be milliseconds. */
    private static final int RUNS_PER_LANE = 8;

    private final ReplaySettings settings;
    private final Lanes lanes;
    private final DecoderTurns decoders;
    private final BucketMap buckets;
    private final ReplaySchema schema;
    private final ReplayProgress progress;
    private final LogRecords records = new LogRecords();
    private final CommandReplayer commandReplayer = new CommandReplayer();
    private final OwnRuns ownRuns = new OwnRuns();
    private final RunFiller filler;
    private final Stretch ownStretch = new Stretch();

    /** So many stretches in a row had nothing but data records. */
    private int dataOnly;

    private long from;
    private long logEnd;
    private long lastId;
    private long transactions;
    private byte[] stateHash;

    /**
     * A replay.
     *
     * @param lanes by partition
     * @param decoders run beside this; as many as the settings say
     * @param idle called while there is nothing to do but to wait for others; throws if they can't go on
     */
    public Replay(
            ReplaySettings settings,
            ReplayLane[] lanes,
            List<StretchDecoder> decoders,
            BucketMap buckets,
            ReplaySchema schema,
            Runnable idle,
            ReplayProgress progress) {
        this.settings = settings;
        this.lanes = new Lanes(lanes, idle);
        this.decoders = new DecoderTurns(decoders, this.lanes, this::finish);
        this.buckets = buckets;
        this.schema = schema;
        this.progress = progress;
        DataRedo[] redo = Arrays.stream(lanes).map(ReplayLane::redo).toArray(DataRedo[]::new);
        for (int i = 0; i < RUNS_PER_LANE * lanes.length; i++) {
            ownRuns.giveBack(new DataRun(ownRuns, redo));
        }
        filler = new RunFiller(redo, buckets, ownRuns);
    }

    /** What this thread decodes itself. */
    private final class OwnRuns implements RunOutlet {
        private final Deque<DataRun> free = new ArrayDeque<>();

        @Override
        public DataRun take() {
            while (free.isEmpty()) {
                lanes.await();
            }
            return free.poll();
        }

        @Override
        public void send(DataRun full) {
            lanes.send(full);
        }

        @Override
        public void giveBack(DataRun stored) {
            free.push(stored);
        }
    }

    /**
     * Replays all that the reader gives. When this throws, the executors have nothing of it left to do, unless one of them has
     * failed. What they find out about earlier records goes before anything else that is wrong.
     */
    public void run(LogReader reader) {
        try {
            replayAll(reader);
        } catch (RuntimeException | Error failure) {
            awaitWhatWasSent(failure);
            throw failure;
        }
    }

    private void replayAll(LogReader reader) {
        from = reader.position();
        logEnd = reader.end();
        filler.endAt(logEnd);
        if (decoders.isEmpty()) {
            // What this thread reads and decodes itself is best in the cache: one frame.
            while (fill(ownStretch, reader, 1)) {
                replay(ownStretch);
            }
        } else {
            Stretch stretch = decoders.takeStretch();
            while (fill(stretch, reader, settings.stretchBytes())) {
                replayOrDecode(stretch);
                stretch = decoders.takeStretch();
            }
            decoders.settle();
        }
        awaitAll();
    }

    private boolean fill(Stretch stretch, LogReader reader, long enough) {
        try {
            return stretch.fill(reader, enough);
        } catch (RuntimeException e) {
            // It is damaged, or can't be read. What has been read before has not all been sent.
            decoders.settle();
            awaitAll();
            throw e;
        }
    }

    /** The executors may have much to do yet, and what they do it with is going to be given back. */
    private void awaitWhatWasSent(Throwable failure) {
        try {
            lanes.awaitAll();
        } catch (DivergedReplayException earlier) {
            throw earlier;
        } catch (RuntimeException e) {
            // They can't go on; it may have been this that has failed.
            failure.addSuppressed(e);
        }
    }

    private void replayOrDecode(Stretch stretch) {
        stretch.look();
        dataOnly = stretch.isDataOnly() ? dataOnly + 1 : 0;
        if (dataOnly <= settings.turnToDecoders()) {
            decoders.settle();
            replay(stretch);
            decoders.putBack(stretch);
            return;
        }
        if (!decoders.areAtWork()) {
            filler.giveBack();
            filler.send();
        }
        stateHash = stretch.hasData() ? null : stateHash;
        decoders.decode(stretch);
    }

    private void replay(Stretch stretch) {
        for (LogFrame frame : stretch.log().frames()) {
            records.wrap(frame);
            while (records.next()) {
                stretch.note(records);
                replayRecord(stretch);
            }
            lanes.wakeAll();
            lanes.collect();
        }
        filler.giveBackWhatIsWanted();
        finish(stretch);
    }

    /** All of it has been sent. */
    private void finish(Stretch stretch) {
        if (stretch.failure() != null) {
            throw failed(stretch.failure(), stretch.failedTransaction(), stretch.failedPosition());
        }
        if (stretch.isOfLog()) {
            lastId = Math.max(lastId, stretch.lastId());
            transactions += stretch.transactions();
            stretch.callers().remember(lanes, buckets);
            filler.goTo(stretch.log().endPosition());
            progress.replayed(stretch.log().endPosition() - from, logEnd - from, transactions);
        }
    }

    /** The highest transaction id that the log had. */
    public long lastId() {
        return lastId;
    }

    /** How many transactions the log had. */
    public long transactions() {
        return transactions;
    }

    /** The state hash that the log ends with, if nothing changed after it: what a clean close has left. */
    public Optional<byte[]> endsWithStateHash() {
        return Optional.ofNullable(stateHash);
    }

    private void replayRecord(Stretch stretch) {
        switch (records.kind()) {
            case COMMAND -> {
                stateHash = null;
                stretch.noteTransaction();
                command();
            }
            case DATA -> {
                stateHash = null;
                stretch.noteTransaction();
                data();
            }
            case CATALOG -> catalog();
            case SNAPSHOT_BEGIN -> {}
            case STATE_HASH -> stateHash = payload();
            default ->
                throw new IllegalStateException("the log has a record of kind " + records.kind() + " at position "
                        + records.framePosition() + ", which this version does not replay");
        }
    }

    private void command() {
        InFlight inFlight = lanes.acquire();
        Invocation invocation = inFlight.invocation();
        Work work = read(invocation);
        invocation.prepare(work, inFlight, 0);
        try {
            work.checkArguments(invocation);
            work.route(invocation, buckets);
        } catch (ProcedureException e) {
            throw notRunnable(work.name(), e.getMessage());
        }
        inFlight.expect(records.framePosition(), records.writeHash());
        invocation.stamp(records.transactionId());
        for (int i = 0; i < invocation.participantCount(); i++) {
            settle(invocation.participant(i));
        }
        lanes.send(inFlight);
    }

    /** What the record says is to be run, and with what. */
    private Work read(Invocation invocation) {
        Work work;
        try {
            work = commandReplayer.read(records, schema::procedure, this::statement, invocation.arguments());
        } catch (DivergedReplayException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Divergence.of(
                    records.transactionId(),
                    Divergence.at(records.framePosition()),
                    "command",
                    "it can't be read: " + e.getMessage());
        }
        if (work instanceof RefusedWork refused) {
            throw notRunnable("procedure " + refused.name(), refused.reason());
        }
        return work;
    }

    private Work statement(String text) {
        try {
            return schema.statement(text);
        } catch (RuntimeException | StackOverflowError e) {
            throw notRunnable(text, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private DivergedReplayException notRunnable(String work, String why) {
        return Divergence.notRunnable(records.transactionId(), Divergence.at(records.framePosition()), work, why);
    }

    private void data() {
        try {
            filler.decode(records);
        } catch (DamagedImageException e) {
            // What was decoded before it in the same run is looked at too.
            awaitAll();
            throw failed(e, records.transactionId(), records.framePosition());
        }
    }

    private static RuntimeException failed(Throwable failure, long transactionId, long framePosition) {
        return switch (failure) {
            case DamagedImageException e ->
                Divergence.of(
                        transactionId,
                        Divergence.at(framePosition),
                        "data record",
                        "it can't be read: " + e.getMessage());
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalStateException(failure);
        };
    }

    /** What the lane's executor does next isn't what a decoder says. */
    private void settle(int lane) {
        if (lanes.isUnsettled(lane) || filler.hasBegun(lane)) {
            filler.settle(lane);
            filler.send(lane);
        }
    }

    /** All that came before is run; then the change is made, and what follows is run with it. */
    private void catalog() {
        awaitAll();
        stateHash = null;
        schema.change(payload(), records.transactionId());
    }

    private byte[] payload() {
        byte[] bytes = new byte[records.payloadBytes()];
        MemorySegment.copy(
                records.memory().segment(), ValueLayout.JAVA_BYTE, records.payload(), bytes, 0, bytes.length);
        return bytes;
    }

    private void awaitAll() {
        for (int lane = 0; lane < lanes.count(); lane++) {
            settle(lane);
        }
        lanes.awaitAll();
    }

    @Override
    public void close() {
        decoders.stop();
        ownRuns.free.forEach(DataRun::close);
        filler.close();
        ownStretch.close();
    }
}

package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Invocation;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.id.TransactionId;
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
 * <p>What a command wrote is compared with the hash that the log has of what it wrote the first time. The first one, in
 * the order of the log, that differs ends the replay.
 *
 * <p>One thread's; the executors are on theirs, or are run by {@code idle}.
 */
public final class Replay implements AutoCloseable {
    /** So much decoded that an executor has enough to do while this thread sleeps, which can be milliseconds. */
    private static final int RUNS_PER_LANE = 8;

    private final ReplaySettings settings;
    private final ReplayLane[] lanes;
    private final List<StretchDecoder> decoders;
    private final BucketMap buckets;
    private final ReplaySchema schema;
    private final Runnable idle;
    private final ReplayProgress progress;
    private final LogRecords records = new LogRecords();
    private final CommandReplayer commandReplayer = new CommandReplayer();
    private final Deque<InFlight> free = new ArrayDeque<>();
    private final OwnRuns ownRuns = new OwnRuns();
    private final RunFiller filler;
    private final Stretch ownStretch = new Stretch();

    /** Who has what is decoded by others, in the order of the log. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    /** By partition, whether anybody may have places of it. */
    private final boolean[] unsettled;

    private int nextDecoder;
    private int dataOnly;
    private boolean decodersAreAtWork;
    private int underWay;
    private long from;
    private long logEnd;
    private long lastId;
    private long transactions;
    private byte[] stateHash;

    /** What comes next is this decoder's, until it is through with the stretch. */
    private record Turn(StretchDecoder decoder, Stretch stretch) {}

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
        this.lanes = lanes.clone();
        this.decoders = List.copyOf(decoders);
        this.buckets = buckets;
        this.schema = schema;
        this.idle = idle;
        this.progress = progress;
        unsettled = new boolean[lanes.length];
        for (int i = 0; i < ReplayLane.UNDER_WAY; i++) {
            free.add(new InFlight(this.lanes));
        }
        DataRedo[] redo = Arrays.stream(lanes).map(ReplayLane::redo).toArray(DataRedo[]::new);
        for (int i = 0; i < RUNS_PER_LANE * lanes.length; i++) {
            ownRuns.giveBack(new DataRun(ownRuns, redo));
        }
        filler = new RunFiller(redo, buckets, ownRuns);
    }

    /** What this thread decodes itself. */
    private final class OwnRuns implements RunOutlet {
        private final Deque<DataRun> freeRuns = new ArrayDeque<>();

        @Override
        public DataRun take() {
            while (freeRuns.isEmpty()) {
                await();
            }
            return freeRuns.poll();
        }

        @Override
        public void send(DataRun full) {
            Replay.this.send(full);
        }

        @Override
        public void giveBack(DataRun stored) {
            freeRuns.push(stored);
        }
    }

    /** Replays all that the reader gives. */
    public void run(LogReader reader) {
        from = reader.position();
        logEnd = reader.end();
        filler.endAt(logEnd);
        // What this thread reads and decodes itself is best in the cache: one frame.
        long enough = decoders.isEmpty() ? 1 : settings.stretchBytes();
        while (true) {
            StretchDecoder decoder = decoders.isEmpty() ? null : decoders.get(nextDecoder);
            Stretch stretch = decoder == null ? ownStretch : freeStretch(decoder);
            if (!stretch.fill(reader, enough)) {
                break;
            }
            if (decoder == null) {
                replay(stretch);
            } else {
                handOver(stretch, decoder);
            }
        }
        awaitDecoders();
        awaitAll();
    }

    private void handOver(Stretch stretch, StretchDecoder decoder) {
        dataOnly = stretch.isDataOnly() ? dataOnly + 1 : 0;
        if (dataOnly > settings.turnToDecoders()) {
            turnToDecoders();
            decoder.decodeNext(stretch);
            take(new Turn(decoder, stretch));
        } else {
            awaitDecoders();
            replay(stretch);
            decoder.free(stretch);
        }
    }

    private void turnToDecoders() {
        if (!decodersAreAtWork) {
            decodersAreAtWork = true;
            filler.giveBack();
            filler.send();
        }
        stateHash = null;
    }

    private void take(Turn turn) {
        turns.add(turn);
        nextDecoder = (nextDecoder + 1) % decoders.size();
        passOn();
    }

    private Stretch freeStretch(StretchDecoder decoder) {
        Stretch stretch = decoder.freeStretch();
        while (stretch == null) {
            passOnOrWait();
            stretch = decoder.freeStretch();
        }
        return stretch;
    }

    /** All that others decode has been sent, and they have given back what places they had. */
    private void awaitDecoders() {
        if (decodersAreAtWork) {
            decodersAreAtWork = false;
            for (int i = 0; i < decoders.size(); i++) {
                StretchDecoder decoder = decoders.get(nextDecoder);
                take(new Turn(decoder, decoder.settle()));
            }
            while (!turns.isEmpty()) {
                passOnOrWait();
            }
        }
    }

    private void passOnOrWait() {
        if (passOn() + collect() == 0) {
            wakeAll();
            idle.run();
        }
    }

    /** Sends what others have decoded, whose turn it is. */
    private int passOn() {
        int count = 0;
        while (!turns.isEmpty()) {
            Turn turn = turns.peek();
            AutoCloseable decoded = turn.decoder.next();
            if (decoded == null) {
                break;
            }
            count++;
            if (decoded instanceof DataRun run) {
                send(run);
            } else {
                turns.poll();
                finish(turn.stretch);
                turn.decoder.free(turn.stretch);
            }
        }
        if (count > 0) {
            wakeAll();
        }
        return count;
    }

    /** All of it has been sent. */
    private void finish(Stretch stretch) {
        if (stretch.failure() != null) {
            // What an executor finds out about earlier records goes before it.
            awaitWhatIsUnderWay();
            throw failed(stretch.failure(), stretch.failedTransaction(), stretch.failedPosition());
        }
        if (stretch.isOfLog()) {
            lastId = Math.max(lastId, stretch.lastId());
            transactions += stretch.transactions();
            stretch.callers().remember(lanes, buckets);
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

    private void replay(Stretch stretch) {
        for (LogFrame frame : stretch.log().frames()) {
            records.wrap(frame);
            while (records.next()) {
                stretch.note(records);
                replayRecord(stretch);
            }
            wakeAll();
            collect();
        }
        filler.giveBackWhatIsWanted();
        finish(stretch);
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
        InFlight inFlight = acquire();
        Invocation invocation = inFlight.invocation();
        Work work = commandReplayer.read(records, schema::procedure, schema::statement, invocation.arguments());
        invocation.prepare(work, inFlight, 0);
        try {
            work.checkArguments(invocation);
            work.route(invocation, buckets);
        } catch (ProcedureException e) {
            throw diverged(
                    records.transactionId(),
                    records.framePosition(),
                    work.name(),
                    "the call is refused: " + e.getMessage());
        }
        inFlight.expect(records.framePosition(), records.writeHash());
        send(inFlight, records.transactionId());
    }

    private void send(InFlight inFlight, long transactionId) {
        Invocation invocation = inFlight.invocation();
        invocation.stamp(transactionId);
        int participants = invocation.participantCount();
        for (int i = 0; i < participants; i++) {
            settle(invocation.participant(i));
        }
        underWay++;
        // The executors don't change who takes part, and the invocation comes back to nobody but this thread.
        for (int i = 0; i < participants; i++) {
            offer(invocation.participant(i), invocation);
        }
    }

    private void offer(int lane, Invocation invocation) {
        if (!lanes[lane].send(invocation)) {
            throw new IllegalStateException("a lane with room for all that is under way refused an invocation");
        }
    }

    private void data() {
        try {
            filler.decode(records);
        } catch (DamagedImageException e) {
            // What an executor finds out about earlier records goes before it.
            awaitAll();
            throw failed(e, records.transactionId(), records.framePosition());
        }
    }

    private static RuntimeException failed(Throwable failure, long transactionId, long framePosition) {
        return switch (failure) {
            case DamagedImageException e ->
                diverged(transactionId, framePosition, "data record", "it can't be read: " + e.getMessage());
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalStateException(failure);
        };
    }

    /** What the lane's executor does next isn't what a decoder says. */
    private void settle(int lane) {
        if (unsettled[lane] || filler.hasBegun(lane)) {
            filler.settle(lane);
            filler.send(lane);
            unsettled[lane] = false;
        }
    }

    private void send(DataRun run) {
        unsettled[run.lane()] = true;
        InFlight inFlight = acquire();
        Invocation invocation = inFlight.invocation();
        invocation.prepare(run, inFlight, 0);
        invocation.clearParticipants();
        invocation.addParticipant(run.lane());
        invocation.stamp(TransactionId.of(TransactionId.EPOCH_MICROS, 0));
        inFlight.expectSuccess(run.firstPosition());
        underWay++;
        offer(run.lane(), invocation);
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

    private InFlight acquire() {
        while (free.isEmpty()) {
            await();
        }
        return free.poll();
    }

    private void awaitAll() {
        for (int lane = 0; lane < lanes.length; lane++) {
            settle(lane);
        }
        awaitWhatIsUnderWay();
    }

    private void awaitWhatIsUnderWay() {
        while (underWay > 0) {
            await();
        }
    }

    private void wakeAll() {
        for (ReplayLane lane : lanes) {
            lane.wake();
        }
    }

    private void await() {
        if (collect() == 0) {
            wakeAll();
            idle.run();
        }
    }

    /** Takes back what has been run. */
    private int collect() {
        int count = 0;
        InFlight worst = null;
        for (ReplayLane lane : lanes) {
            for (InFlight done = lane.done().poll();
                    done != null;
                    done = lane.done().poll()) {
                count++;
                underWay--;
                if (done.divergence() != null && (worst == null || done.logPosition() < worst.logPosition())) {
                    worst = done;
                }
                if (done.invocation().work() instanceof DataRun run) {
                    run.goHome();
                }
                free.add(done);
            }
        }
        if (worst != null) {
            Invocation invocation = worst.invocation();
            throw diverged(
                    invocation.id(), worst.logPosition(), invocation.work().name(), worst.divergence());
        }
        return count;
    }

    private static DivergedReplayException diverged(long transactionId, long position, String work, String what) {
        return new DivergedReplayException("The replay of transaction " + Long.toHexString(transactionId) + " (" + work
                + ", in the log's frame at position " + position + ") differs from the first time: " + what
                + ". Nothing was changed on disk, and the engine is not opened. Either the procedure's result depends on"
                + " something that is not logged, or the server has a bug: keep the data directory and report it. A copy"
                + " with this log cut off before that transaction, or an older backup, can be opened.");
    }

    @Override
    public void close() {
        decoders.forEach(StretchDecoder::stop);
        ownRuns.freeRuns.forEach(DataRun::close);
        filler.close();
        ownStretch.close();
    }
}

package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Invocation;
import io.reprise.execution.Outcomes;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.id.TransactionId;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.physiological.DataDecoder;
import io.reprise.log.physiological.DataRedo;
import io.reprise.log.physiological.DivergedReplayException;
import io.reprise.log.physiological.RedoBatch;
import io.reprise.log.physiological.RedoBatches;
import io.reprise.procedure.ProcedureException;
import io.reprise.storage.image.DamagedImageException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.IntStream;

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

    private static final Result.Kind[] RESULT_KINDS = Result.Kind.values();

    private final ReplayLane[] lanes;
    private final BucketMap buckets;
    private final ReplaySchema schema;
    private final Outcomes[] outcomes;
    private final Runnable idle;
    private final ReplayProgress progress;
    private final LogRecords records = new LogRecords();
    private final CommandReplayer commandReplayer = new CommandReplayer();
    private final Deque<InFlight> free = new ArrayDeque<>();
    private final Deque<DataRun> freeRuns = new ArrayDeque<>();
    private final DataRun[] runs;
    private final DataDecoder[] decoders;
    private final RedoBatches[] exchanges;
    private int underWay;
    private long logEnd;
    private long lastId;
    private long transactions;
    private byte[] stateHash;

    /**
     * A replay.
     *
     * @param lanes by partition
     * @param redo by partition, what stores data records
     * @param outcomes by partition, what is told of calls that may come again
     * @param idle called while there is nothing to do but to wait for executors; throws if they can't go on
     */
    public Replay(
            ReplayLane[] lanes,
            BucketMap buckets,
            ReplaySchema schema,
            DataRedo[] redo,
            Outcomes[] outcomes,
            Runnable idle,
            ReplayProgress progress) {
        this.lanes = lanes.clone();
        this.buckets = buckets;
        this.schema = schema;
        this.outcomes = outcomes.clone();
        this.idle = idle;
        this.progress = progress;
        for (int i = 0; i < ReplayLane.UNDER_WAY; i++) {
            free.add(new InFlight(this.lanes));
        }
        for (int i = 0; i < RUNS_PER_LANE * lanes.length; i++) {
            freeRuns.add(new DataRun(redo));
        }
        runs = new DataRun[lanes.length];
        decoders = Arrays.stream(redo).map(DataRedo::newDecoder).toArray(DataDecoder[]::new);
        exchanges = IntStream.range(0, lanes.length).mapToObj(Runs::new).toArray(RedoBatches[]::new);
    }

    /** What a lane's decoder does with its batches. */
    private final class Runs implements RedoBatches {
        private final int lane;

        Runs(int lane) {
            this.lane = lane;
        }

        @Override
        public RedoBatch exchange(RedoBatch full) {
            sendRun(lane);
            return beginRun(lane);
        }

        @Override
        public RedoBatch drain(RedoBatch last) {
            sendRuns();
            awaitWhatIsUnderWay();
            return beginRun(lane);
        }
    }

    /** Replays all that the reader gives. */
    public void run(LogReader reader) {
        long from = reader.position();
        logEnd = reader.end();
        try (LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    lastId = Math.max(lastId, records.transactionId());
                    replay();
                    if (records.hasCaller()) {
                        remember();
                    }
                }
                wakeAll();
                collect();
                progress.replayed(frame.endPosition() - from, reader.end() - from, transactions);
            }
        }
        awaitAll();
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

    private void replay() {
        switch (records.kind()) {
            case COMMAND -> command();
            case DATA -> data();
            case CATALOG -> catalog();
            case SNAPSHOT_BEGIN -> {}
            case STATE_HASH -> stateHash = payload();
            default ->
                throw new IllegalStateException("the log has a record of kind " + records.kind() + " at position "
                        + records.framePosition() + ", which this version does not replay");
        }
    }

    /**
     * Executors remember nothing of their own here, as what they run again has no caller. A transaction that was not confined
     * to a bucket is remembered everywhere: where it would come again depends on the number of partitions.
     */
    private void remember() {
        if (records.bucket() >= 0) {
            remember(outcomes[buckets.partition(records.bucket())]);
            return;
        }
        for (Outcomes each : outcomes) {
            remember(each);
        }
    }

    private void remember(Outcomes at) {
        at.remember(
                records.client(),
                records.sequence(),
                RESULT_KINDS[records.resultKind()],
                records.resultWord(),
                TransactionId.epochMicros(records.transactionId()));
    }

    private void command() {
        stateHash = null;
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
        transactions++;
        send(inFlight, records.transactionId());
    }

    private void send(InFlight inFlight, long transactionId) {
        Invocation invocation = inFlight.invocation();
        invocation.stamp(transactionId);
        int participants = invocation.participantCount();
        for (int i = 0; i < participants; i++) {
            settle(invocation.participant(i));
            sendRun(invocation.participant(i));
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
        stateHash = null;
        transactions++;
        if (records.bucket() >= 0) {
            decode(buckets.partition(records.bucket()));
            return;
        }
        for (int lane = 0; lane < lanes.length; lane++) {
            decode(lane);
        }
    }

    private void decode(int lane) {
        if (runs[lane] == null) {
            beginRun(lane);
        }
        try {
            decoders[lane].decode(
                    records.transactionId(),
                    records.memory(),
                    records.payload(),
                    records.payloadBytes(),
                    runs[lane].batch(),
                    exchanges[lane]);
        } catch (DamagedImageException e) {
            // What an executor finds out about earlier records goes before it.
            awaitAll();
            throw diverged(
                    records.transactionId(),
                    records.framePosition(),
                    "data record",
                    "it can't be read: " + e.getMessage());
        }
    }

    private RedoBatch beginRun(int lane) {
        while (freeRuns.isEmpty()) {
            await();
        }
        runs[lane] = freeRuns.poll();
        return runs[lane].begin(records.framePosition(), logEnd);
    }

    /** What the lane's executor does next isn't the decoder's. */
    private void settle(int lane) {
        if (decoders[lane].isPlacing()) {
            decoders[lane].settle(runs[lane] == null ? beginRun(lane) : runs[lane].batch(), exchanges[lane]);
        }
    }

    private void sendRuns() {
        for (int lane = 0; lane < runs.length; lane++) {
            sendRun(lane);
        }
    }

    private void sendRun(int lane) {
        DataRun run = runs[lane];
        if (run == null) {
            return;
        }
        runs[lane] = null;
        InFlight inFlight = acquire();
        Invocation invocation = inFlight.invocation();
        invocation.prepare(run, inFlight, 0);
        invocation.clearParticipants();
        invocation.addParticipant(lane);
        invocation.stamp(TransactionId.of(TransactionId.EPOCH_MICROS, 0));
        inFlight.expectSuccess(run.firstPosition());
        underWay++;
        offer(lane, invocation);
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
        sendRuns();
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
                    run.batch().clear();
                    freeRuns.push(run);
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
        freeRuns.forEach(DataRun::close);
        for (DataRun run : runs) {
            if (run != null) {
                run.close();
            }
        }
    }
}

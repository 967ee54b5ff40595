package io.reprise.cluster.transaction;

import io.reprise.cluster.replica.Replica;
import io.reprise.id.TransactionId;
import io.reprise.runtime.time.Clock;
import java.util.List;

/**
 * One leadership of a partition: its volatile state, which ends with it, and the parts that work on it.
 *
 * <p>Owned by the thread of the partition's {@link TransactionSite}.
 */
final class Leading {
    final int partition;
    final long term;
    final Replica replica;
    final TransactionState state;
    final PartitionStore store;
    final TransactionSettings settings;
    final Telling telling;
    final Executor executor;
    final Coordinator coordinator;
    final Enquiry enquiry;

    private final Network network;
    private final Clock clock;
    private final long[] fence;
    private final RecordForm form;

    /** The highest id that has run here. */
    private long ran;

    /** The highest id that this leader has stamped or proposed. */
    private long stamped;

    /** The index of the last record whose force a transaction over partitions awaits. */
    private long awaited;

    Leading(
            int partition,
            Replica replica,
            TransactionState state,
            PartitionStore store,
            TransactionSettings settings,
            RecordForm form,
            Network network,
            Clock clock) {
        this.form = form;
        this.partition = partition;
        term = replica.term();
        this.replica = replica;
        this.state = state;
        this.store = store;
        this.settings = settings;
        this.network = network;
        this.clock = clock;
        fence = new long[network.partitions()];
        for (int i = 0; i < fence.length; i++) {
            fence[i] = network.term(i);
        }
        ran = Math.max(state.lastId(), store.lastId());
        telling = new Telling(this);
        executor = new Executor(this);
        coordinator = new Coordinator(this);
        enquiry = new Enquiry(this);
        executor.takeOpenPart();
        coordinator.takeCommitted();
    }

    boolean holds(TransactionRule rule) {
        return settings.holds(rule);
    }

    /** The newest known term of a partition. */
    long termOf(int other) {
        return other == partition ? term : network.term(other);
    }

    // ---- Records

    long propose(TransactionRecord record) {
        state.own(true);
        try {
            long index = replica.propose(form.payload(record, state));
            if (isAwaited(record)) {
                awaited = index;
            }
            return index;
        } finally {
            state.own(false);
        }
    }

    /** A vote awaits the force of a part, and callers await that of a commit. The other records may be forced later. */
    private static boolean isAwaited(TransactionRecord record) {
        return record instanceof TransactionRecord.Part
                || record instanceof TransactionRecord.Decision decision && decision.commit();
    }

    /** The index of the last record whose force a transaction over partitions awaits, or 0. */
    long awaited() {
        return awaited;
    }

    // ---- Ids

    long ran() {
        return Math.max(ran, store.lastId());
    }

    void ran(long id) {
        ran = Math.max(ran, id);
        stamped = Math.max(stamped, id);
    }

    /** A new id with this partition's number, above all that it knows. */
    long stamp(long above) {
        return stamp(above, partition);
    }

    /** The last of so many new ids that follow each other. */
    long stampSeveral(long above, int count) {
        return stampAhead(above, count, 0);
    }

    /** The same, ahead of the clock by some time. */
    long stampAhead(long above, int count, long aheadMicros) {
        stamped = TransactionId.plus(stamp(above, partition, aheadMicros), count - 1);
        return stamped;
    }

    long stamp(long above, int initiator) {
        return stamp(above, initiator, 0);
    }

    private long stamp(long above, int initiator, long aheadMicros) {
        long highest = Math.max(Math.max(above, ran()), Math.max(stamped, executor.highestReserved()));
        stamped = TransactionId.nextOfCoordinator(highest, clock.epochMicros() + aheadMicros, initiator);
        return stamped;
    }

    /** The time until the clock reaches an id, in microseconds; not positive if it has. */
    long microsUntil(long id) {
        return TransactionId.epochMicros(id) - clock.epochMicros();
    }

    /** A new id below a reservation, or -1 if there is no room. */
    long stampBelow(long reserved) {
        long id = TransactionId.next(ran, clock.epochMicros(), partition);
        if (id >= reserved) {
            id = TransactionId.next(ran, TransactionId.epochMicros(ran), partition);
        }
        return id < reserved ? id : -1;
    }

    // ---- Messages

    void send(int to, TransactionMessage message) {
        network.send(this, to, termOf(to), message);
    }

    void sendTo(int to, long toTerm, TransactionMessage message) {
        network.send(this, to, toTerm, message);
    }

    void receive(TransactionMessage.Envelope envelope, long nowNs) {
        if (envelope.fromTerm() < fence[envelope.from()] && holds(TransactionRule.FENCE)) {
            return;
        }
        int from = envelope.from();
        fence[from] = Math.max(fence[from], envelope.fromTerm());
        switch (envelope.message()) {
            case TransactionMessage.Reserve reserve -> executor.reserve(reserve, nowNs);
            case TransactionMessage.Move move -> executor.move(move);
            case TransactionMessage.Execute execute -> executor.execute(execute);
            case TransactionMessage.Prepare prepare -> executor.prepare(prepare);
            case TransactionMessage.Finish finish -> executor.finish(finish);
            case TransactionMessage.Decide decide -> executor.decide(decide);
            case TransactionMessage.StableAll all -> telling.stableAll(all.name());
            case TransactionMessage.Ask ask -> enquiry.asked(from, ask.name());
            case TransactionMessage.Answer answer -> enquiry.answered(from, answer);
            case TransactionMessage.Stable stable -> coordinator.stable(from, stable);
            default -> coordinator.receive(from, envelope.fromTerm(), envelope.message(), nowNs);
        }
    }

    /** The transactions under way, for a person. */
    List<String> describe() {
        List<String> lines = executor.describe();
        lines.addAll(coordinator.describe());
        lines.addAll(telling.describe());
        return lines;
    }

    int step(long nowNs) {
        if (!store.isAvailable()) {
            return 0;
        }
        // Each step may fill the log's ring.
        int work = executor.step(nowNs);
        work += store.isAvailable() ? coordinator.step(nowNs) : 0;
        work += store.isAvailable() ? enquiry.step(nowNs) : 0;
        return store.isAvailable() ? work + telling.step(nowNs) : work;
    }
}

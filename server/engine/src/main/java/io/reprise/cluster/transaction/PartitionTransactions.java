package io.reprise.cluster.transaction;

import io.reprise.cluster.replica.Replica;
import io.reprise.cluster.replica.WholeState;
import io.reprise.runtime.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The transactions of one partition at one node. Calls are taken while this node leads the partition.
 *
 * <p>Owned by the thread of the partition's {@link TransactionSite}.
 */
public final class PartitionTransactions {
    private final int partition;
    private final PartitionStore store;
    private final TransactionState state;
    private final TransactionSettings settings;
    private final RecordForm form;
    private final Clock clock;
    private Replica replica;
    private Network network;
    private Leading leading;

    /** The transactions of a partition whose rows are in a store. */
    public PartitionTransactions(int partition, PartitionStore store, TransactionSettings settings, Clock clock) {
        this(
                partition,
                store,
                new TransactionState(partition, store),
                settings,
                (record, before) -> record.encode(),
                clock);
    }

    /** The same behind records that a log had before, in a form of the log's own. */
    public PartitionTransactions(
            int partition,
            PartitionStore store,
            TransactionState state,
            TransactionSettings settings,
            RecordForm form,
            Clock clock) {
        this.partition = partition;
        this.store = store;
        this.settings = settings;
        this.form = form;
        this.clock = clock;
        this.state = state;
        state.attach(store);
    }

    /** The state that a replica's records make. */
    public WholeState machine() {
        return state;
    }

    /** Attaches the replica, which is null if this node holds none. */
    void attach(Replica of, Network ofNode) {
        replica = of;
        network = ofNode;
    }

    /** The present leadership, or null. */
    Leading leading() {
        return leading;
    }

    /** The partition's number. */
    public int partition() {
        return partition;
    }

    // ---- What the partition's owner asks

    /** Whether a transaction over partitions holds the partition, so that nothing else may run. */
    public boolean isHeld() {
        return leading != null && leading.executor.isHolding();
    }

    /** The lowest id that is reserved here: nothing above it may run before. The highest number if none is. */
    public long lowestReserved() {
        return leading == null ? Long.MAX_VALUE : leading.executor.lowestReserved();
    }

    /** Replies may be told that need nothing behind this index, as far as other partitions decide it. */
    public long tellable() {
        return leading == null ? Long.MAX_VALUE : leading.telling.limit();
    }

    /** The index of the last record whose force a transaction over partitions awaits, or 0. */
    public long awaited() {
        return leading == null ? 0 : leading.awaited();
    }

    // ---- Calls

    /** Whether this node leads the partition. */
    public boolean isServing() {
        return leading != null && isLeading();
    }

    /** Runs work at this partition alone. */
    public void call(byte[] work, boolean isRead, Reply reply) {
        serving().executor.call(new LocalCall(work, isRead, reply));
    }

    /** Runs a procedure of several rounds over partitions, which are held meanwhile. */
    public void run(Procedure procedure, TreeSet<Integer> participants, boolean isRead, Reply reply, long nowNs) {
        requireHome(participants);
        int[] sorted = participants.stream().mapToInt(Integer::intValue).toArray();
        serving().coordinator.run(procedure, sorted, isRead, reply, nowNs);
    }

    private void requireHome(Set<Integer> participants) {
        if (!participants.contains(partition)) {
            throw new IllegalArgumentException(
                    "partition " + partition + " coordinates only what it takes part in, not " + participants);
        }
    }

    private Leading serving() {
        if (!isServing()) {
            throw new IllegalStateException("partition " + partition + " is not served here");
        }
        return leading;
    }

    // ---- The agent

    private boolean isLeading() {
        return replica.role() == Replica.Role.LEADER && replica.term() == leading.term;
    }

    int step(long nowNs) {
        if (replica == null) {
            return 0;
        }
        int work = 0;
        if (leading != null && !isLeading()) {
            end();
            work++;
        }
        if (leading == null && replica.role() == Replica.Role.LEADER && store.isAvailable() && isReady()) {
            leading = new Leading(partition, replica, state, store, settings, form, network, clock);
            work++;
        }
        return leading == null ? work : work + leading.step(nowNs);
    }

    private boolean isReady() {
        return state.open() == null || store.isReadyFor(state.open().effects());
    }

    private void end() {
        Leading ended = leading;
        leading = null;
        store.undo();
        state.holds(false);
        ended.coordinator.end();
        ended.executor.end();
        ended.telling.end();
    }

    /** Whether a message can be received: the rows are here, and the log has room for the records that it causes. */
    boolean isReachable() {
        return leading == null || store.isAvailable();
    }

    void receive(TransactionMessage.Envelope envelope, long nowNs) {
        if (leading != null && isLeading() && envelope.toTerm() == leading.term) {
            leading.receive(envelope, nowNs);
        }
    }

    /** Whether nothing is reserved, held, coordinated or waits to be stable. */
    public boolean isQuiet() {
        return leading != null && leading.describe().isEmpty() && state.open() == null;
    }

    @Override
    public String toString() {
        List<String> lines = leading == null ? List.of() : leading.describe();
        return "partition " + partition + " " + lines;
    }
}

package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.storage.PartitionStore;
import java.util.List;

/**
 * A partition as running transactions see it: its store, and, for a transaction that this partition's thread runs over
 * several partitions, what it was lent. Owned by its executor's thread, or by the one it is lent to.
 */
public final class Partition {
    private final int id;
    private final int slot;
    private final int site;
    private final PartitionStore store;
    private final RunMonitor monitor = new RunMonitor(LoopBrake.INSTANCE);
    private final RunMonitor unwatched = new RunMonitor(LoopBrake.INSTANCE);
    private final Lent lent;
    private final LocalPartitions peers;
    private final Outcomes outcomes = new Outcomes();
    private long committed;
    private long aborted;

    /** The partitions of a node by slot, over their stores, with a site for each. */
    public static List<Partition> over(List<PartitionStore> stores) {
        return over(stores, SiteLayout.oneEach(stores.size()));
    }

    /** The partitions of a node by slot, over their stores. */
    public static List<Partition> over(List<PartitionStore> stores, SiteLayout layout) {
        return new LocalPartitions(stores, layout).all();
    }

    /** A partition among its peers, which are complete before any transaction runs. */
    Partition(int slot, PartitionStore store, LocalPartitions peers) {
        this.id = store.options().partition();
        this.slot = slot;
        this.site = peers.layout().siteOf(slot);
        this.store = store;
        this.peers = peers;
        this.lent = new Lent(peers);
    }

    /** Its id in the cluster, see {@link io.reprise.id.PartitionId}. */
    public int id() {
        return id;
    }

    /** Its place among the partitions of its node. */
    public int slot() {
        return slot;
    }

    /** The site of its node that runs it. */
    public int site() {
        return site;
    }

    /** The partitions of its node. */
    public LocalPartitions peers() {
        return peers;
    }

    /** The partition's store. */
    public PartitionStore store() {
        return store;
    }

    /** The partitions that a transaction run by this partition's thread holds. */
    public Lent lent() {
        return lent;
    }

    /** For the watcher of overdue transactions. */
    public RunMonitor monitor() {
        return monitor;
    }

    /** The monitor that is told of a run of this work: nobody watches the time of the engine's own works. */
    public RunMonitor monitor(Work work) {
        return work.isLimited() ? monitor : unwatched;
    }

    /** Begins an invocation's transaction at this partition. */
    public void begin(Invocation invocation) {
        store.begin(invocation.id());
        store.workMemory().limitResult(invocation.largestResult());
        invocation.confine(store.scope());
    }

    /** After its own part of a query: the rows collected by it are not needed any more. */
    public void beginMerge(Invocation invocation) {
        store.workMemory().begin();
        store.workMemory().limitResult(invocation.largestResult());
    }

    /** The outcomes of calls that may come again. */
    public Outcomes outcomes() {
        return outcomes;
    }

    /**
     * Whether a call was run before, or must not be run because that is not known: then the invocation has its outcome. To be
     * asked by the thread that holds all participants.
     */
    public boolean hasRun(Invocation invocation) {
        if (invocation.sequence() == 0) {
            return false;
        }
        Outcomes known = rememberedAt(invocation);
        return switch (known.find(invocation.client(), invocation.sequence(), invocation.acknowledged())) {
            case NEW -> false;
            case COMMITTED -> {
                answerAgain(known, invocation);
                yield true;
            }
            case FAILED -> {
                invocation.fail(
                        known.foundError(),
                        "the call was made before and failed for the reason that the code tells; it was rolled back, and"
                                + " was not run again");
                yield true;
            }
            case FORGOTTEN -> {
                invocation.fail(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "the call is so old that the server does not know any more whether it was run; it was not run now");
                yield true;
            }
        };
    }

    private static void answerAgain(Outcomes known, Invocation invocation) {
        long word = known.foundWord();
        invocation.ranBefore();
        switch (known.foundKind()) {
            case NOTHING -> invocation.result().nothing();
            case INTEGER -> invocation.result().integer(word);
            case BOOLEAN -> invocation.result().bool(word != 0);
            case DOUBLE -> invocation.result().number(Double.longBitsToDouble(word));
            case STRING, ROWS ->
                invocation.fail(
                        ErrorCode.RESULT_LOST,
                        "the call was made before and committed, but only numbers that calls return are kept: what it"
                                + " returned is lost");
        }
    }

    /**
     * Remembers the outcome of a call that is about to commit or to be rolled back, so that a repetition gets the same answer.
     * Failures are remembered too, because the first attempt may arrive after its repetition; retryable ones are not. Calls
     * of read-only procedures may run again.
     */
    public void remember(Invocation invocation, boolean wrote) {
        if (invocation.sequence() == 0 || invocation.work().readOnly()) {
            return;
        }
        Outcomes known = rememberedAt(invocation);
        long client = invocation.client();
        long sequence = invocation.sequence();
        long transaction = invocation.id();
        Result result = invocation.result();
        if (!invocation.succeeded()) {
            if (!invocation.error().retryable() && !invocation.stale()) {
                known.rememberFailed(client, sequence, invocation.error(), transaction);
            }
        } else if (wrote) {
            known.remember(client, sequence, result.kind(), result.word(), transaction);
        } else {
            known.rememberUnwritten(client, sequence, result.kind(), result.word(), transaction);
        }
    }

    /** A call with several participants is remembered at the first of them, which its arguments tell. */
    private Outcomes rememberedAt(Invocation invocation) {
        return peers.withId(invocation.participant(0)).outcomes;
    }

    /** Counts a transaction that this partition's thread ran. */
    public void count(boolean success) {
        if (success) {
            committed++;
        } else {
            aborted++;
        }
    }

    /** The number of transactions that this partition's thread committed. */
    public long committed() {
        return committed;
    }

    /** The number of transactions that this partition's thread rolled back. */
    public long aborted() {
        return aborted;
    }
}

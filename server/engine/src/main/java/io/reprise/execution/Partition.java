package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.storage.PartitionStore;
import java.util.List;
import java.util.function.Predicate;

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
    private Predicate<Execution> sendBack = execution -> false;
    private PartitionDoubts doubts = PartitionDoubts.NONE;

    /** The reason why its rows are in doubt; null if they are not. */
    private String doubt;

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

    /** Before any transaction: transactions that met a bucket that is not loaded go back to the site's initiator. */
    public void sendBackBy(Predicate<Execution> initiator) {
        sendBack = initiator;
    }

    /** Whether the transaction that has just run here alone needed a bucket that is not loaded. The caller rolls it back. */
    boolean hasMissed(Execution execution) {
        int bucket = store.scope().missed();
        if (bucket >= 0) {
            execution.missed(bucket);
        }
        return bucket >= 0;
    }

    /** Has a rolled back transaction come again when the bucket is loaded that it needed. */
    public void sendBack(Execution execution) {
        if (!sendBack.test(execution)) {
            execution.refuse(
                    ErrorCode.OVERLOADED,
                    "the call needs rows that are not loaded, and too many calls wait; try again later");
        }
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

    /** The monitor for a run of this work. The engine's own works have no time limit. */
    public RunMonitor monitor(Work work) {
        return work.isLimited() ? monitor : unwatched;
    }

    /** Begins an execution's transaction at this partition. */
    public void begin(Execution execution) {
        store.begin(execution.id());
        store.workMemory().limitResult(execution.request().largestResult());
        execution.confine(store.scope());
    }

    /** Goes on with an execution that is a member of a batch, whose transaction has begun at this partition. */
    public void goOn(Execution member) {
        store.goOn(member.id());
        store.workMemory().limitResult(member.request().largestResult());
        member.confine(store.scope());
    }

    /** After its own part of a query: the rows collected by it are not needed any more. */
    public void beginMerge(Execution execution) {
        store.workMemory().begin();
        store.workMemory().limitResult(execution.request().largestResult());
    }

    /** The outcomes of calls that may come again. */
    public Outcomes outcomes() {
        return outcomes;
    }

    /**
     * Whether the call must not run, because it has run before or because that is not known: then the execution has its outcome. To
     * be asked by the thread that holds all participants.
     */
    public boolean hasRun(Execution execution) {
        Request request = execution.request();
        return request.sequence() != 0 && rememberedAt(execution).answer(request, execution.outcome());
    }

    /**
     * Remembers the outcome of a call that is about to commit or to be rolled back, so that a repetition gets the same answer. Calls
     * of read-only procedures may run again.
     */
    public void remember(Execution execution, boolean wrote) {
        Request request = execution.request();
        if (request.sequence() != 0 && !execution.work().readOnly()) {
            rememberedAt(execution).remember(request, execution.outcome(), wrote, execution.id());
        }
    }

    /** A call with several participants is remembered at one of them, which its arguments tell. */
    private Outcomes rememberedAt(Execution execution) {
        return peers.withId(execution.coordinator()).outcomes;
    }

    /** Before any transaction: a failure of the engine in this partition is told there, and does not end the engine. */
    public void tellDoubtsTo(PartitionDoubts keeper) {
        doubts = keeper;
    }

    /** The reason why its rows are in doubt; null if they are not. */
    public String doubt() {
        return doubt;
    }

    /** It is empty, so none of its rows is in doubt any more. */
    public void trust() {
        if (doubt != null) {
            doubt = null;
            doubts.end(this);
        }
    }

    /** Whether a work must not run here, because it would meet rows that are in doubt. */
    public boolean isInDoubtFor(Work work) {
        return doubt != null && work.needsRows();
    }

    /**
     * A failure of the engine itself has left the rows in doubt. Returns false if no rebuild can make them anew: then the failure ends the
     * engine.
     */
    boolean doubtFor(Throwable failure) {
        if (!doubts.canBegin()) {
            return false;
        }
        store.abandon();
        if (doubt == null) {
            doubt = "the rows of partition " + id + " are in doubt, and are rebuilt: " + failure;
            doubts.begin(this, failure);
        }
        return true;
    }

    /** Makes the running transaction's writes permanent. It is in the log by now, so after a failure a rebuild makes them anew. */
    public void commit() {
        try {
            store.commit();
        } catch (Throwable failure) {
            if (!doubtFor(failure)) {
                throw failure;
            }
        }
    }

    /** Undoes the running transaction's writes, or forgets them where the rows are in doubt. */
    public void rollback() {
        if (doubt != null) {
            store.abandon();
            return;
        }
        try {
            store.rollback();
        } catch (Throwable failure) {
            if (!doubtFor(failure)) {
                throw failure;
            }
        }
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

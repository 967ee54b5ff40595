package io.reprise.engine;

import io.reprise.execution.Partition;
import io.reprise.execution.PartitionDoubts;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.runtime.metric.Counter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has partitions rebuilt that a failure of the engine has left in doubt, without an operator. A partition is rebuilt at most
 * {@value #MOST} times an hour, at once, after 10 and after 100 seconds, so that a call that breaks it each time does not keep the node busy.
 *
 * <pre>
 *  serves --failure--> in doubt: refuses calls --pause--> rebuild: calls wait --emptied and filled--> serves
 *                         ^  |                              |
 *                         |  +--{@value #MOST} within an hour--> given up until the hour has passed, or an operator rebuilds it
 *                         +----------failed-----------------+
 * </pre>
 *
 * <p>Stepped by the rebuild's thread. Doubts begin and end on the threads that hold the partitions; counts may be read by any.
 */
public final class AutomaticRebuild implements PartitionDoubts {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final int MOST = 3;
    private static final long WINDOW_NS = 3_600_000_000_000L;
    private static final long SECOND_NS = 1_000_000_000;
    private static final long LOOK_NS = 10_000_000;

    private final BooleanSupplier possible;
    private final Supplier<Optional<RebuildStats.State>> present;
    private final IntFunction<CompletableFuture<RebuildReport>> rebuild;
    private final Runnable wake;
    private final AtomicReferenceArray<String> doubts;
    private final int[] ids;
    private final List<Deque<Long>> begins = new ArrayList<>();
    private final boolean[] givenUp;
    private final Counter succeeded = new Counter();
    private final Counter failed = new Counter();
    private final Counter leftToOperator = new Counter();
    private CompletableFuture<RebuildReport> underWay;
    private int slot;
    private long nextLookNs = Long.MIN_VALUE;

    /**
     * The counts of automatic rebuilds.
     *
     * @param succeeded rebuilds after which the partition serves
     * @param failed rebuilds that failed
     * @param inDoubt partitions that refuse calls
     * @param givenUp those of them that had too many rebuilds within an hour
     */
    public record Counts(long succeeded, long failed, long inDoubt, long givenUp) {}

    /**
     * No doubt yet.
     *
     * @param partitions the ids of the partitions by slot
     * @param possible whether a rebuild could begin; on any thread
     * @param present the rebuild under way, or one that has left buckets that do not serve
     * @param rebuild begins the rebuild of a partition; null if rows are exchanged elsewhere, so that it has to wait
     * @param wake wakes the thread that steps this
     */
    AutomaticRebuild(
            int[] partitions,
            BooleanSupplier possible,
            Supplier<Optional<RebuildStats.State>> present,
            IntFunction<CompletableFuture<RebuildReport>> rebuild,
            Runnable wake) {
        ids = partitions.clone();
        this.possible = possible;
        this.present = present;
        this.rebuild = rebuild;
        this.wake = wake;
        doubts = new AtomicReferenceArray<>(ids.length);
        givenUp = new boolean[ids.length];
        for (int i = 0; i < ids.length; i++) {
            begins.add(new ArrayDeque<>());
        }
    }

    @Override
    public boolean canBegin() {
        return possible.getAsBoolean();
    }

    @Override
    public void begin(Partition partition, Throwable failure) {
        LOG.error("The rows of partition {} are in doubt after a failure of the engine", partition.id(), failure);
        doubts.set(partition.slot(), String.valueOf(failure));
        wake.run();
    }

    @Override
    public void end(Partition partition) {
        doubts.set(partition.slot(), null);
    }

    /** Begins a rebuild that is due, or ends one. Returns how much was done. */
    int step(long nowNs) {
        if (underWay != null) {
            return underWay.isDone() ? ended() : 0;
        }
        if (nextLookNs != Long.MIN_VALUE && nowNs < nextLookNs) {
            return 0;
        }
        nextLookNs = nowNs + LOOK_NS;
        RebuildStats.State now = present.get().orElse(null);
        if (now != null && now.failed() == 0) {
            return 0;
        }
        for (int each = 0; each < ids.length; each++) {
            // A rebuild that failed late has left an empty partition, which is in doubt no more but lacks buckets.
            if (doubts.get(each) == null && (now == null || now.partition() != ids[each])) {
                endGivingUp(each);
            } else if (isDue(each, nowNs) && begin(each, nowNs)) {
                return 1;
            }
        }
        return 0;
    }

    private boolean isDue(int each, long nowNs) {
        Deque<Long> of = begins.get(each);
        while (!of.isEmpty() && nowNs - of.getFirst() >= WINDOW_NS) {
            of.removeFirst();
        }
        if (of.size() == MOST) {
            giveUp(each);
            return false;
        }
        endGivingUp(each);
        return of.isEmpty() || nowNs - of.getLast() >= pauseNs(of.size());
    }

    private static long pauseNs(int before) {
        return (before == 1 ? 10 : 100) * SECOND_NS;
    }

    private void giveUp(int each) {
        if (givenUp[each]) {
            return;
        }
        givenUp[each] = true;
        leftToOperator.increment();
        LOG.error(
                "Partition {} does not serve after {} rebuilds within an hour: {}. Its calls are refused until the hour has passed;"
                        + " find the call that breaks it, or look at the disk, then run \"reprise rebuild --partition {}\"",
                ids[each],
                MOST,
                doubts.get(each) == null ? "the last one failed" : doubts.get(each),
                ids[each]);
    }

    private void endGivingUp(int each) {
        if (givenUp[each]) {
            givenUp[each] = false;
            leftToOperator.add(-1);
        }
    }

    private boolean begin(int each, long nowNs) {
        underWay = rebuild.apply(ids[each]);
        if (underWay == null) {
            return false;
        }
        slot = each;
        begins.get(each).addLast(nowNs);
        return true;
    }

    private int ended() {
        if (underWay.isCompletedExceptionally()) {
            failed.increment();
            LOG.warn(
                    "The rebuild of partition {} without an operator has failed: {}",
                    ids[slot],
                    underWay.exceptionNow().getMessage());
        } else {
            succeeded.increment();
        }
        underWay = null;
        return 1;
    }

    /** Any thread: the rebuilds so far, and the partitions that refuse calls. */
    public Counts counts() {
        int inDoubt = 0;
        for (int each = 0; each < ids.length; each++) {
            inDoubt += doubts.get(each) == null ? 0 : 1;
        }
        return new Counts(succeeded.get(), failed.get(), inDoubt, leftToOperator.get());
    }
}

package io.reprise.engine;

import io.reprise.runtime.metric.Counter;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for repairs of buckets that could not be loaded, without an operator. Bounded in three ways: a bucket is tried {@value #MOST_ATTEMPTS}
 * times with growing pauses, one repair is under way at a time, and a repair is followed by a rest of {@value #REST} times its length.
 *
 * <pre>
 *  damaged --pause--> under way --succeeded--> serves
 *                         |  ^
 *                       failed, pause * {@value #GROWTH} --last attempt--> given up: an operator has to repair it
 * </pre>
 *
 * <p>Owned by the repair's thread; counts may be read by any.
 */
public final class AutomaticRepair {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final int MOST_ATTEMPTS = 3;
    private static final int GROWTH = 10;
    private static final int REST = 4;
    private static final long FIRST_PAUSE_NS = 1_000_000_000;
    private static final long LOOK_NS = 100_000_000;

    private final Supplier<Set<Integer>> damaged;
    private final IntFunction<CompletableFuture<RepairReport>> repair;
    private final Map<Integer, Attempts> attempts = new TreeMap<>();
    private final Counter succeeded = new Counter();
    private final Counter failed = new Counter();
    private final Counter givenUp = new Counter();
    private CompletableFuture<RepairReport> underWay;
    private long beganNs;
    private long nextLookNs = Long.MIN_VALUE;

    private static final class Attempts {
        private int count;
        private long pauseNs = FIRST_PAUSE_NS;
        private long dueNs;

        private Attempts(long nowNs) {
            dueNs = nowNs + pauseNs;
        }
    }

    /**
     * The counts of automatic repairs.
     *
     * @param succeeded repairs whose buckets serve
     * @param failed repairs that failed
     * @param givenUp buckets that are left to an operator
     */
    public record Counts(long succeeded, long failed, long givenUp) {}

    /**
     * No repair yet.
     *
     * @param damaged the buckets that are refused to calls
     * @param repair begins the repair of a bucket; null if a partition is being rebuilt
     */
    AutomaticRepair(Supplier<Set<Integer>> damaged, IntFunction<CompletableFuture<RepairReport>> repair) {
        this.damaged = damaged;
        this.repair = repair;
    }

    /** Begins a repair that is due, or ends one. Returns how much was done. */
    int step(long nowNs) {
        if (underWay != null) {
            return underWay.isDone() ? end(underWay.join(), nowNs) : 0;
        }
        if (nextLookNs != Long.MIN_VALUE && nowNs < nextLookNs) {
            return 0;
        }
        nextLookNs = nowNs + LOOK_NS;
        Set<Integer> now = damaged.get();
        forgetRepaired(now);
        for (int bucket : now) {
            Attempts of = attempts.computeIfAbsent(bucket, key -> new Attempts(nowNs));
            if (of.count < MOST_ATTEMPTS && nowNs >= of.dueNs) {
                return begin(bucket, nowNs);
            }
        }
        return 0;
    }

    private void forgetRepaired(Set<Integer> now) {
        Iterator<Map.Entry<Integer, Attempts>> known = attempts.entrySet().iterator();
        while (known.hasNext()) {
            Map.Entry<Integer, Attempts> each = known.next();
            if (!now.contains(each.getKey())) {
                givenUp.add(each.getValue().count == MOST_ATTEMPTS ? -1 : 0);
                known.remove();
            }
        }
    }

    private int begin(int bucket, long nowNs) {
        underWay = repair.apply(bucket);
        if (underWay == null) {
            return 0;
        }
        LOG.warn("Bucket {} is damaged, so it is repaired from a snapshot and the log", bucket);
        beganNs = nowNs;
        return 1;
    }

    private int end(RepairReport report, long nowNs) {
        underWay = null;
        nextLookNs = nowNs + REST * (nowNs - beganNs);
        Attempts of = attempts.get(report.bucket());
        if (report.succeeded()) {
            succeeded.increment();
            attempts.remove(report.bucket());
            return 1;
        }
        failed.increment();
        of.count++;
        of.pauseNs *= GROWTH;
        of.dueNs = nowNs + of.pauseNs;
        if (of.count == MOST_ATTEMPTS) {
            givenUp.increment();
            LOG.error(
                    "Bucket {} was not repaired in {} attempts: {}. Its calls are refused; look at the disk, then run"
                            + " \"reprise repair --bucket {}\" or restart the node",
                    report.bucket(),
                    MOST_ATTEMPTS,
                    report.problem(),
                    report.bucket());
        } else {
            LOG.warn(
                    "Bucket {} could not be repaired: {}. It is tried again in {} s",
                    report.bucket(),
                    report.problem(),
                    of.pauseNs / 1_000_000_000);
        }
        return 1;
    }

    /** Any thread: the repairs so far, and the buckets that are left to an operator. */
    Counts counts() {
        return new Counts(succeeded.get(), failed.get(), givenUp.get());
    }
}

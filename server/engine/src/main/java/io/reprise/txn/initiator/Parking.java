package io.reprise.txn.initiator;

import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
import io.reprise.procedure.ErrorCode;
import io.reprise.recovery.demand.LoadProxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.function.IntPredicate;

/**
 * The calls of an initiator that wait, unstamped, for buckets to be loaded. A call that is confined to buckets waits for these, any other one
 * for all. Calls of one bucket keep their order. A call of a bucket that can't be loaded is refused.
 *
 * <p>Owned by the initiator's thread.
 */
public final class Parking {
    private static final int MOST = 4096;

    /** A call that has met so many buckets that were not loaded waits for all. */
    private static final int MOST_MISSES = 3;

    private static final byte READY = 1;
    private static final byte FAILED = 2;

    private final LoadProxy loads;
    private final byte[] states;
    private final boolean[] asked;

    /** By bucket, the calls that wait for it; null where there are none. Behind the last bucket those that wait for all. */
    private final Deque<Execution>[] waiting;

    /** Calls to be looked at again. */
    private final Deque<Execution> again = new ArrayDeque<>();

    /** Tells of a bucket that is repaired; null if there was none. */
    private LoadProxy repairs;

    private int missing;
    private int failedBucket = -1;

    /** By bucket, why it can't be loaded. */
    private final String[] problems;

    /** Whether transactions that meet a bucket that is not loaded come again. */
    private boolean requeues;

    /** In a cluster, whether this node serves a partition now; calls of others do not wait. */
    private IntPredicate serves = partition -> true;

    private boolean inCluster;
    private int size;
    private int parkedSize;
    private boolean askedForAll;

    /** No calls, and no bucket is loaded yet. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public Parking(LoadProxy loads) {
        this.loads = loads;
        missing = loads.buckets();
        states = new byte[missing];
        asked = new boolean[missing];
        waiting = new Deque[missing + 1];
        problems = new String[missing];
    }

    /**
     * Lets in calls that are confined to no buckets, but all of whose statements bind one: partitions send them back if it is not loaded.
     */
    public Parking requeueing() {
        requeues = true;
        return this;
    }

    /** Lets in calls of partitions that this node of a cluster does not serve: their executors refuse them. */
    public Parking inCluster(IntPredicate isServed) {
        inCluster = true;
        serves = isServed;
        return this;
    }

    /** No calls, and all buckets are loaded. */
    static Parking ofLoaded(LoadProxy repairs) {
        Parking parking = new Parking(repairs);
        Arrays.fill(parking.states, READY);
        Arrays.fill(parking.asked, true);
        parking.askedForAll = true;
        parking.missing = 0;
        return parking;
    }

    /** From now on calls of a bucket wait until the proxy tells of it. */
    void park(int bucket, LoadProxy proxy) {
        repairs = proxy;
        requeues = false;
        missing += states[bucket] == READY ? 1 : 0;
        states[bucket] = 0;
        asked[bucket] = true;
        problems[bucket] = null;
        findFailed();
    }

    private void findFailed() {
        failedBucket = -1;
        for (int i = 0; i < states.length && failedBucket < 0; i++) {
            failedBucket = states[i] == FAILED ? i : -1;
        }
    }

    /** Looks at a call that was let in before. */
    void lookAgainAt(Execution execution) {
        again.add(execution);
    }

    /**
     * No calls, and some buckets are fenced until they are rebuilt.
     *
     * @param before the parking of the same initiator until now, which has no bucket left that is being loaded; or null
     */
    Parking(LoadProxy loads, BitSet fenced, Parking before) {
        this(loads);
        for (int bucket = 0; bucket < states.length; bucket++) {
            if (fenced.get(bucket)) {
                continue;
            }
            if (before != null && before.states[bucket] == FAILED) {
                states[bucket] = FAILED;
                failedBucket = bucket;
                problems[bucket] = before.problems[bucket];
            } else {
                states[bucket] = READY;
                missing--;
            }
        }
        if (before != null) {
            for (int place = 0; place < before.waiting.length; place++) {
                before.lookAgain(place);
            }
            again.addAll(before.again);
        }
    }

    /** Learns which buckets have been loaded since. */
    void update() {
        update(loads);
        if (repairs != null && repairs != loads) {
            update(repairs);
        }
    }

    private void update(LoadProxy from) {
        for (LoadProxy.News news = from.poll(); news != null; news = from.poll()) {
            int bucket = news.bucket();
            problems[bucket] = news.problem();
            if (news.problem() == null) {
                if (requeues && missing == states.length) {
                    lookAgain(states.length);
                }
                missing -= states[bucket] == READY ? 0 : 1;
                states[bucket] = READY;
            } else {
                states[bucket] = FAILED;
                failedBucket = bucket;
                lookAgain(states.length);
            }
            lookAgain(bucket);
            if (missing == 0) {
                lookAgain(states.length);
            }
        }
    }

    private void lookAgain(int place) {
        if (waiting[place] != null) {
            parkedSize -= waiting[place].size();
            again.addAll(waiting[place]);
            waiting[place] = null;
        }
    }

    /** The next call whose buckets have come, or null. */
    Execution poll() {
        while (!again.isEmpty()) {
            Execution execution = again.poll();
            if (admits(execution)) {
                return execution;
            }
        }
        return null;
    }

    /** Whether all buckets are loaded and no call waits. */
    boolean isOver() {
        return missing == 0 && again.isEmpty();
    }

    /** The number of waiting calls. */
    int size() {
        return size;
    }

    /** Whether a call may be stamped. Otherwise it waits here, or has been refused. */
    boolean admits(Execution execution) {
        if (!execution.work().needsRows() || isElsewhere(execution)) {
            return true;
        }
        int place = execution.isConfined() ? missingBucket(execution) : missing == 0 ? -1 : missedBucket(execution);
        if (place < 0) {
            loads.countAdmitted();
            size = parkedSize + again.size();
            return true;
        }
        if (place == states.length ? failedBucket >= 0 : states[place] == FAILED) {
            refuse(execution, place == states.length ? failedBucket : place);
        } else {
            park(execution, place);
        }
        size = parkedSize + again.size();
        return false;
    }

    private boolean isElsewhere(Execution execution) {
        return inCluster && !(execution.work() instanceof EngineWork) && !serves.test(execution.participant(0));
    }

    /** Whether a call that is confined to no buckets needs not wait for all. */
    private boolean mayMiss(Execution execution) {
        return requeues && execution.work().bindsBuckets() && execution.misses() < MOST_MISSES;
    }

    /**
     * The bucket that such a call has met last, if it is not loaded, or -1. Before the first bucket is loaded, logged writes to replicated
     * tables may not have been applied.
     */
    private int missedBucket(Execution execution) {
        if (!mayMiss(execution) || missing == states.length) {
            return states.length;
        }
        int missed = execution.missed();
        return missed < 0 || states[missed] == READY ? -1 : missed;
    }

    /** The first bucket of a call that is not loaded, or -1. */
    private int missingBucket(Execution execution) {
        BucketSet several = execution.buckets();
        if (several == null) {
            int bucket = execution.bucket();
            return states[bucket] == READY ? -1 : bucket;
        }
        for (int i = 0; i < several.size(); i++) {
            if (states[several.get(i)] != READY) {
                return several.get(i);
            }
        }
        return -1;
    }

    private void refuse(Execution execution, int bucket) {
        execution.refuse(
                ErrorCode.PARTITION_UNAVAILABLE,
                "the call needs bucket " + bucket + ", which could not be loaded: " + problems[bucket]
                        + " Other buckets serve. "
                        + (inCluster
                                ? "Restart the node: it then recovers all rows before it serves, from an older snapshot if need"
                                        + " be"
                                : "\"reprise repair --bucket " + bucket
                                        + "\" rebuilds it, from an older snapshot if need be"));
    }

    private void park(Execution execution, int place) {
        if (parkedSize == MOST) {
            execution.refuse(ErrorCode.OVERLOADED, MOST + " calls wait for rows to be loaded; try again later");
            return;
        }
        parkedSize++;
        if (waiting[place] == null) {
            waiting[place] = new ArrayDeque<>();
        }
        waiting[place].add(execution);
        if (place == states.length) {
            if (!askedForAll && !mayMiss(execution)) {
                askedForAll = true;
                loads.want(LoadProxy.ALL);
            }
        } else if (!asked[place]) {
            asked[place] = true;
            loads.want(place);
        }
    }

    /** Refuses all waiting calls, when the engine closes. */
    void refuseAll() {
        for (int place = 0; place < waiting.length; place++) {
            lookAgain(place);
        }
        again.forEach(
                execution -> execution.refuse(ErrorCode.SHUTTING_DOWN, "the engine is closing; the call was not run"));
        again.clear();
    }
}

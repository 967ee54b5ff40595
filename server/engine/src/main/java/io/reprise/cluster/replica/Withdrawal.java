package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import java.util.Collection;
import java.util.function.Predicate;

/**
 * The withdrawal of a site's replicas before their node stops: leaderships go to in-sync followers, then the leaders remove
 * this node from the in-sync sets. So no reply waits for the node after its end.
 *
 * <p>It begins a while after the node has announced itself as leaving. Nodes that stop together know of each other by then,
 * and give each other nothing. A partition whose in-sync members all leave stays as it is. Owned by the group.
 */
final class Withdrawal {
    private static final long LONGEST_INTERVAL_NS = 200_000_000;

    /** From the announcement to the first step, and between requests that are repeated. */
    private final long intervalNs;

    private final Predicate<Member> stays;
    private boolean isLeaving;
    private long seenNs;
    private long askedNs = Long.MIN_VALUE / 2;

    /**
     * A withdrawal that has not begun.
     *
     * @param stays whether a member runs, and is not about to stop
     */
    Withdrawal(ReplicaSettings settings, Predicate<Member> stays) {
        intervalNs = Math.min(settings.heartbeatNs(), LONGEST_INTERVAL_NS);
        this.stays = stays;
    }

    /** Whether the node leaves. */
    boolean isLeaving() {
        return isLeaving;
    }

    /** The node has announced itself as leaving. */
    void begin(long nowNs) {
        if (!isLeaving) {
            isLeaving = true;
            seenNs = nowNs;
        }
    }

    /** Whether it may give up parts in partitions. */
    boolean isUnderWay(long nowNs) {
        return isLeaving && nowNs - seenNs >= intervalNs;
    }

    /** One step for a replica. Returns how much was done. */
    int step(Replica replica, boolean repeats) {
        return switch (replica.role()) {
            case LEADER -> replica.handOver(stays);
            case FOLLOWER -> repeats ? replica.askForRemoval(stays) : 0;
            case OUT, LOADING, JOINING, COLLECTING -> 0;
        };
    }

    /** Whether requests to leaders are due, as their answers may have been lost. */
    boolean repeats(long nowNs) {
        if (nowNs - askedNs < intervalNs) {
            return false;
        }
        askedNs = nowNs;
        return true;
    }

    /** Whether none of the replicas has a part that another node can take over. */
    boolean isOver(Collection<Replica> replicas, long nowNs) {
        if (!isUnderWay(nowNs)) {
            return false;
        }
        for (Replica replica : replicas) {
            if (replica.hasPartFor(stays)) {
                return false;
            }
        }
        return true;
    }
}

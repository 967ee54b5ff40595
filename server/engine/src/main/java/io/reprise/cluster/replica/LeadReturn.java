package io.reprise.cluster.replica;

import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The time at which leads go back to the first holders of their partitions. After failures and starts one node may lead much and another
 * nothing. Leads go back when the same nodes have run, and have heard each other, for ten failure timeouts, and no replica is to move.
 *
 * <p>A cluster that falls ill again behind a return waits twice as long the next time, so that an unsteady link does not make leads go
 * to and fro. Owned by the group.
 */
final class LeadReturn {
    private static final long NEVER = Long.MIN_VALUE;
    private static final int WELL_FAILURES = 10;
    private static final int MOST_PATIENCE = 64;

    private final long wellNs;
    private ClusterView seen;
    private SortedMap<Integer, Long> runs = new TreeMap<>();
    private boolean isWell;
    private long sinceNs = NEVER;
    private long patience = 1;
    private boolean hasReturned;

    LeadReturn(long failureNs) {
        wellNs = WELL_FAILURES * failureNs;
    }

    /** Whether leads may go back. Asked in each step. */
    boolean isDue(ClusterView view, long nowNs) {
        if (view != seen) {
            seen = view;
            take(view);
        }
        if (!isWell) {
            return false;
        }
        if (sinceNs == NEVER) {
            sinceNs = nowNs;
        }
        if (nowNs - sinceNs >= MOST_PATIENCE * wellNs) {
            patience = 1;
        }
        return nowNs - sinceNs >= patience * wellNs;
    }

    /** A lead goes back. */
    void returned() {
        hasReturned = true;
    }

    private void take(ClusterView view) {
        SortedMap<Integer, Long> now = new TreeMap<>();
        view.live().forEach((node, entry) -> now.put(node, entry.incarnation()));
        isWell = isWell(view);
        if (!isWell || !now.equals(runs)) {
            sinceNs = NEVER;
            patience = hasReturned ? Math.min(MOST_PATIENCE, 2 * patience) : patience;
            hasReturned = false;
        }
        runs = now;
    }

    private static boolean isWell(ClusterView view) {
        PartitionMap map = view.map();
        if (map == null || !view.isConnected() || !map.removing().isEmpty()) {
            return false;
        }
        for (NodeEntry entry : view.live().values()) {
            if (entry.leaving() || !entry.unheard().isEmpty()) {
                return false;
            }
        }
        for (Replicas line : map.partitions()) {
            if (line.isMoving()) {
                return false;
            }
        }
        return true;
    }
}

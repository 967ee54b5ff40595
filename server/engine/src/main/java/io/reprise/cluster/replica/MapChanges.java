package io.reprise.cluster.replica;

import io.reprise.cluster.Membership;
import io.reprise.cluster.Membership.Change.Outcome;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.List;

/**
 * A node's changes of the map, one at a time, each a compare-and-set of the whole map (P1). A change whose outcome is unknown is open
 * until a higher version is known, which the same map makes. Owned by the cluster agent.
 */
final class MapChanges {
    private final Membership membership;
    private Membership.Change open;

    /** The request that the open change is for, or null. */
    private MapRequest openRequest;

    private int openVersion;

    MapChanges(Membership membership) {
        this.membership = membership;
    }

    private boolean isConnected() {
        return membership.session() == Membership.Session.CONNECTED;
    }

    /** Finds out what became of the open change. Returns how much was done. */
    int resolve(int version, PartitionMap map) {
        if (open == null) {
            return 0;
        }
        if (version > openVersion) {
            end(version);
            return 1;
        }
        if (open.outcome() == Outcome.UNKNOWN && isConnected()) {
            if (map == null) {
                end(version);
            } else {
                open = membership.replace(openVersion, map.encode());
            }
            return 1;
        }
        return 0;
    }

    private void end(int version) {
        open = null;
        if (openRequest != null) {
            openRequest.close(version);
            openRequest = null;
        }
    }

    /** Begins a change that a group has asked for; closes requests that the map has passed. Returns how much was done. */
    int request(List<ReplicaExchange> exchanges, int version, PartitionMap map) {
        int work = 0;
        for (ReplicaExchange exchange : exchanges) {
            MapRequest posted = exchange.request();
            if (posted == null || posted == openRequest) {
                continue;
            }
            if (!isPossible(posted, map)) {
                posted.close(version);
                work++;
            } else if (open == null) {
                openRequest = posted;
                openVersion = version;
                open = membership.replace(
                        version, map.with(posted.partition(), posted.next()).encode());
                work++;
            }
        }
        return work;
    }

    /** A request that was made for an earlier epoch or goal of its partition is made anew, if it still makes sense. */
    private boolean isPossible(MapRequest posted, PartitionMap map) {
        if (map == null || !isConnected()) {
            return false;
        }
        Replicas line = map.partitions().get(posted.partition());
        return posted.next().epoch() == line.epoch() + 1 && posted.next().goal().equals(line.goal());
    }

    boolean isOpen() {
        return open != null;
    }

    /** Whether another change can begin. */
    boolean isIdle() {
        return open == null && isConnected();
    }

    /** Begins to put a map in the place of the one with a version; 0 is the empty map of a new cluster. */
    void replace(int version, PartitionMap next) {
        openVersion = version;
        open = membership.replace(version, next.encode());
    }
}

package io.reprise.cluster.replica;

import io.reprise.cluster.Levels;
import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import io.reprise.runtime.agent.MpscRing;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/**
 * The operations of an operator that this node brings into the map, one after the other. An operation is applied again to each
 * newer map until it changes nothing, so a lost answer and another node's change do no harm.
 *
 * <p>Owned by the {@link ClusterAgent}; any thread offers operations.
 */
final class MapOperations {
    private static final int CAPACITY = 64;

    private final MpscRing<Wanted> inbound = new MpscRing<>(CAPACITY, null);
    private final int copies;
    private Wanted current;

    private record Wanted(MapOperation operation, CompletableFuture<PartitionMap> done) {}

    /** Without operations, in a cluster with so many replicas of each partition. */
    MapOperations(int copies) {
        this.copies = copies;
    }

    /** Any thread: the future has the map behind the operation, or the {@link MapOperation.RefusedException}. */
    CompletableFuture<PartitionMap> offer(MapOperation operation) {
        Wanted wanted = new Wanted(operation, new CompletableFuture<>());
        if (!inbound.offer(wanted)) {
            wanted.done.completeExceptionally(
                    new MapOperation.RefusedException("too many changes of the cluster's map wait; try again later"));
        }
        return wanted.done;
    }

    /** The map to request in the place of this one, or null if no operation changes it. */
    PartitionMap next(PartitionMap map, SortedMap<Integer, Levels> running) {
        while (true) {
            current = current == null ? inbound.poll() : current;
            if (current == null) {
                return null;
            }
            try {
                PartitionMap next = MapOperation.apply(current.operation, map, copies, running);
                if (!next.equals(map)) {
                    return next;
                }
                current.done.complete(map);
            } catch (MapOperation.RefusedException refusal) {
                current.done.completeExceptionally(refusal);
            }
            current = null;
        }
    }
}

package io.reprise.cluster;

import io.reprise.execution.BucketMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * An operator's change of the nodes of a cluster or of the places of its replicas. It sets goals in the map; leaders bring their
 * partitions to them, so no node has to survive for it. Applied to its own outcome an operation changes nothing.
 */
public sealed interface MapOperation {
    /** A node joins the cluster, and gets its share of replicas and leads. */
    record Add(int node) implements MapOperation {}

    /** Other nodes get the replicas of a node, then it leaves the cluster. */
    record Remove(int node) implements MapOperation {}

    /** Replicas and leads are spread evenly over the nodes. */
    record Spread() implements MapOperation {}

    /** Goals that are not reached are given up. Partitions that have moved stay there. */
    record Cancel() implements MapOperation {}

    /** The cluster goes to the greatest level of its nodes, all of which speak it. */
    record Upgrade() implements MapOperation {}

    /**
     * Buckets are to go to other partitions.
     *
     * @param goals the partition that is to have each bucket
     * @param dealt the partition of each bucket at the beginning
     */
    record MoveBuckets(SortedMap<Integer, Integer> goals, BucketMap dealt) implements MapOperation {}

    /**
     * Buckets have left a partition. Its leader says so, by its stream.
     *
     * @param from the partition that had them
     * @param to the partition that has each of them
     */
    record BucketsMoved(int from, SortedMap<Integer, Integer> to) implements MapOperation {}

    /** An operation that the map does not allow. */
    final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** A refusal with a sentence for the operator. */
        public RefusedException(String message) {
            super(message);
        }
    }

    /**
     * The map behind the operation; an equal one if nothing is left to do.
     *
     * @param copies the replicas of each partition
     * @param running the nodes that run, and the levels that they speak
     */
    static PartitionMap apply(
            MapOperation operation, PartitionMap map, int copies, SortedMap<Integer, Levels> running) {
        return switch (operation) {
            case Add(int node) -> add(map, node, copies, running.keySet());
            case Remove(int node) -> remove(map, node, copies);
            case Spread() -> spread(map, copies);
            case Cancel() -> cancel(map);
            case Upgrade() -> upgrade(map, running);
            case MoveBuckets(SortedMap<Integer, Integer> goals, BucketMap dealt) -> BucketPlace.move(map, goals, dealt);
            case BucketsMoved(int from, SortedMap<Integer, Integer> to) -> BucketPlace.moved(map, from, to);
        };
    }

    private static PartitionMap add(PartitionMap map, int node, int copies, Set<Integer> running) {
        if (map.staying().contains(node)) {
            return map;
        }
        if (!running.contains(node)) {
            throw new RefusedException(
                    "node " + node + " does not run; start it, then add it. Nodes that run: " + names(running));
        }
        Set<Integer> nodes = new TreeSet<>(map.nodes());
        nodes.add(node);
        return ReplicaPlan.spread(map.withNodes(List.copyOf(nodes), map.removing()), copies);
    }

    private static PartitionMap remove(PartitionMap map, int node, int copies) {
        if (map.removing().contains(node)) {
            return map;
        }
        if (!map.nodes().contains(node)) {
            throw new RefusedException(
                    "node " + node + " is no node of the cluster; its nodes are " + names(new TreeSet<>(map.nodes())));
        }
        if (map.staying().size() <= copies) {
            throw new RefusedException("node " + node + " can't be removed: each partition has " + copies
                    + (copies == 1 ? " replica" : " replicas") + " on different nodes, and "
                    + (map.staying().size() - 1) + " would be left. Add a node first");
        }
        Set<Integer> removing = new TreeSet<>(map.removing());
        removing.add(node);
        return ReplicaPlan.spread(map.withNodes(map.nodes(), List.copyOf(removing)), copies);
    }

    private static PartitionMap spread(PartitionMap map, int copies) {
        if (map.moving() > 0) {
            return map;
        }
        return ReplicaPlan.spread(map, Math.min(copies, map.staying().size()));
    }

    private static PartitionMap cancel(PartitionMap map) {
        List<Integer> nodes = new ArrayList<>(map.nodes());
        nodes.removeIf(node -> map.partitions().stream()
                        .anyMatch(line -> line.goal().contains(node))
                && map.partitions().stream().noneMatch(line -> line.holders().contains(node)));
        List<Replicas> lines = map.partitions().stream()
                .map(line -> line.toward(line.holders()))
                .toList();
        List<BucketPlace> places = map.buckets().stream()
                .map(place -> place.toward(place.partition()))
                .toList();
        return new PartitionMap(map.level(), nodes, List.of(), lines, places, map.losses());
    }

    private static PartitionMap upgrade(PartitionMap map, SortedMap<Integer, Levels> running) {
        int greatest = map.level();
        for (int node : map.nodes()) {
            Levels spoken = running.get(node);
            if (spoken == null) {
                throw new RefusedException("node " + node
                        + " does not run, so its version is not known; start it with the new version, or remove it from"
                        + " the cluster, then upgrade");
            }
            greatest = Math.max(greatest, spoken.greatest());
        }
        for (int node : map.nodes()) {
            if (!running.get(node).has(greatest)) {
                throw new RefusedException("node " + node + " speaks " + running.get(node)
                        + ", and other nodes speak level " + greatest
                        + "; restart it with their version, then upgrade");
            }
        }
        return map.withLevel(greatest);
    }

    /** The map without nodes that are being removed and have no replica any more. */
    static PartitionMap tidy(PartitionMap map) {
        List<Integer> gone =
                map.removing().stream().filter(node -> !map.isInUse(node)).toList();
        List<Integer> nodes = new ArrayList<>(map.nodes());
        nodes.removeAll(gone);
        List<Integer> removing = new ArrayList<>(map.removing());
        removing.removeAll(gone);
        return map.withNodes(nodes, removing);
    }

    private static String names(Set<Integer> nodes) {
        return String.join(
                ", ", new TreeSet<>(nodes).stream().map(String::valueOf).toList());
    }
}

package io.reprise.cluster.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The settings that all nodes of a cluster share, as znode {@code config} holds them: lines of {@code key=value} in UTF-8.
 * The first node makes the znode; a node with other settings is rejected.
 *
 * @param cluster the cluster's name
 * @param id the id of the database, in hexadecimal; empty in a node's wish
 * @param nodes the number of nodes at creation
 * @param partitions the number of partitions
 * @param buckets the number of buckets
 * @param kSafety the copies of each partition beyond the first
 * @param forced whether in-sync replicas force a write before it is acknowledged
 */
public record ClusterConfiguration(
        String cluster, String id, int nodes, int partitions, int buckets, int kSafety, boolean forced) {
    private static final String FORMAT = "1";

    /** The same under an id. */
    public ClusterConfiguration withId(String other) {
        return new ClusterConfiguration(cluster, other, nodes, partitions, buckets, kSafety, forced);
    }

    byte[] encode() {
        return ("format=" + FORMAT + "\ncluster=" + cluster + "\nid=" + id + "\nnodes=" + nodes + "\npartitions="
                        + partitions + "\nbuckets=" + buckets + "\nkSafety=" + kSafety + "\nacknowledge="
                        + acknowledge() + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    static ClusterConfiguration decode(byte[] content) {
        SortedMap<String, String> lines = Lines.read(content);
        String format = lines.getOrDefault("format", "");
        if (!format.equals(FORMAT)) {
            throw new IllegalStateException("the cluster's configuration in ZooKeeper has format '" + format
                    + "', and this version of Reprise reads format " + FORMAT
                    + "; use the version that made the cluster");
        }
        try {
            return new ClusterConfiguration(
                    lines.getOrDefault("cluster", ""),
                    lines.getOrDefault("id", ""),
                    Integer.parseInt(lines.getOrDefault("nodes", "")),
                    Integer.parseInt(lines.getOrDefault("partitions", "")),
                    Integer.parseInt(lines.getOrDefault("buckets", "")),
                    Integer.parseInt(lines.getOrDefault("kSafety", "")),
                    lines.getOrDefault("acknowledge", "").equals("forced"));
        } catch (NumberFormatException e) {
            throw new IllegalStateException("the cluster's configuration in ZooKeeper is damaged: " + lines, e);
        }
    }

    private String acknowledge() {
        return forced ? "forced" : "replicated";
    }

    /** The first setting in which a node's wish differs from the cluster's, as a sentence for its operator. */
    Optional<String> contradiction(ClusterConfiguration wish) {
        if (nodes != wish.nodes) {
            return differs("cluster.nodes", nodes, wish.nodes);
        }
        if (partitions != wish.partitions) {
            return differs("cluster.partitions", partitions, wish.partitions);
        }
        if (buckets != wish.buckets) {
            return differs("engine.buckets", buckets, wish.buckets);
        }
        if (kSafety != wish.kSafety) {
            return differs("cluster.kSafety", kSafety, wish.kSafety);
        }
        if (forced != wish.forced) {
            return differs("cluster.acknowledge", acknowledge(), wish.acknowledge());
        }
        return Optional.empty();
    }

    private Optional<String> differs(String key, Object here, Object wished) {
        return Optional.of("cluster '" + cluster + "' was created with " + key + ": " + here
                + ", and this node's configuration has " + wished + "; set " + key + ": " + here
                + ", or give cluster.name another name to create another cluster");
    }
}

package io.reprise.engine;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Links;
import io.reprise.cluster.Membership;
import java.time.Duration;

/**
 * The settings of an engine that is one node of a cluster. All nodes have the same number of nodes, {@code kSafety}, {@code
 * forced} and {@code failureTimeout}; links and membership are owned by the engine from its opening on.
 *
 * @param node this node's number, from 0; from {@code nodes} on it holds nothing before it is added to the cluster
 * @param nodes the number of nodes at the cluster's creation; the first map is made when all of them are live
 * @param incarnation a number that no other run of any node has, 1 or above
 * @param kSafety the copies of each partition beyond the first, from 0 to {@code nodes - 1}
 * @param forced whether a write is acknowledged when all in-sync replicas have forced it, not only received it
 * @param failureTimeout the silence after which a peer is suspected
 * @param links the network to the peers
 * @param membership the service that holds live nodes and the partition map
 * @param peerAddress the address at which {@code links} accepts peers
 * @param clientAddress the address at which clients reach this node; empty if none do
 * @param streamBytes the bytes of records that each partition keeps in memory for peers that lag; 0 for a share of 256 MiB, from 1 to
 *     16 MiB
 * @param broken the rules that a simulation breaks
 * @param levels the levels of the cluster that this node speaks
 */
public record ClusterOptions(
        int node,
        int nodes,
        long incarnation,
        int kSafety,
        boolean forced,
        Duration failureTimeout,
        Links links,
        Membership membership,
        String peerAddress,
        String clientAddress,
        long streamBytes,
        BrokenRules broken,
        Levels levels) {
    private static final long WINDOW_BYTES = 256 << 20;
    private static final long MOST_STREAM_BYTES = 16 << 20;
    private static final long LEAST_STREAM_BYTES = 1 << 20;

    /** The most nodes of a cluster. */
    public static final int MOST_NODES = 1024;

    /** The default of {@link #failureTimeout}. */
    public static final Duration DEFAULT_FAILURE_TIMEOUT = Duration.ofSeconds(1);

    public ClusterOptions {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new IllegalArgumentException("a cluster has 1 to " + MOST_NODES + " nodes, not " + nodes);
        }
        if (node < 0 || node >= MOST_NODES) {
            throw new IllegalArgumentException("nodes have the numbers 0 to " + (MOST_NODES - 1) + ", not " + node);
        }
        if (incarnation < 1) {
            throw new IllegalArgumentException("an incarnation is 1 or above, not " + incarnation);
        }
        if (kSafety < 0 || kSafety >= nodes) {
            throw new IllegalArgumentException(
                    "kSafety must be from 0 to " + (nodes - 1) + " with " + nodes + " nodes, not " + kSafety);
        }
        if (failureTimeout.compareTo(Duration.ofMillis(10)) < 0) {
            throw new IllegalArgumentException("failureTimeout must be 10 ms or more, not " + failureTimeout);
        }
    }

    /** The settings of an engine that keeps all rules. */
    public ClusterOptions(
            int node,
            int nodes,
            long incarnation,
            int kSafety,
            boolean forced,
            Duration failureTimeout,
            Links links,
            Membership membership,
            String peerAddress,
            String clientAddress,
            long streamBytes) {
        this(
                node,
                nodes,
                incarnation,
                kSafety,
                forced,
                failureTimeout,
                links,
                membership,
                peerAddress,
                clientAddress,
                streamBytes,
                BrokenRules.NONE,
                Levels.OWN);
    }

    /** The same with other levels. */
    public ClusterOptions withLevels(Levels others) {
        return new ClusterOptions(
                node,
                nodes,
                incarnation,
                kSafety,
                forced,
                failureTimeout,
                links,
                membership,
                peerAddress,
                clientAddress,
                streamBytes,
                broken,
                others);
    }

    /** The bytes of records that each of so many partitions keeps in memory. */
    long streamBytes(int partitions) {
        return streamBytes > 0
                ? streamBytes
                : Math.clamp(WINDOW_BYTES / partitions, LEAST_STREAM_BYTES, MOST_STREAM_BYTES);
    }
}

package io.reprise.node.process;

import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.replica.MapRecovery;
import io.reprise.cluster.replica.NodeEntry;
import io.reprise.cluster.zookeeper.ClusterConfiguration;
import io.reprise.cluster.zookeeper.Coordination;
import io.reprise.configuration.ClusterSection;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.execution.BucketMap;
import io.reprise.id.Buckets;
import io.reprise.runtime.time.SystemClock;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The recovery of a cluster whose data in ZooKeeper are lost: makes its znodes anew, reads the live entries of nodes that wait, and puts a
 * {@linkplain MapRecovery map of their logs} into ZooKeeper. One thread.
 */
public final class ClusterRecovery implements AutoCloseable {
    private final Coordination coordination;
    private final ClusterConfiguration configuration;

    /** The version of the empty map, which the new one replaces. */
    private final int lostVersion;

    private ClusterRecovery(Coordination coordination, ClusterConfiguration configuration, int lostVersion) {
        this.coordination = coordination;
        this.configuration = configuration;
        this.lostVersion = lostVersion;
    }

    /**
     * Begins a recovery, or goes on with one. Waits for contact with ZooKeeper, without a limit.
     *
     * @param node the configuration of a node of the cluster, whose data directory names the cluster's id
     * @param stopped ends the wait
     */
    public static ClusterRecovery begin(NodeConfiguration node, BooleanSupplier stopped) {
        ClusterSection section = node.cluster()
                .orElseThrow(() -> new IllegalArgumentException("the node serves alone: it has no section 'cluster'"));
        Path directory = node.data().directory();
        ClusterIdentity identity = ClusterIdentity.read(directory)
                .orElseThrow(() -> new IllegalStateException("the data in " + directory
                        + " belong to no cluster; run the command with a node that has served in it"));
        identity.require(directory, section.name(), section.node().orElseThrow());
        Coordination coordination =
                ClusterSide.connect(section, ZooKeeperServer.security(section.zooKeeper()), stopped);
        try {
            ClusterConfiguration lost = ClusterSide.wish(node).withId(identity.id());
            return new ClusterRecovery(coordination, lost, coordination.beginRecovery(lost));
        } catch (RuntimeException | Error refusal) {
            coordination.close();
            throw refusal;
        }
    }

    /** The entries of the nodes that run and wait. */
    public SortedMap<Integer, NodeEntry> waiting() {
        SortedMap<Integer, NodeEntry> entries = new TreeMap<>();
        coordination.live().forEach((node, bytes) -> entries.put(node, NodeEntry.decode(bytes)));
        return entries;
    }

    /**
     * The map by the logs of some nodes.
     *
     * @param accepted by partition whose loss the operator accepts, the node that is to lead it, or {@link MapRecovery#LONGEST}
     */
    public MapRecovery.Result plan(SortedMap<Integer, NodeEntry> waiting, SortedMap<Integer, Integer> accepted) {
        return MapRecovery.plan(
                BucketMap.dealt(new Buckets(configuration.buckets()), configuration.partitions()),
                waiting,
                accepted,
                TimeUnit.MICROSECONDS.toSeconds(SystemClock.INSTANCE.epochMicros()));
    }

    /**
     * Gives the map to the nodes, which go on with it, and keeps a record of the operation in ZooKeeper. Refuses if another recovery has ended
     * meanwhile.
     */
    public void end(PartitionMap map, String record) {
        coordination.endRecovery(lostVersion, map.encode(), record);
    }

    @Override
    public void close() {
        coordination.close();
    }
}

package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.cluster.replica.ReplicaSettings;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * The cost of a cluster by its number of nodes, counted in a simulation of the real agents: frames of an idle node, of a write over two
 * nodes, and of a failover. The table of {@code docs/scale.md} has the figures, which this test prints.
 */
final class ClusterScaleTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long HEARTBEAT_NS = SECOND_NS / 5;
    private static final long MOST_STEPS = 50_000_000;
    private static final int PARTITIONS_OF_A_NODE = 2;
    private static final int IDLE_SECONDS = 5;
    private static final int WRITES = 50;

    /** The figures of a cluster. */
    private record Cost(
            int nodes, double idleFrames, double idleBytes, double writeFrames, long mapBytes, int changes, double ms) {
        @Override
        public String toString() {
            return String.format(
                    "%d nodes: %.1f frames and %.0f bytes/s of an idle node, %.1f frames of a write over two nodes, map of %d"
                            + " bytes, failover by %d changes of the map in %.0f ms",
                    nodes, idleFrames, idleBytes, writeFrames, mapBytes, changes, ms);
        }
    }

    private static final class Cluster {
        private final Simulation simulation = new Simulation(1);
        private final SimulatedLinks network = new SimulatedLinks(simulation).latency(100_000, 100_000);
        private final SimulatedMembership service =
                new SimulatedMembership(simulation, 6 * SECOND_NS).delays(1_000_000, 2_000_000);
        private final List<TransactionNode> nodes = new ArrayList<>();
        private final int partitions;
        private int told;

        Cluster(int count) {
            partitions = PARTITIONS_OF_A_NODE * count;
            List<TreeMap<Integer, Long>> initial = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                initial.add(new TreeMap<>());
            }
            TransactionNode.Cluster cluster = new TransactionNode.Cluster(
                    simulation,
                    network,
                    service,
                    count,
                    partitions,
                    2,
                    500_000,
                    0,
                    new ReplicaSettings(true, HEARTBEAT_NS, SECOND_NS, 512, 256 << 10, Set.of()),
                    new TransactionSettings(HEARTBEAT_NS / 2, 3 * SECOND_NS, SECOND_NS / 4, Set.of()),
                    initial);
            for (int i = 1; i <= count; i++) {
                nodes.add(new TransactionNode(cluster, i));
            }
            nodes.forEach(TransactionNode::start);
            reach(() -> isServed(-1));
        }

        private void reach(BooleanSupplier condition) {
            simulation.runUntil(condition, MOST_STEPS);
        }

        private List<Replicas> lines() {
            return PartitionMap.decode(service.map().content()).partitions();
        }

        private boolean isServed(int without) {
            for (int partition = 0; partition < partitions; partition++) {
                if (service.map().version() == 0) {
                    return false;
                }
                int leader = lines().get(partition).leader();
                if (leader == without
                        || !nodes.get(leader - 1).transactions(partition).isServing()) {
                    return false;
                }
            }
            return true;
        }

        private void write(int first) {
            TreeMap<Integer, byte[]> works = new TreeMap<>();
            for (int partition : List.of(first, (first + 2) % partitions)) {
                works.put(
                        partition, new Work().then(SimulatedStore.APPEND, 0, 1).bytes());
            }
            int home = works.firstKey();
            int before = told;
            PartitionTransactions at = nodes.get(lines().get(home).leader() - 1).transactions(home);
            at.run(
                    new OneShot(works),
                    new TreeSet<>(works.keySet()),
                    false,
                    outcome -> told++,
                    simulation.clock().nanoTime());
            reach(() -> told > before);
        }

        Cost cost() {
            simulation.runFor(2 * SECOND_NS);
            long frames = network.sentFrames();
            long bytes = network.sentBytes();
            simulation.runFor(IDLE_SECONDS * SECOND_NS);
            double nodeSeconds = (double) IDLE_SECONDS * nodes.size();
            double idle = (network.sentFrames() - frames) / nodeSeconds;
            double idleBytes = (network.sentBytes() - bytes) / nodeSeconds;

            long beganNs = simulation.clock().nanoTime();
            frames = network.sentFrames();
            for (int i = 0; i < WRITES; i++) {
                write(i % partitions);
            }
            double seconds = (simulation.clock().nanoTime() - beganNs) / (double) SECOND_NS;
            double writes = (network.sentFrames() - frames - seconds * idle * nodes.size()) / WRITES;

            int version = service.map().version();
            long mapBytes = service.map().content().length;
            beganNs = simulation.clock().nanoTime();
            nodes.getFirst().crash(false);
            reach(() -> isServed(1));
            double ms = (simulation.clock().nanoTime() - beganNs) / 1e6;
            return new Cost(
                    nodes.size(),
                    idle,
                    idleBytes,
                    writes,
                    mapBytes,
                    service.map().version() - version,
                    ms);
        }
    }

    @Test
    void shouldCostANodeAsMuchInALargeClusterAsInASmallOne() {
        Cost small = new Cluster(4).cost();
        System.out.println(small);
        Cost large = new Cluster(16).cost();
        System.out.println(large);

        assertThat(large.idleFrames).isLessThan(1.2 * small.idleFrames);
        assertThat(large.writeFrames).isLessThan(1.3 * small.writeFrames);
        assertThat(large.mapBytes).isLessThan(5 * small.mapBytes);
        assertThat(large.changes).isLessThanOrEqualTo(2 * small.changes + 2);
    }

    /** {@code -Dreprise.nodes=64} adds a larger cluster. */
    @Test
    void shouldPrintTheCostOfAClusterOfAnySize() {
        int nodes = Integer.getInteger("reprise.nodes", 2);

        Cost cost = new Cluster(nodes).cost();

        System.out.println(cost);
        assertThat(cost.writeFrames).isPositive();
    }
}

package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.MapOperation;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes are added to a cluster of real engines and removed from it while clients call. */
final class GrowthTest {
    /** A failure timeout for runs in which no node dies: a scheduler may leave an agent alone for long. */
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private static final Duration QUICK = Duration.ofMillis(300);

    private GrowthScenario cluster;

    private void start(long seed, int nodes, int all, int partitions, int kSafety) {
        start(seed, nodes, all, partitions, kSafety, PATIENT);
    }

    private void start(long seed, int nodes, int all, int partitions, int kSafety, Duration failure) {
        end();
        cluster = new GrowthScenario(new Simulation(seed), nodes, all, partitions, kSafety, failure);
        cluster.start();
    }

    @AfterEach
    void end() {
        if (cluster != null) {
            cluster.end();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 0", "2, 6, 0", "2, 6, 1", "3, 6, 1", "3, 8, 2"})
    void shouldGiveAnAddedNodeItsShareWhileCallsRun(int nodes, int partitions, int kSafety) {
        start(31, nodes, nodes + 1, partitions, kSafety);
        cluster.load();

        cluster.nodes.get(nodes).start();
        cluster.simulation.runFor(100_000_000);
        assertThat(cluster.replicas(nodes)).isZero();
        cluster.operate(0, new MapOperation.Add(nodes));
        cluster.reachWithCopies("the added node has its share", cluster::isSettled);

        assertThat(cluster.replicas(nodes)).isBetween(partitions * (kSafety + 1) / (nodes + 1), partitions);
        assertThat(cluster.leads(nodes)).isPositive();
        cluster.check();
        assertThat(cluster.map().nodes()).hasSize(nodes + 1);
    }

    @ParameterizedTest
    @CsvSource({"2, 4, 0", "3, 6, 1", "4, 8, 1"})
    void shouldGiveReplicasToOthersBeforeANodeIsRemoved(int nodes, int partitions, int kSafety) {
        start(32, nodes, nodes, partitions, kSafety);
        cluster.load();

        cluster.operate(nodes - 1, new MapOperation.Remove(0));
        cluster.reachWithCopies("the node is removed", cluster::isSettled);

        assertThat(cluster.map().nodes()).doesNotContain(0);
        cluster.reach("the removed node holds nothing", () -> cluster.replicas(0) == 0);
        cluster.nodes.getFirst().kill(true);
        cluster.check();
    }

    @Test
    void shouldReplaceADeadNodeByANewOne() {
        start(33, 3, 4, 6, 1, QUICK);
        cluster.load();
        cluster.nodes.get(1).kill(true);
        cluster.nodes.get(3).start();
        cluster.simulation.runFor(1_000_000_000);

        cluster.operate(0, new MapOperation.Add(3));
        cluster.operate(2, new MapOperation.Remove(1));
        cluster.reach("all replicas are made elsewhere", cluster::isSettled);

        assertThat(cluster.map().nodes()).containsExactly(0, 2, 3);
        cluster.check();
    }

    @ParameterizedTest
    @CsvSource({"1", "5", "20", "60"})
    void shouldGiveUpAnOperation(int afterMs) {
        start(34 + afterMs, 3, 4, 6, 1);
        cluster.load();
        cluster.nodes.get(3).start();
        cluster.simulation.runFor(100_000_000);

        cluster.operate(1, new MapOperation.Add(3));
        cluster.simulation.runFor(1_000_000L * afterMs);
        cluster.operate(2, new MapOperation.Cancel());
        cluster.reachWithCopies("nothing moves", cluster::isSettled);

        cluster.check();
    }

    /** The node has no tables at all: the first image brings the schema. */
    @Test
    void shouldBringTheSchemaToAnAddedNode() {
        end();
        cluster = new GrowthScenario(new Simulation(35), 2, 3, 4, 1, PATIENT);
        cluster.nodes.get(2).withoutSchema();
        cluster.start();
        cluster.load();
        cluster.rest();
        cluster.nodes.get(2).start();
        cluster.simulation.runFor(100_000_000);

        cluster.operate(0, new MapOperation.Add(2));
        cluster.reachWithCopies("the added node has its share", cluster::isSettled);
        assertThat(cluster.leads(2)).isPositive();
        cluster.check();

        cluster.nodes.forEach(node -> node.kill(true));
        cluster.nodes.forEach(ClusterMachine::start);
        cluster.reach("all in sync again", cluster::isSettled);
        cluster.check();
    }

    /** Any node dies at any moment of an operation and returns, or the whole cluster does. */
    @Test
    void shouldResumeWhenNodesDieDuringAnOperation() {
        Seeds.forEach(8, seed -> {
            start(seed, 3, 4, 5, (int) (seed & 1), QUICK);
            cluster.load();
            cluster.nodes.get(3).start();
            cluster.simulation.runFor(100_000_000);
            boolean adds = true;
            for (int round = 0; round < 4; round++) {
                MapOperation operation = adds ? new MapOperation.Add(3) : new MapOperation.Remove(3);
                cluster.begin(round % 3, operation);
                for (int fault = 0; fault < 3; fault++) {
                    fail();
                }
                cluster.reach("the end of an operation", cluster::isSettled);
                if (cluster.map().nodes().contains(3) != adds) {
                    cluster.operate(round % 3, operation);
                    cluster.reach("the end of the operation", cluster::isSettled);
                }
                assertThat(cluster.map().nodes().contains(3)).isEqualTo(adds);
                adds = !adds;
            }
            cluster.check();
        });
    }

    private void fail() {
        cluster.simulation.runFor(cluster.simulation.randomness().nextLong(60_000_000));
        boolean power = cluster.simulation.randomness().chance(0.5);
        if (cluster.simulation.randomness().chance(0.2)) {
            cluster.nodes.forEach(node -> node.kill(power));
            cluster.nodes.forEach(ClusterMachine::start);
        } else {
            ClusterMachine victim =
                    cluster.nodes.get(cluster.simulation.randomness().nextInt(4));
            victim.kill(power);
            cluster.simulation.runFor(cluster.simulation.randomness().nextLong(900_000_000));
            victim.start();
        }
    }
}

package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.SimulatedMembership;
import io.reprise.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that stop in order or are killed, one after the other, under load: the others neither wait for them nor lose anything. */
final class HandoverTest {
    private static final long HEARTBEAT_NS = 50_000_000L;

    /** So long that a test which waits for a suspicion fails. */
    private static final long FAILURE_NS = 3_600_000_000_000L;

    private static final long MOST_STEPS = 3_000_000;
    private static final int PARTITIONS = 3;

    private Simulation simulation;
    private SimulatedLinks network;
    private SimulatedMembership service;
    private final List<ReplicaNode> nodes = new ArrayList<>();
    private final List<ReplicaCaller> callers = new ArrayList<>();
    private ReplicaHistory history;

    private void start(long seed, int count, int calls, long heartbeatNs) {
        start(seed, count, calls, heartbeatNs, FAILURE_NS);
    }

    private void start(long seed, int count, int calls, long heartbeatNs, long failureNs) {
        simulation = new Simulation(seed);
        history = new ReplicaHistory();
        nodes.clear();
        callers.clear();
        network = new SimulatedLinks(simulation).latency(10_000, 1_000_000);
        service = new SimulatedMembership(simulation, 2_000_000_000L).delays(100_000, 5_000_000);
        ReplicaSettings settings = new ReplicaSettings(true, heartbeatNs, failureNs, 4, 48, Set.of());
        for (int i = 1; i <= count; i++) {
            nodes.add(new ReplicaNode(
                    simulation, network, service, settings, i, count, PARTITIONS, 2_000_000, Integer.MAX_VALUE));
        }
        nodes.forEach(ReplicaNode::start);
        for (int i = 1; i <= 3; i++) {
            callers.add(new ReplicaCaller(
                    i, nodes, PARTITIONS, calls, simulation.randomness().fork(), history));
        }
        reach("all in sync", () -> isWhole(count));
        callers.forEach(caller -> simulation.add("callers", caller));
    }

    private void reach(String what, BooleanSupplier condition) {
        try {
            simulation.runUntil(condition, MOST_STEPS);
        } catch (AssertionError late) {
            throw new AssertionError("not reached: " + what + "\n" + nodes, late);
        }
    }

    /** Each partition is led, and so many of its replicas take part. */
    private boolean isWhole(int members) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int leaders = 0;
            int followers = 0;
            for (ReplicaNode node : nodes) {
                if (node.isUp()) {
                    Replica.Role role = node.replica(partition).role();
                    leaders += role == Replica.Role.LEADER ? 1 : 0;
                    followers += role == Replica.Role.FOLLOWER ? 1 : 0;
                }
            }
            if (leaders != 1 || leaders + followers != members) {
                return false;
            }
        }
        return true;
    }

    private void awaitProgress() {
        int told = history.size();
        reach("progress", () -> history.size() > told + 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldServeWithoutAWaitWhenNodesStopInTurn(int count) {
        for (long seed = 1; seed <= 10; seed++) {
            start(seed, count, Integer.MAX_VALUE, HEARTBEAT_NS);
            for (ReplicaNode node : nodes) {
                awaitProgress();
                long beganNs = simulation.clock().nanoTime();
                node.leave();
                reach("the node has left", node::hasLeft);
                assertThat(node.parts()).as("seed %s", seed).isZero();
                node.crash(true);
                reach("a leader of each partition", () -> isWhole(count - 1));
                awaitProgress();
                assertThat(simulation.clock().nanoTime() - beganNs)
                        .as("time to serve without the node, seed %s", seed)
                        .isLessThan(1_000_000_000L);

                node.start();
                reach("the node is in sync again", () -> isWhole(count));
            }
            callers.forEach(ReplicaCaller::stop);
            reach("the end of all calls", () -> callers.stream().allMatch(ReplicaCaller::isDone));
            check();
        }
    }

    /** The peers' machine tells that nothing listens any more, so nobody waits for the failure timeout of 5 s. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldServeWithoutAWaitWhenProcessesAreKilledInTurn(int count) {
        for (long seed = 1; seed <= 10; seed++) {
            start(seed, count, Integer.MAX_VALUE, HEARTBEAT_NS, 5_000_000_000L);
            network.tellRefusals();
            for (ReplicaNode node : nodes) {
                awaitProgress();
                long beganNs = simulation.clock().nanoTime();
                node.crash(false);
                reach("a leader of each partition", () -> isWhole(count - 1));
                awaitProgress();
                assertThat(simulation.clock().nanoTime() - beganNs)
                        .as("time to serve without the node, seed %s", seed)
                        .isLessThan(1_000_000_000L);

                node.start();
                reach("the node is in sync again", () -> isWhole(count));
            }
            callers.forEach(ReplicaCaller::stop);
            reach("the end of all calls", () -> callers.stream().allMatch(ReplicaCaller::isDone));
            check();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldLeadAgainWhereItLedAtFirstWhenAskedTo(long seed) {
        start(seed, 3, Integer.MAX_VALUE, HEARTBEAT_NS);
        nodes.getFirst().leave();
        reach("the node has left", nodes.getFirst()::hasLeft);
        nodes.getFirst().crash(false);
        nodes.getFirst().start();
        reach("the node is in sync again", () -> isWhole(3));
        assertThat(nodes.getFirst().replica(0).role()).isEqualTo(Replica.Role.FOLLOWER);

        nodes.forEach(ReplicaNode::balance);

        reach("the first leaders lead", () -> {
            boolean balanced = isWhole(3);
            for (int partition = 0; balanced && partition < PARTITIONS; partition++) {
                balanced = nodes.get(partition).replica(partition).role() == Replica.Role.LEADER;
            }
            return balanced;
        });
        callers.forEach(ReplicaCaller::stop);
        reach("the end of all calls", () -> callers.stream().allMatch(ReplicaCaller::isDone));
        check();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldKeepAllInSyncWhenAllNodesStopTogether(long seed) {
        start(seed, 3, 200, 20 * HEARTBEAT_NS);
        awaitProgress();

        nodes.forEach(ReplicaNode::leave);
        reach("all have left", () -> nodes.stream().allMatch(ReplicaNode::hasLeft));

        assertThat(isWhole(3)).as("%s", nodes).isTrue();
        nodes.forEach(node -> node.crash(true));
        nodes.forEach(ReplicaNode::start);
        reach("all in sync again", () -> isWhole(3));
        reach("the end of all calls", () -> callers.stream().allMatch(ReplicaCaller::isDone));
        check();
    }

    private void check() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int checked = partition;
            ReplicaNode leader = nodes.stream()
                    .filter(node -> node.replica(checked).role() == Replica.Role.LEADER)
                    .findFirst()
                    .orElseThrow();
            history.check(partition, leader.machine(partition));
        }
    }
}

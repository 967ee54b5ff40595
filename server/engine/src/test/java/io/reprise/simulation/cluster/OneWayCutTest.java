package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes that do not hear each other, or one of which does not hear the other, while all reach the membership service. Leads come to
 * nodes that hear each other, so that transactions over all partitions go on before the network is whole again.
 */
final class OneWayCutTest {
    /** As in production: complaints have to reach the membership service before replicas are removed or replaced. */
    private static final Duration FAILURE = Duration.ofSeconds(1);

    /** The time to yield, and for transactions that are under way to be given up. */
    private static final long MOST_NS = 13 * FAILURE.toNanos();

    private static final long PAUSE_NS = 20_000_000;
    private static final int LEAST_CALLS = 5;

    private GrowthScenario scenario;

    private void start(long seed, int count, int partitions) {
        scenario = new GrowthScenario(new Simulation(seed), count, count, partitions, 1, FAILURE);
        scenario.start();
        scenario.load();
    }

    private void cut(int from, int to) {
        scenario.network().cut(ClusterMachine.name(from), ClusterMachine.name(to));
    }

    /** When leads have moved, calls over all partitions succeed one after the other. */
    private void requireService(String when) {
        long beganNs = scenario.simulation.clock().nanoTime();
        int succeeded = 0;
        while (succeeded < LEAST_CALLS) {
            succeeded = callsEverywhere() ? succeeded + 1 : 0;
            assertThat(scenario.simulation.clock().nanoTime() - beganNs)
                    .as("%s: ns until calls over all partitions succeed\n%s", when, scenario.map())
                    .isLessThan(MOST_NS);
        }
    }

    /** Makes a call over all partitions at each node, until one has committed or all have failed. */
    private boolean callsEverywhere() {
        List<CompletableFuture<Reply>> answers = new ArrayList<>();
        scenario.nodes.forEach(node -> answers.add(node.engine().callAsync("PayAll", 0L)));
        long beganNs = scenario.simulation.clock().nanoTime();
        boolean committed = false;
        while (!committed && scenario.simulation.clock().nanoTime() - beganNs < FAILURE.toNanos()) {
            scenario.simulation.runFor(PAUSE_NS);
            committed = answers.stream()
                    .anyMatch(answer -> answer.isDone() && answer.join().committed());
        }
        return committed;
    }

    private void heal() {
        scenario.network().heal();
        scenario.check();
        scenario.end();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldServeAllPartitionsWhileANodeDoesNotHearAnother(int count) {
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                if (from != to) {
                    start(100L * from + to, count, count);

                    cut(from, to);

                    requireService("from " + from + " to " + to);
                    heal();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldServeAllPartitionsWhileTwoNodesDoNotHearEachOther(int count) {
        for (int one = 0; one < count; one++) {
            for (int other = 0; other < one; other++) {
                start(100L * one + other, count, 2 * count);

                cut(one, other);
                cut(other, one);

                requireService("between " + one + " and " + other);
                heal();
            }
        }
    }

    @Test
    void shouldServeAllPartitionsWhileNoNodeHearsOne() {
        for (int mute = 0; mute < 3; mute++) {
            start(mute, 3, 6);

            for (int other = 0; other < 3; other++) {
                if (other != mute) {
                    cut(mute, other);
                }
            }

            requireService("from " + mute);
            heal();
        }
    }
}

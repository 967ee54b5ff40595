package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.procedure.ErrorCode;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Real engines, of which two do not hear each other while one alone has a partition's writes. Calls that need both are rejected at
 * once, all others are served.
 */
final class UnreachedLeaderTest {
    private static final Duration FAILURE = Duration.ofMillis(300);
    private static final long QUICK_NS = 100_000_000;

    private GrowthScenario scenario;

    @AfterEach
    void end() {
        scenario.end();
    }

    private void start(long seed, int nodes, int partitions, int kSafety) {
        scenario = new GrowthScenario(new Simulation(seed), nodes, nodes, partitions, kSafety, FAILURE);
        scenario.start();
        scenario.load();
    }

    private void cut(int one, int other) {
        scenario.network().cut(ClusterMachine.name(one), ClusterMachine.name(other));
        scenario.network().cut(ClusterMachine.name(other), ClusterMachine.name(one));
    }

    private Reply answer(int node, String procedure, Object... arguments) {
        CompletableFuture<Reply> call = scenario.nodes.get(node).engine().callAsync(procedure, arguments);
        scenario.reach("an answer of " + procedure, call::isDone);
        return call.join();
    }

    /** Calls over all partitions at a node until an answer passes the test. */
    private void await(int node, String what, Predicate<Reply> test) {
        for (int i = 0; i < 200; i++) {
            if (test.test(answer(node, "PayAll", 0L))) {
                return;
            }
            scenario.simulation.runFor(FAILURE.toNanos() / 5);
        }
        throw new AssertionError("not reached: " + what + "\n" + scenario.map());
    }

    private long nowNs() {
        return scenario.simulation.clock().nanoTime();
    }

    @Test
    void shouldRejectCallsAtOnceThatNeedALeaderThatIsNotReached() {
        start(1, 3, 3, 1);
        scenario.nodes.get(1).kill(true);
        scenario.reach(
                "one copy of partition 0",
                () -> scenario.map().partitions().getFirst().sync().equals(List.of(scenario.member(0))));
        cut(0, 2);

        await(
                0,
                "a rejection that names the network",
                reply -> reply.error() == ErrorCode.PARTITION_UNAVAILABLE
                        && reply.message().contains("do not hear each other"));
        long beganNs = nowNs();
        for (int i = 0; i < 10; i++) {
            assertThat(answer(0, "PayAll", 0L).message())
                    .contains("partition 1 is led by node 2")
                    .contains("not run");
        }
        assertThat(nowNs() - beganNs).as("ns of ten rejections").isLessThan(QUICK_NS);
        assertThat(scenario.leads(0)).isPositive();
        assertThat(scenario.leads(2)).isPositive();

        scenario.nodes.get(1).start();
        await(1, "a lead that both hear", Reply::committed);
        scenario.network().heal();
        scenario.check();
    }
}

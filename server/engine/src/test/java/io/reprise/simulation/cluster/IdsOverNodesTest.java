package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Reply;
import io.reprise.id.TransactionId;
import io.reprise.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Ids of transactions over nodes and of calls of one partition, which initiators and coordinators stamp apart from each other. */
final class IdsOverNodesTest {
    private static final int NODES = 2;
    private static final int ACCOUNTS = 16;
    private static final int ROUNDS = 60;

    /** Clocks that stand behind all ids leave initiators and coordinators the next tick, which is the same one for both. */
    @Test
    void shouldRejectNoCallWhileClocksStandStill() {
        GrowthScenario scenario = new GrowthScenario(new Simulation(3), NODES, NODES, 4, 0, Duration.ofMillis(300));
        scenario.start();
        for (int account = 0; account < ACCOUNTS; account++) {
            open(scenario, account);
        }
        for (int node = 0; node < NODES; node++) {
            scenario.simulation.clock(ClusterMachine.name(node)).jumpWallClock(-3_600_000_000L);
        }

        for (int round = 0; round < ROUNDS; round++) {
            List<CompletableFuture<Reply>> answers = new ArrayList<>();
            for (ClusterMachine node : scenario.nodes) {
                for (int account = 0; account < ACCOUNTS; account++) {
                    answers.add(node.engine().callAsync("Deposit", 1L, (long) account));
                    answers.add(node.engine().callAsync("Pay", (long) account, (account + 1L) % ACCOUNTS, 1L));
                }
            }
            scenario.reach("all answers", () -> answers.stream().allMatch(CompletableFuture::isDone));
            for (CompletableFuture<Reply> answer : answers) {
                Reply reply = answer.join();
                assertThat(reply.committed() || reply.message().contains("is led by node"))
                        .as("%s: %s", reply.error(), reply.message())
                        .isTrue();
            }
        }
        scenario.end();
    }

    private static void open(GrowthScenario scenario, long account) {
        List<CompletableFuture<Reply>> answers = new ArrayList<>();
        scenario.nodes.forEach(node -> answers.add(node.engine().callAsync("OpenAccount", account)));
        scenario.reach("an account", () -> answers.stream().allMatch(CompletableFuture::isDone));
        assertThat(answers.stream().filter(answer -> answer.join().committed())).hasSize(1);
    }

    @Test
    void shouldStampAscendingIdsThatNeverMeet() {
        long last = TransactionId.of(TransactionId.EPOCH_MICROS + 1_000, 7);

        long even = TransactionId.nextInCluster(last, TransactionId.EPOCH_MICROS, 7);
        long odd = TransactionId.nextOfCoordinator(last, TransactionId.EPOCH_MICROS, 7);

        for (int i = 0; i < 100; i++) {
            assertThat(odd).isNotEqualTo(even).isGreaterThan(last);
            assertThat(even).isGreaterThan(last);
            assertThat(TransactionId.plus(odd, 1))
                    .isEqualTo(TransactionId.nextOfCoordinator(odd, TransactionId.EPOCH_MICROS, 7));
            last = i % 3 == 0 ? odd : even;
            even = TransactionId.nextInCluster(last, TransactionId.EPOCH_MICROS, 7);
            odd = TransactionId.nextOfCoordinator(last, TransactionId.EPOCH_MICROS, 7);
        }
        long later = TransactionId.EPOCH_MICROS + 9_000_000;
        assertThat(TransactionId.epochMicros(TransactionId.nextInCluster(last, later, 7)))
                .isEqualTo(later);
        assertThat(TransactionId.epochMicros(TransactionId.nextOfCoordinator(last, later, 7)))
                .isEqualTo(later);
    }
}

package io.reprise.simulation.cluster;

import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** {@code -Dreprise.seeds=N} runs N other seeds. */
final class ClusterSimulationTest {
    @Test
    void shouldLoseNothingAndServeNothingStaleUnderFaults() {
        Seeds.forEach(16, seed -> new ClusterScenario(new Simulation(seed)).run());
    }

    /** A joiner was loaded with changes of a held transaction, and a leader took up a part while a snapshot waited for it. */
    @Test
    void shouldLoadJoinersAndTakeSnapshotsBesideHeldTransactions() {
        for (long seed : new long[] {-759876630674026591L, -4317216052554863763L, 8846673257327506516L}) {
            new ClusterScenario(new Simulation(seed)).run();
        }
    }

    /** A snapshot awaited a partition whose transaction awaited another partition of the same node. */
    @Test
    void shouldDecideHeldTransactionsWhileASnapshotAwaitsTheirPartitions() {
        new ClusterScenario(new Simulation(-676545187871591280L), true).run();
    }

    @Test
    void shouldRepeatARunByItsSeed() {
        Seeds.forEach(2, seed -> Simulation.checkRepeats(seed, simulation -> new ClusterScenario(simulation).run()));
    }
}

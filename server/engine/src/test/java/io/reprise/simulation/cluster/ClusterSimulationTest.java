package io.reprise.simulation.cluster;

import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** {@code -Dreprise.seeds=N} runs N other seeds. */
final class ClusterSimulationTest {
    @Test
    void shouldLoseNothingAndServeNothingStaleUnderFaults() {
        Seeds.forEach(30, seed -> new ClusterScenario(new Simulation(seed)).run());
    }

    @Test
    void shouldRepeatARunByItsSeed() {
        Seeds.forEach(2, seed -> Simulation.checkRepeats(seed, simulation -> new ClusterScenario(simulation).run()));
    }
}

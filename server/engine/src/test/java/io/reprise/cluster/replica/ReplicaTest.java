package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dreprise.seeds=N} runs N other seeds of the scenario with all rules kept. */
final class ReplicaTest {
    private static final int SEEDS_TO_NOTICE = 20_000;

    /** Seeds shortly before the first that notices, where that takes long; a scenario that changes needs others. */
    private static final Map<Rule, Integer> NEAR = Map.of(
            Rule.ALONE_FORCES, 280,
            Rule.CAREFUL_BEFORE_REMOVAL, 280,
            Rule.CAREFUL_BEFORE_REPLACING, 2_050);

    @Test
    void shouldLoseNothingAndServeNothingStaleUnderFaults() {
        long[] told = new long[1];
        Seeds.forEach(300, seed -> {
            ReplicaScenario scenario = new ReplicaScenario(new Simulation(seed), Set.of());
            scenario.run();
            told[0] += scenario.toldCalls();
        });
        assertThat(told[0]).isPositive();
    }

    @Test
    void shouldRepeatARunByItsSeed() {
        Seeds.forEach(
                5,
                seed -> Simulation.checkRepeats(seed, simulation -> new ReplicaScenario(simulation, Set.of()).run()));
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    void shouldNoticeABrokenRule(Rule rule) {
        int first = NEAR.getOrDefault(rule, 1);
        for (int seed = first; seed < first + SEEDS_TO_NOTICE; seed++) {
            try {
                new ReplicaScenario(new Simulation(seed), Set.of(rule)).run();
            } catch (AssertionError | IllegalStateException noticed) {
                return;
            }
        }
        throw new AssertionError(SEEDS_TO_NOTICE + " runs did not notice that " + rule + " was broken");
    }
}

package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.RuleTable;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dreprise.seeds=N} runs N other seeds of the scenario with all rules kept. */
final class ReplicaTest {
    private static final int SEEDS_TO_NOTICE = 20_000;

    @Test
    void shouldLoseNothingAndServeNothingStaleUnderFaults() {
        long[] told = new long[1];
        long[] older = new long[1];
        Seeds.forEach(300, seed -> {
            ReplicaScenario scenario = new ReplicaScenario(new Simulation(seed), Set.of());
            scenario.run();
            told[0] += scenario.toldCalls();
            older[0] += scenario.olderRecords();
        });
        assertThat(told[0]).isPositive();
        assertThat(older[0]).as("records fed from log files").isPositive();
    }

    @Test
    void shouldLoseNothingWhenTheMapIsLostAndMadeAnew() {
        int[] recoveries = new int[1];
        int[] refusals = new int[1];
        Seeds.forEach(150, seed -> {
            ReplicaScenario scenario = new ReplicaScenario(new Simulation(seed), Set.of()).losingMaps(false);
            scenario.run();
            recoveries[0] += scenario.recoveries();
            refusals[0] += scenario.refusals();
        });
        assertThat(recoveries[0]).as("maps made anew").isPositive();
        assertThat(refusals[0]).as("logs of too few nodes").isPositive();
    }

    @Test
    void shouldNoticeAMapThatIsMadeOfTooFewLogs() {
        for (int seed = 0; seed < SEEDS_TO_NOTICE; seed++) {
            try {
                new ReplicaScenario(new Simulation(seed), Set.of())
                        .losingMaps(true)
                        .run();
            } catch (AssertionError | IllegalStateException noticed) {
                return;
            }
        }
        throw new AssertionError(SEEDS_TO_NOTICE + " runs did not notice maps that are made of any log");
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
        int first = RuleTable.firstSeed(rule.name()).orElseThrow();
        for (int seed = first; seed < first + SEEDS_TO_NOTICE; seed++) {
            try {
                new ReplicaScenario(new Simulation(seed), Set.of(rule)).run();
            } catch (AssertionError | IllegalStateException noticed) {
                RuleTable.noticed(rule.name(), seed, noticed);
                return;
            }
        }
        throw new AssertionError(SEEDS_TO_NOTICE + " runs did not notice that " + rule + " was broken");
    }
}

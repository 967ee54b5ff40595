package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.BrokenRules;
import io.reprise.engine.replication.StreamRule;
import io.reprise.simulation.RuleTable;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code -Dreprise.seeds=N} runs N other seeds; {@code scripts/simulate} runs ranges of them. */
final class FaultSimulationTest {
    private static final int SEEDS = 24;
    private static final int LEAST_CLASSES = 15;
    private static final int SEEDS_TO_NOTICE = 2_000;

    @Test
    void shouldKeepAllGuaranteesUnderFaultsOfManyClasses() {
        Map<ClusterFault, Integer> counts = new EnumMap<>(ClusterFault.class);
        int[] runs = new int[1];

        Seeds.forEach(SEEDS, seed -> {
            FaultScenario scenario = new FaultScenario(new Simulation(seed));
            scenario.run();
            scenario.counts().forEach((fault, count) -> counts.merge(fault, count, Integer::sum));
            runs[0]++;
        });

        if (runs[0] >= SEEDS) {
            assertThat(counts.keySet()).as("classes of faults").hasSizeGreaterThan(LEAST_CLASSES);
        }
    }

    static Stream<StreamRule> noticedRules() {
        return Stream.of(StreamRule.values())
                .filter(rule -> RuleTable.firstSeed(rule.name()).isPresent());
    }

    /** The switches of batches, moves and outcomes. */
    @ParameterizedTest
    @MethodSource("noticedRules")
    void shouldNoticeABrokenRule(StreamRule rule) {
        int first = RuleTable.firstSeed(rule.name()).orElseThrow();
        BrokenRules broken = new BrokenRules(Set.of(), Set.of(), Set.of(rule));
        for (int seed = first; seed < first + SEEDS_TO_NOTICE; seed++) {
            try {
                new FaultScenario(new Simulation(seed), broken).run();
            } catch (AssertionError | RuntimeException noticed) {
                RuleTable.noticed(rule.name(), seed, noticed);
                return;
            }
        }
        throw new AssertionError(SEEDS_TO_NOTICE + " runs did not notice that " + rule + " was broken");
    }

    @Test
    void shouldRepeatARunByItsSeed() {
        Seeds.forEach(1, seed -> Simulation.checkRepeats(seed, simulation -> new FaultScenario(simulation).run()));
    }
}

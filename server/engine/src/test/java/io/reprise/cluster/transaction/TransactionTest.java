package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.RuleTable;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code -Dreprise.seeds=N} runs N other seeds of the scenario with all rules kept. */
final class TransactionTest {
    private static final int SEEDS_TO_NOTICE = 20_000;

    @Test
    void shouldBeStrictlySerializableUnderFaults() {
        long[] told = new long[1];
        Seeds.forEach(300, seed -> {
            TransactionScenario scenario = new TransactionScenario(new Simulation(seed), Set.of());
            scenario.run();
            told[0] += scenario.toldCalls();
        });
        assertThat(told[0]).isPositive();
    }

    @Test
    void shouldRepeatARunByItsSeed() {
        Seeds.forEach(
                5,
                seed -> Simulation.checkRepeats(
                        seed, simulation -> new TransactionScenario(simulation, Set.of()).run()));
    }

    /**
     * A new leader of the home gathered a transaction that all participants knew to be stable, by a later one. The broken rules have no effect
     * in these runs.
     */
    @Test
    void shouldEndAGatheredTransactionThatALaterOneMadeStable() {
        new TransactionScenario(new Simulation(1289), Set.of(TransactionRule.READ_STABLE)).run();
        new TransactionScenario(new Simulation(2634), Set.of(TransactionRule.CONFIRM_PARTS)).run();
    }

    /** The last pieces of an image were lost while a link was being opened, and the joiner waited for them for ever. */
    @Test
    void shouldBringUpAJoinerWhoseLastPiecesWereLost() {
        new TransactionScenario(new Simulation(1764), Set.of()).run();
    }

    static Stream<TransactionRule> noticedRules() {
        return Stream.of(TransactionRule.values())
                .filter(rule -> RuleTable.firstSeed(rule.name()).isPresent());
    }

    /** Without the rules whose faults are too rare to meet in a build. */
    @ParameterizedTest
    @MethodSource("noticedRules")
    void shouldNoticeABrokenRule(TransactionRule rule) {
        int first = RuleTable.firstSeed(rule.name()).orElseThrow();
        for (int seed = first; seed < first + SEEDS_TO_NOTICE; seed++) {
            try {
                new TransactionScenario(new Simulation(seed), Set.of(rule)).run();
            } catch (AssertionError | IllegalStateException noticed) {
                RuleTable.noticed(rule.name(), seed, noticed);
                return;
            }
        }
        throw new AssertionError(SEEDS_TO_NOTICE + " runs did not notice that " + rule + " was broken");
    }
}

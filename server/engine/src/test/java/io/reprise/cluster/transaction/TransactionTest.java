package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.Seeds;
import io.reprise.simulation.Simulation;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** Without the rules whose faults are too rare to meet in a build. */
    @ParameterizedTest
    @EnumSource(
            value = TransactionRule.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "GATE_BEHIND_READ",
                "PROMISE",
                "STABLE_IN_FRONT",
                "VOTE_FOR_RUN",
                "RAISE_BY_OWN_NUMBER",
                "CONFIRM_HOME_LAST",
                "CONFIRM_PARTS",
                "CUT_ON_ALL",
                "JOINER_NEEDS_VOTED"
            })
    void shouldNoticeABrokenRule(TransactionRule rule) {
        int first = firstSeed(rule);
        for (int seed = first; seed < first + SEEDS_TO_NOTICE; seed++) {
            try {
                new TransactionScenario(new Simulation(seed), Set.of(rule)).run();
            } catch (AssertionError | IllegalStateException noticed) {
                return;
            }
        }
        throw new AssertionError(SEEDS_TO_NOTICE + " runs did not notice that " + rule + " was broken");
    }

    /** The search begins near a seed that has noticed the rule, where faults of its kind are rare. */
    private static int firstSeed(TransactionRule rule) {
        return switch (rule) {
            case READ_STABLE -> 150;
            case ASK_ALL -> 510;
            case FENCE -> 580;
            case HOME_VOTES -> 710;
            case KEEP_UNTIL_VERDICT -> 925;
            case VOID_LOST_VOTES -> 15_210;
            default -> 1;
        };
    }
}

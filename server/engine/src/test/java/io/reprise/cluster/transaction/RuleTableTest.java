package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.replica.Rule;
import io.reprise.engine.replication.StreamRule;
import io.reprise.simulation.RuleTable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documented table of rules has each rule of the code, and only rare ones have no seed. */
final class RuleTableTest {
    private static final int RARE = 7;

    @Test
    void shouldListEachRuleOnce() {
        List<String> rules = Stream.of(Rule.values(), TransactionRule.values(), StreamRule.values())
                .flatMap(Arrays::stream)
                .map(Enum::name)
                .toList();

        assertThat(RuleTable.rows().keySet()).containsExactlyInAnyOrderElementsOf(rules);
    }

    @Test
    void shouldHaveASeedForAllButRareRules() {
        assertThat(RuleTable.rows().values().stream().filter(seed -> seed < 0)).hasSizeLessThanOrEqualTo(RARE);
        assertThat(Stream.of(Rule.values()).map(rule -> RuleTable.firstSeed(rule.name())))
                .allMatch(seed -> seed.isPresent());
    }
}

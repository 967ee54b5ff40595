package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.sql.bind.PlanningErrors;
import io.reprise.sql.bind.SqlPlanningException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No text that the SQL library wrote for its own developers reaches a user. */
final class RefusalsInOurWordsTest {
    /** Names of classes, identities of objects, and what exceptions of the JDK say. */
    private static final Pattern INTERNAL =
            Pattern.compile("\\b(java|org)\\.\\w+\\.|\\b(Rel|Rex|Sql|Logical)[A-Z]\\w|@[0-9a-f]{4,}|(^|: )null\\b"
                    + "|out of bounds|\\$SCALAR|Cycle detected|not subset|expected non-null");

    private static final String NOT_PLANNED = "the statement is not supported in this form: write it another way";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Index 3 out of bounds for length 1",
                "LogicalCorrelate",
                "expected non-null operand 0 in org.apache.calcite.sql.SqlCallBinding@42667a2c",
                "Was not expecting value 'TIME_TZ' for enumeration 'org.apache.calcite.sql.type.SqlTypeName'",
                "anything at all"
            })
    void shouldKeepTheTextOfAnUnexpectedExceptionFromUsers(String text) {
        for (Throwable thrown : List.of(
                new IllegalStateException(text),
                new RuntimeException(text, new NullPointerException()),
                new AssertionError(text),
                new UnsupportedOperationException((String) null))) {
            SqlPlanningException refusal = PlanningErrors.of(thrown, Set.of());

            assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(refusal.getMessage()).startsWith(NOT_PLANNED);
            assertThat(refusal.getCause()).isSameAs(thrown);
        }
    }

    @Test
    void shouldKeepThePlaceOfARefusalWhoseTextIsInternal() {
        CalciteContextException refused = new CalciteContextException(
                "At line 2, column 5", new IllegalStateException("null in RexCall@1234abcd"), 2, 5, 2, 9);

        assertThat(PlanningErrors.of(new RuntimeException(refused), Set.of()).getMessage())
                .startsWith(NOT_PLANNED)
                .endsWith(" at line 2, column 5");
    }

    @Test
    void shouldRefuseDamagedStatementsInOurWords() {
        RandomStatements statements = new RandomStatements(11);
        Random random = new Random(11);
        int refused = 0;
        for (int i = 0; i < 2_500; i++) {
            String sql = damaged(statements.next(), random);
            try {
                StatementPlanner.plan(PlanFixture.CATALOG, sql);
            } catch (SqlPlanningException e) {
                refused++;
                assertThat(e.line())
                        .as("a place in %s: %s", sql, e.getMessage())
                        .isPositive();
                assertThat(e.getMessage()).as(sql).doesNotContainPattern(INTERNAL);
            }
        }
        assertThat(refused).isBetween(500, 2_499);
    }

    /** A statement with some of its words left out, written twice, exchanged or replaced. */
    private static String damaged(String sql, Random random) {
        List<String> words = new ArrayList<>(List.of(sql.split("(?<=[(), ])|(?=[(), ])")));
        List<String> others = List.of("NULL", "(SELECT 1, 2)", "*", "id", "COUNT(*)", "'x'", "(1, 2)", "DISTINCT", "?");
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(words.size());
            switch (random.nextInt(4)) {
                case 0 -> words.remove(at);
                case 1 -> words.add(at, words.get(at));
                case 2 -> words.set(at, words.get(random.nextInt(words.size())));
                default -> words.set(at, others.get(random.nextInt(others.size())));
            }
        }
        return String.join("", words);
    }
}

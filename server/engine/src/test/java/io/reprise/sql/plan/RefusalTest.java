package io.reprise.sql.plan;

import static io.reprise.sql.plan.PlanFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.ErrorCode;
import io.reprise.sql.bind.SqlPlanningException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refused statements and their messages. */
final class RefusalTest {
    @Test
    void shouldNameWhatIsNotSupported() {
        assertThat(refusal("SELECT id,\n  SUM(DISTINCT n) OVER (PARTITION BY id) FROM r"))
                .startsWith("SUM(DISTINCT ...) OVER is not supported");
        assertThat(refusal("SELECT * FROM f(1)")).startsWith("the only function that FROM takes is GENERATE_SERIES");
        assertThat(refusal("MERGE INTO r USING r2 ON r.id = r2.id WHEN MATCHED THEN UPDATE SET n = 1"))
                .startsWith("MERGE is not supported: use UPSERT");
        assertThat(refusal("SELECT * FROM r TABLESAMPLE BERNOULLI(10)")).startsWith("TABLESAMPLE is not supported");
        assertThat(refusal("SELECT ARRAY(SELECT 1)")).startsWith("ARRAY of a query is not supported");
        assertThat(refusal("SELECT id FROM r\nWHERE (id, n) > (1, 2)"))
                .startsWith(
                        "rows are compared with = and IN only: compare their columns, such as a > 1 OR a = 1 AND b > 2")
                .endsWith("at line 2, column 7");
        assertThat(refusal("SELECT id FROM r WHERE (id, n) <> (1, ?)")).startsWith("rows are compared with = and IN");
        assertThat(refusal("SELECT INTERVAL '1' DAY")).contains("INTERVAL DAY, which is not supported: cast it to one");
    }

    @Test
    void shouldRefuseToOrderByWhatIsTheSameForAllRows() {
        assertThat(refusal("SELECT n FROM r ORDER BY n, 1.5"))
                .isEqualTo(
                        "in ORDER BY, 1.5 is neither a column nor the number of one: write its name, its number, or an"
                                + " expression of columns at line 1, column 29");
        assertThat(refusal("SELECT n FROM r ORDER BY 'n' DESC NULLS LAST")).startsWith("in ORDER BY, 'n' is neither");
        assertThat(refusal("SELECT n FROM r WHERE id = (SELECT id FROM r2 ORDER BY 'id' LIMIT 1)"))
                .startsWith("in ORDER BY, 'id' is neither");
        assertThat(refusal("SELECT n FROM r ORDER BY -1")).startsWith("in ORDER BY, a number with a sign is neither");
        assertThat(refusal("SELECT n FROM r ORDER BY - (1) DESC")).startsWith("in ORDER BY, a number with a sign is");
        assertThat(refusal("SELECT n FROM r ORDER BY NULL")).startsWith("in ORDER BY, NULL is neither");
        assertThat(refusal("SELECT n FROM r ORDER BY TRUE, n")).startsWith("in ORDER BY, TRUE is neither");
        assertThat(refusal("SELECT n FROM r ORDER BY 2")).startsWith("Ordinal out of range");
    }

    @Test
    void shouldSuggestFunctionsWhenTheNameIsUnknown() {
        assertThat(refusal("SELECT UPER(name) FROM r"))
                .isEqualTo("the function UPER is not supported: did you mean UPPER? at line 1, column 8");
        assertThat(refusal("SELECT RANDOM_UUID() FROM r"))
                .isEqualTo("the function RANDOM_UUID is not supported at line 1, column 8");
        assertThat(refusal("SELECT COVAR_POP(n, n) FROM r")).startsWith("the function COVAR_POP is not supported");
    }

    @Test
    void shouldSayWhatWasExpectedWhenSyntaxIsWrong() {
        assertThat(refusal("SELECT * FROM r WHERE"))
                .isEqualTo("syntax error: unexpected end of statement: expected an expression at line 1, column 21");
        assertThat(refusal("SELECT * FROM r ORDER id"))
                .isEqualTo("syntax error: unexpected \"id\": expected BY at line 1, column 23");
        assertThat(refusal("SELEC 1")).startsWith("syntax error: expected SELECT, WITH, VALUES, INSERT");
        assertThat(refusal("/* first */\n  BEGIN"))
                .isEqualTo("syntax error: expected SELECT, WITH, VALUES, INSERT, UPSERT, UPDATE, DELETE, TRUNCATE or"
                        + " EXPLAIN at line 2, column 3");
        assertThat(refusal("SET x = 1")).startsWith("syntax error: expected SELECT, WITH");
        assertThat(refusal("TRUNCATE r s"))
                .isEqualTo("syntax error: expected TRUNCATE TABLE and the name of a table at line 1, column 1");
        assertThat(refusal("  ; ")).startsWith("there is no statement in the text: expected SELECT");
        assertThat(refusal("CREATE TABLE x (a INTEGER)")).startsWith("CREATE defines the schema");
        assertThat(refusal("SELECT 'abc")).startsWith("syntax error");
        assertThat(refusal("SELECT `id` FROM r"))
                .isEqualTo(
                        "syntax error: unexpected \"`\": strings stand in single quotes, names that need it in double"
                                + " ones at line 1, column 8");
        assertThat(refusal("SELECT (SELECT id, n FROM r)"))
                .isEqualTo(
                        "a sub-query in place of a value has one column, but this one has several at line 1, column 8");
        assertThat(refusal("SELECT ts - DATE '2024-01-01' FROM (VALUES (DATE '2024-01-02')) v(ts)"))
                .startsWith("a time can't be subtracted from another: write DATEDIFF(unit, from, to)");
    }

    /** The Julian calendar has a 29th of February in each century. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            DATE '1500-02-29'                   | there is no day 1500-02-29 at line 1, column 13
            DATE '2023-02-29'                   | there is no day 2023-02-29 at line 1, column 13
            DATE '2024-13-01'                   | there is no day 2024-13-01 at line 1, column 13
            TIMESTAMP '1300-02-29 12:00:00.5'   | there is no day 1300-02-29 at line 1, column 18
            TIMESTAMP '2024-04-31 12:00:00'     | there is no day 2024-04-31 at line 1, column 18
            """)
    void shouldRefuseDaysThatThereAreNot(String literal, String message) {
        assertThat(refusal("SELECT " + literal + " FROM r")).isEqualTo(message);
    }

    @Test
    void shouldSayThatANameIsAReservedWord() {
        String hint = "NATURAL is a reserved word; where it is meant as a name, quote it: \"NATURAL\"";
        assertThat(refusal("SELECT r.natural FROM r"))
                .isEqualTo(
                        "syntax error: unexpected \". natural\": expected *, a name; " + hint + " at line 1, column 9");
        assertThat(refusal("SELECT id AS natural FROM r"))
                .isEqualTo("syntax error: unexpected \"natural\": expected a name; " + hint + " at line 1, column 14");
        assertThat(refusal("SELECT id natural FROM r"))
                .isEqualTo("syntax error: unexpected \"natural\": " + hint + " at line 1, column 11");
        assertThat(refusal("SELECT Natural FROM r"))
                .isEqualTo("syntax error: unexpected \"Natural\": expected an expression; " + hint
                        + " at line 1, column 8");
        assertThat(refusal("SELECT id FROM r AS natural")).contains(hint);
        assertThat(refusal("INSERT INTO r (id, natural) VALUES (1, 2)")).contains(hint);
        assertThat(refusal("UPDATE r SET natural = 1")).contains(hint);
        assertThat(refusal("SELECT DEFAULT FROM r"))
                .startsWith("syntax error: unexpected \"DEFAULT\": expected an expression; DEFAULT is a reserved word");
        assertThat(refusal("SELECT values FROM r"))
                .contains("VALUES is a reserved word; where it is meant as a name, quote it");
        assertThat(refusal("SELECT id FROM r LIMIT NULL"))
                .contains("unexpected \"NULL\": expected ", "a number")
                .doesNotContain("reserved", "an expression");
    }

    @Test
    void shouldSayHowABooleanBecomesANumber() {
        assertThat(refusal("SELECT CAST(n > 1 AS INTEGER) FROM r"))
                .isEqualTo("a value of type BOOLEAN cannot be converted to INTEGER: write CASE WHEN b THEN 1 WHEN NOT b"
                        + " THEN 0 END for a BOOLEAN b at line 1, column 8");
        assertThat(refusal("SELECT CAST(TRUE AS DECIMAL(5, 2))"))
                .startsWith("a value of type BOOLEAN cannot be converted to DECIMAL(5, 2): write CASE WHEN");
        assertThat(refusal("SELECT CAST(TRUE AS DATE)"))
                .isEqualTo("a value of type BOOLEAN cannot be converted to DATE at line 1, column 8");
    }

    @Test
    void shouldNameWhatIsNotThere() {
        assertThat(refusal("SELECT * FROM nosuch")).isEqualTo("there is no table NOSUCH at line 1, column 15");
        assertThat(refusal("SELECT m FROM r")).isEqualTo("Column 'M' not found in any table at line 1, column 8");
        assertThat(refusal("TRUNCATE TABLE nosuch")).isEqualTo("there is no table NOSUCH at line 1, column 16");
        assertThat(refusal("SELECT id FROM r, r2")).isEqualTo("Column 'ID' is ambiguous at line 1, column 8");
        assertThat(refusal("INSERT INTO r (id, m) VALUES (1, 2)")).startsWith("Unknown target column 'M'");
    }

    @Test
    void shouldRefuseWritesThatCannotBeDone() {
        assertThat(refusal("UPDATE p SET k = 1 WHERE k = 2"))
                .isEqualTo(
                        "the partitioning column K of table P cannot be updated, since the row would belong to another"
                                + " partition: delete the row and insert it again at line 1, column 14");
        assertThat(refusal("UPSERT INTO heap VALUES (1, 'a')"))
                .isEqualTo("UPSERT needs a primary key, and table HEAP has none: use INSERT, or declare one at line 1,"
                        + " column 13");
        assertThat(refusal("INSERT INTO r (id, n) VALUES (1)")).startsWith("Number of INSERT target columns (2)");
    }

    @Test
    void shouldSayWhereWhenOnlyThePlanShowsWhatIsWrong() {
        assertThat(refusal("SELECT id\nFROM p\nWHERE n >\n  (SELECT AVG(s) FROM q)"))
                .endsWith(" at line 4, column 23");
        assertThat(refusal("DELETE FROM heap WHERE a IN\n (SELECT id FROM r\n  LIMIT 2)"))
                .endsWith(" at line 3, column 9");
        assertThat(refusal("SELECT id,\n  1234567890123456789012345678901234567890 FROM r"))
                .contains("1234567890123456789012345678901234567890")
                .endsWith(" at line 2, column 3");
        assertThat(refusal("SELECT id,\n CAST(id AS DECIMAL(39, 2)) FROM r"))
                .isEqualTo("a DECIMAL has 1 to 38 digits, but this one has 39 at line 2, column 13");
        assertThat(refusal("SELECT id FROM r\nWHERE id < 100000000000000000000000000000000000000"))
                .isEqualTo(
                        "the number 100000000000000000000000000000000000000 has too many digits: a number has at most"
                                + " 38; write it as a DOUBLE, such as 1.5e20 at line 2, column 12");
        assertThat(refusal("SELECT 12345678901234567890123456789012345678.5")).contains("has too many digits");
        assertThat(refusal("  EXPLAIN UPSERT INTO heap VALUES (1, 'a')")).endsWith(" at line 1, column 23");
        assertThat(refusal("TRUNCATE TABLE\n  nosuch")).endsWith(" at line 2, column 3");
        assertThat(refusal("INSERT INTO heap (a)\nSELECT CAST(SUM(x) AS INTEGER) FROM (VALUES (1e0)) AS v(x), r"))
                .endsWith(" at line 2, column 13");
    }

    @Test
    void shouldBeInvalidRequestWithoutStackTrace() {
        SqlPlanningException refused = new SqlPlanningException("no", 3, 4);

        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(refused).hasMessage("no at line 3, column 4");
        assertThat(refused.line()).isEqualTo(3);
        assertThat(refused.column()).isEqualTo(4);
        assertThat(refused.getStackTrace()).isEmpty();
    }

    /**
     * The first, which are not nested deeply, have all classes made ready: one whose initialiser is what meets the end of the stack can't be
     * used any more.
     */
    @Test
    void shouldRefuseWhenNestedTooDeeplyInWhicheverStageThatIsFound() {
        concatenationsAndConditions(3).forEach(PlanFixture::plan);
        for (int terms = 300; terms < 1_000; terms = terms * 5 / 4) {
            for (String sql : concatenationsAndConditions(terms)) {
                try {
                    PlanFixture.plan(sql);
                } catch (SqlPlanningException refused) {
                    assertThat(refused.getMessage())
                            .isEqualTo(
                                    "the statement is nested too deeply to be planned: split it at line 1, column 1");
                }
            }
        }
    }

    private static List<String> concatenationsAndConditions(int terms) {
        return List.of(
                "SELECT CHAR_LENGTH(name" + " || name".repeat(terms) + ") FROM r",
                "SELECT id FROM r WHERE n <> 7" + " AND n <> 7".repeat(terms));
    }

    @Test
    void shouldRefuseWhenNestedTooDeeply() {
        assertThat(PlanFixture.plan(inParentheses(3))).isNotNull();

        assertThat(refusal(inParentheses(20_000)))
                .isEqualTo("the statement is nested too deeply to be planned: split it at line 1, column 1");
    }

    private static String inParentheses(int depth) {
        return "SELECT " + "(".repeat(depth) + "1" + ")".repeat(depth);
    }
}

package io.reprise.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.SearchPath;
import io.reprise.catalog.SqlType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Literals that become parameters. */
final class LiteralsTest {
    private static Translation lifted(String sql) {
        return Translator.translate(
                ClientStatement.split(sql).getFirst(), SearchPath.DEFAULT, name -> null, Map.of(), Map.of(), true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "SELECT a FROM t WHERE id = 5 AND name <> 'x'|SELECT a FROM t WHERE id = ? AND name <> ?|5 'x",
                "SELECT a FROM t WHERE \"id\" >= -5 ORDER BY 1|SELECT a FROM t WHERE \"ID\" >= ? ORDER BY 1|-5",
                "SELECT a FROM t WHERE t.id IN (1, -2, '3') LIMIT 4|SELECT a FROM t WHERE t.id IN (?, ?, ?) LIMIT 4|1 -2 '3",
                "DELETE FROM t WHERE id BETWEEN 1 AND 9|DELETE FROM t WHERE id BETWEEN ? AND ?|1 9",
                "UPDATE t SET a = 'y', b = b + 1, c = 2.50 WHERE id = 7|UPDATE t SET a = ?, b = b + 1, c = ? WHERE id = ?|'y 2.50 7",
                "INSERT INTO t VALUES (1, 'x', NULL, 2 + 3, f(4)), (-2, 'y', 1, 1, 1)|"
                        + "INSERT INTO t VALUES (?, ?, NULL, 2 + 3, f(4)), (?, ?, ?, ?, ?)|1 'x -2 'y 1 1 1",
                "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 3|"
                        + "INSERT INTO t VALUES (?) ON CONFLICT (id) DO UPDATE SET a = ?|1 3"
            })
    void shouldLiftLiterals(String sql, String expected, String literals) {
        Translation translation = lifted(sql);

        assertThat(translation.sql()).isEqualTo(expected);
        assertThat(String.join(" ", translation.literals())).isEqualTo(literals);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 5, 'x' FROM t",
                "SELECT a FROM t WHERE id = 5 + 1",
                "SELECT a FROM t WHERE id = 5::smallint",
                "SELECT a FROM t WHERE d = DATE '2020-01-01'",
                "SELECT a FROM t WHERE f(id) = 5",
                "SELECT a FROM t WHERE id IN (1, b)",
                "SELECT CASE WHEN id = 1 THEN 'x' END FROM t",
                "SELECT a FROM t WHERE name LIKE 'x%'",
                "SELECT a FROM t WHERE id = 5e3",
                "SELECT a FROM t ORDER BY 1 LIMIT 5 OFFSET 6",
                "SELECT CAST(a AS VARCHAR(5)) FROM t",
                "SELECT * FROM (VALUES (1, 'x')) AS v",
                "INSERT INTO t SELECT * FROM (VALUES (1)) AS v"
            })
    void shouldLeaveLiteralsThatMeanSomethingElse(String sql) {
        assertThat(lifted(sql).literals()).isEmpty();
        assertThat(lifted(sql).sql()).doesNotContain("?");
    }

    @Test
    void shouldKeepParametersOfTheClientApart() {
        Translation translation = lifted("UPDATE t SET a = 'y' WHERE id = $2 AND b = 7 AND c = $1");

        assertThat(translation.parameters()).containsExactly(-1, 1, -2, 0);
        assertThat(translation.clientParameters()).isEqualTo(2);
        assertThat(translation.literals()).isEqualTo(List.of("'y", "7"));
    }

    @Test
    void shouldTakeOnlyValuesThatFitTheParameter() {
        assertThat(Literals.value("5", SqlType.of(SqlType.Kind.INTEGER))).contains(5L);
        assertThat(Literals.value("'5", SqlType.of(SqlType.Kind.BIGINT))).contains(5L);
        assertThat(Literals.value("3000000000", SqlType.of(SqlType.Kind.INTEGER)))
                .isEmpty();
        assertThat(Literals.value("1.5", SqlType.of(SqlType.Kind.BIGINT))).isEmpty();
        assertThat(Literals.value("5", SqlType.varchar(5))).isEmpty();
        assertThat(Literals.value("'longer", SqlType.varchar(5))).isEmpty();
        assertThat(Literals.value("'x", SqlType.of(SqlType.Kind.BIGINT))).isEmpty();
        assertThat(Literals.value("'2020-02-30", SqlType.of(SqlType.Kind.DATE))).isEmpty();
    }
}

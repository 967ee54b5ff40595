package io.reprise.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of columns that have none, as PostgreSQL gives them. */
final class ItemNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "SELECT count(*) FROM t => 0 => 1 => count",
                "SELECT a, SUM(b) OVER (ORDER BY a), 1 + 1 FROM t => 1 => 3 => sum",
                "SELECT a, SUM(b) OVER (ORDER BY a), 1 + 1 FROM t => 2 => 3 => ?column?",
                "SELECT count(*) FILTER (WHERE a > 1) FROM t => 0 => 1 => count",
                "SELECT count(*) + 1 FROM t => 0 => 1 => ?column?",
                "WITH q AS (SELECT x FROM t) SELECT max(x) FROM q => 0 => 1 => max",
                "SELECT CASE WHEN a THEN 1 END, '5'::int, a::text, (b)::numeric(5,2) FROM t => 0 => 4 => case",
                "SELECT CASE WHEN a THEN 1 END, '5'::int, a::text, (b)::numeric(5,2) FROM t => 1 => 4 => int4",
                "SELECT CASE WHEN a THEN 1 END, '5'::int, a::text, (b)::numeric(5,2) FROM t => 2 => 4 => a",
                "SELECT CASE WHEN a THEN 1 END, '5'::int, a::text, (b)::numeric(5,2) FROM t => 3 => 4 => b",
                "SELECT CAST(lower(a) AS text), CAST(1 AS boolean) => 0 => 2 => lower",
                "SELECT CAST(lower(a) AS text), CAST(1 AS boolean) => 1 => 2 => bool",
                "SELECT (SELECT max(a) FROM t), EXISTS (SELECT 1) => 0 => 2 => max",
                "SELECT (SELECT max(a) FROM t), EXISTS (SELECT 1) => 1 => 2 => exists",
                "SELECT t.*, coalesce(a, 1) FROM t => 3 => 4 => coalesce",
                "SELECT a, trim(leading 'x' from b), true, current_date => 1 => 4 => ltrim",
                "SELECT a, trim(leading 'x' from b), true, current_date => 2 => 4 => bool",
                "VALUES (1, 2), (3, 4) => 1 => 2 => column2",
                "SELECT count(*) FROM t UNION SELECT 1 => 0 => 1 => count",
                "INSERT INTO t VALUES (1) RETURNING upper(a) => 0 => 1 => upper",
                "SELECT 'x' || 'y', -a FROM t => 1 => 2 => ?column?"
            })
    void shouldNameColumnsAsPostgresDoes(String sql, int column, int columns, String expected) {
        ClientStatement statement = ClientStatement.split(sql).getFirst();

        assertThat(ItemNames.of(statement, column, columns)).isEqualTo(expected);
    }
}

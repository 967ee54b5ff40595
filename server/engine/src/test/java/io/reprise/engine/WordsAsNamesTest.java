package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Rows;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words with a meaning in the grammar that are names without quotes, as in PostgreSQL. */
class WordsAsNamesTest {
    private static Reprise engine;

    @BeforeAll
    static void open() {
        engine = Options.create().partitions(1).memoryPerPartition(64 << 20).open();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static String one(String sql) {
        Rows rows = engine.sql(sql).rows();
        assertThat(rows.next()).isTrue();
        return String.valueOf(rows.valueAt(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at",
                "value",
                "date",
                "time",
                "timestamp",
                "year",
                "month",
                "day",
                "hour",
                "minute",
                "second",
                "position",
                "result",
                "rank",
                "count",
                "sum",
                "min",
                "max",
                "avg",
                "start",
                "language",
                "method",
                "match",
                "element",
                "member",
                "next",
                "parameter",
                "period",
                "precision",
                "percent",
                "condition",
                "cursor",
                "filter",
                "free",
                "function",
                "hold",
                "global",
                "local",
                "module",
                "multiset",
                "new",
                "none",
                "of",
                "old",
                "open",
                "overlay",
                "prepare",
                "procedure",
                "ref",
                "reset",
                "return",
                "revoke",
                "savepoint",
                "scroll",
                "search",
                "specific",
                "static",
                "subset",
                "system",
                "trigger",
                "without",
                "abs",
                "call",
                "connect",
                "convert",
                "cycle",
                "each",
                "equals",
                "exec",
                "execute",
                "get",
                "identity",
                "large",
                "lower",
                "upper",
                "measure",
                "mod",
                "power",
                "release",
                "show",
                "stream",
                "truncate",
                "current",
                "begin",
                "one",
                "out",
                "scope",
                "lag",
                "lead",
                "row_number",
                "floor",
                "exp",
                "sqrt",
                "translate",
                "initial",
                "empty"
            })
    void shouldBeNamesOfColumnsAndTables(String word) {
        engine.ddl("CREATE TABLE " + word + " (" + word + " INTEGER NOT NULL, z INTEGER DEFAULT 2, PRIMARY KEY (" + word
                + ")); CREATE INDEX i_" + word + " ON " + word + " (z, " + word + ")");
        engine.sql("INSERT INTO " + word + " (" + word + ", z) VALUES (1, 5), (2, 6)");
        engine.sql("UPDATE " + word + " SET " + word + " = " + word + " + 10 WHERE " + word + " = 2");

        assertThat(one("SELECT " + word + " FROM " + word + " WHERE " + word + " > 1 ORDER BY " + word))
                .isEqualTo("12");
        assertThat(one("SELECT t." + word + " AS " + word + " FROM " + word + " AS t WHERE t." + word + " IN (12)"))
                .isEqualTo("12");
        assertThat(one("SELECT SUM(" + word + ") FROM " + word + " GROUP BY z HAVING MAX(" + word + ") = 12"))
                .isEqualTo("12");
        assertThat(one("SELECT z, " + word + ", 1 FROM " + word + " ORDER BY " + word + " DESC LIMIT 1"))
                .isEqualTo("6");
        engine.sql("DELETE FROM " + word + " WHERE " + word + " BETWEEN 1 AND 2");
        assertThat(one("SELECT COUNT(*) FROM " + word)).isEqualTo("1");
    }

    @Test
    void shouldKeepTheirMeaning() {
        engine.ddl("CREATE TABLE visit (date DATE, timestamp TIMESTAMP, year INTEGER)");
        engine.sql("INSERT INTO visit VALUES (DATE '2026-01-31', TIMESTAMP '2026-01-31 12:00:00', 2026)");

        assertThat(one("SELECT year FROM visit WHERE date = DATE '2026-01-31' AND timestamp > CAST(date AS TIMESTAMP)"))
                .isEqualTo("2026");
        assertThat(one("SELECT EXTRACT(YEAR FROM date) + year FROM visit")).isEqualTo("4052");
        assertThat(one("SELECT COUNT(*) FROM visit WHERE CAST(timestamp AS DATE) = date AND '2026-01-31'::date = date"))
                .isEqualTo("1");
        assertThat(one("SELECT date + INTERVAL '1' DAY = DATE '2026-02-01' FROM visit"))
                .isEqualTo("true");
        assertThat(one("SELECT COUNT(*) FILTER (WHERE year > 1) FROM visit")).isEqualTo("1");
        assertThat(one("SELECT YEAR(date) FROM visit")).isEqualTo("2026");
        assertThat(one("SELECT SUM(year) OVER (ORDER BY date ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM visit"))
                .isEqualTo("2026");
        assertThat(one("SELECT CAST('2026-01-31 12:00:00' AS TIMESTAMP WITHOUT TIME ZONE) = timestamp FROM visit"))
                .isEqualTo("true");
        assertThat(one("SELECT '2026-01-31 12:00:00'::TIMESTAMP WITHOUT TIME ZONE = timestamp FROM visit"))
                .isEqualTo("true");
        assertThat(one("SELECT POSITION('a' IN 'ba')")).isEqualTo("2");
        assertThat(one("SELECT ABS(-year) FROM visit FETCH NEXT 1 ROWS ONLY")).isEqualTo("2026");
    }
}

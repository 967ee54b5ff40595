package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that hold several partitions, with SQL. */
class MultiPartitionTest {
    private static Reprise ledger(int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(256 << 20)
                .ddl(Ledger.DDL)
                .ddl("CREATE PROCEDURE FROM CLASS io.reprise.engine.Ledger$WriteMany;"
                        + "CREATE PROCEDURE FROM CLASS io.reprise.engine.Ledger$FailHalfWay;"
                        + "CREATE PROCEDURE FROM CLASS io.reprise.engine.Ledger$Mixed;"
                        + "CREATE PROCEDURE FROM CLASS io.reprise.engine.Ledger$ReadSettings;"
                        + "CREATE PROCEDURE FROM CLASS io.reprise.engine.Ledger$Calculate;"
                        + "CREATE PROCEDURE Routed PARTITION ON TABLE entry COLUMN id FROM CLASS"
                        + " io.reprise.engine.Ledger$Stray;"
                        + "CREATE PROCEDURE RoutedByMany PARTITION ON TABLE entry COLUMN id AND ON TABLE entry COLUMN id"
                        + " PARAMETER 1 FROM CLASS io.reprise.engine.Ledger$Stray")
                .open();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldUndoAtAllParticipantsWhenSavepointIsReturnedTo(int partitions) {
        try (Reprise engine = ledger(partitions)) {
            assertThat(engine.call("WriteMany", 0, 40).longValue()).isEqualTo(20);
            assertThatThrownBy(() -> engine.call("WriteMany", 30, 20))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION));
            assertThat(engine.call("WriteMany", 40, 10).longValue()).isEqualTo(25);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldConvertAStringThatStandsForThePartitioningValue(int partitions) {
        try (Reprise engine = ledger(partitions)) {
            engine.sql("INSERT INTO entry VALUES ('5000', 3, 7.50, NULL)");
            engine.sql("INSERT INTO entry VALUES (5001, 3, 7.50, NULL)");

            assertThat(rows(engine, "SELECT line FROM entry WHERE id = '5000'")).isEqualTo(1);
            assertThat(rows(engine, "SELECT line FROM entry WHERE id = '5002'")).isZero();
            assertThat(engine.sql("UPDATE entry SET line = 4 WHERE id = ' 5001 '")
                            .longValue())
                    .isEqualTo(1);
            assertThatThrownBy(() -> engine.sql("DELETE FROM entry WHERE id = 'zz'"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                    .hasMessageContaining("'zz'");
            assertThat(rows(engine, "SELECT id FROM entry WHERE id = 5000.0")).isEqualTo(1);
            assertThat(rows(engine, "SELECT id FROM entry WHERE id = 5e3")).isEqualTo(1);
        }
    }

    private static int rows(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        int count = 0;
        while (rows.next()) {
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldUndoStatementEverywhereWhenOnePartitionFails(int partitions) {
        try (Reprise engine = ledger(partitions)) {
            for (int i = 0; i < 20; i++) {
                engine.sql("INSERT INTO entry VALUES (?, ?, 7.50, NULL)", i, i == 13 ? 5 : 3);
            }

            assertThat(engine.call("FailHalfWay", 5).longValue()).isEqualTo(20 * 750);
            assertThatThrownBy(() -> engine.sql("UPDATE entry SET amount = 100 / (line - 5)"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DIVISION_BY_ZERO));
            assertThat(engine.call("FailHalfWay", 5).longValue()).isEqualTo(20 * 750);
            assertThat(engine.sql("UPDATE entry SET amount = amount + 1").longValue())
                    .isEqualTo(20);
            assertThat(engine.call("FailHalfWay", 5).longValue()).isEqualTo(20 * 850);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldReadWhatItWroteWhenTablesAreReplicatedAndPartitioned(int partitions) {
        try (Reprise engine = ledger(partitions)) {
            String[] texts = {"a", "quick", "brown", "fox", "jumped over"};

            Rows rows = engine.call("Mixed", texts, 42).rows();

            StringBuilder found = new StringBuilder();
            while (rows.next()) {
                found.append(rows.stringAt(0))
                        .append(' ')
                        .append(rows.longAt(1))
                        .append(' ');
                assertThat(rows.longAt(2)).isEqualTo(42);
            }
            assertThat(found).hasToString("jumped over 11 brown 5 quick 5 fox 3 a 1 ");
            assertThat(engine.sql("SELECT COUNT(*) FROM setting").rows()).satisfies(r -> {
                r.next();
                assertThat(r.longAt(0)).isEqualTo(1);
            });
        }
    }

    @Test
    void shouldRefuseStatementThatLeavesItsScope() {
        try (Reprise engine = ledger(2)) {
            long other = 1;
            while (Buckets.DEFAULT.of(other) == Buckets.DEFAULT.of(0)) {
                other++;
            }
            long elsewhere = other;
            while (engine.buckets().partition(Buckets.DEFAULT.of(elsewhere))
                    == engine.buckets().partition(Buckets.DEFAULT.of(0))) {
                elsewhere++;
            }
            long[] strays = {0, other};
            long[] far = {0, elsewhere};

            assertThat(engine.call("Routed", 0, new long[] {0}).longValue()).isZero();
            assertThatThrownBy(() -> engine.call("Routed", 0, strays))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SCOPE_VIOLATION));
            assertThat(engine.call("RoutedByMany", 0, far).longValue()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldRunInEachPartitionInTurnWhenProcedureNeedsNoneOfThem(int partitions) {
        try (Reprise engine = ledger(partitions)) {
            engine.sql("INSERT INTO setting VALUES ('a', 2), ('b', 40)");
            BitSet ranAt = new BitSet();

            for (int i = 0; i < 3 * partitions; i++) {
                Reply read = engine.call("ReadSettings", i);
                assertThat(read.longValue()).isEqualTo(42 + i);
                assertThat(engine.call("Calculate", i).longValue()).isEqualTo((long) i * i);
                ranAt.set(read.partition());
            }

            assertThat(ranAt.cardinality()).isEqualTo(partitions);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldMergeAggregatesWhenStatementIsAdHoc(int partitions) {
        try (Reprise engine = ledger(partitions)) {
            for (int i = 0; i < 30; i++) {
                engine.sql("INSERT INTO entry VALUES (?, ?, ?, ?)", i, i % 3, new java.math.BigDecimal(i), "n" + i % 4);
            }

            Rows rows = engine.sql("SELECT line, COUNT(*), AVG(amount), MIN(note), COUNT(DISTINCT note) FROM entry"
                            + " GROUP BY line HAVING COUNT(*) > 1 ORDER BY line")
                    .rows();

            assertThat(rows.count()).isEqualTo(3);
            for (int line = 0; line < 3; line++) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.longAt(0)).isEqualTo(line);
                assertThat(rows.longAt(1)).isEqualTo(10);
                assertThat(rows.decimalAt(2).doubleValue()).isEqualTo(13.5 + line);
                assertThat(rows.stringAt(3)).isEqualTo("n0");
                assertThat(rows.longAt(4)).isEqualTo(4);
            }
            assertThat(engine.sql("DELETE FROM entry WHERE line = 1").longValue())
                    .isEqualTo(10);
            assertThat(engine.sql("SELECT note FROM entry ORDER BY amount DESC LIMIT 2")
                            .rows()
                            .count())
                    .isEqualTo(2);
            assertThat(engine.sql("TRUNCATE TABLE entry").longValue()).isEqualTo(20);
        }
    }

    /** The partition that merges has run its own part with the same statement just before. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldHaveItsLiteralsWhereResultsMeet(int partitions) {
        try (Reprise engine = Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .ddl("CREATE TABLE p (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20), city VARCHAR(20));"
                        + " PARTITION TABLE p ON COLUMN id")
                .open()) {
            for (int i = 0; i < 40; i++) {
                engine.sql("INSERT INTO p VALUES (?, ?, 'y')", i, "name-" + (i < 30 ? i % 10 : i));
            }
            for (int i = 0; i < 3; i++) {
                Rows rows = engine.sql("SELECT name, CASE WHEN COUNT(*) > 1 THEN 'many' ELSE 'few' END FROM p"
                                + " WHERE city <> 'x' GROUP BY name HAVING MAX(city) < 'zebra' ORDER BY name")
                        .rows();
                int many = 0;
                while (rows.next()) {
                    boolean several = rows.stringAt(0).length() == 6;
                    many += several ? 1 : 0;
                    assertThat(rows.stringAt(1)).isEqualTo(several ? "many" : "few");
                }
                assertThat(rows.count()).isEqualTo(20);
                assertThat(many).isEqualTo(10);
            }
        }
    }

    /** The merge of results, which may be most of a statement, has the same limit as its parts. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldEndAStatementThatTakesTooLongWhereResultsMeet(int partitions) {
        try (Reprise engine = Options.create()
                .partitions(partitions)
                .timeLimit(Duration.ofMillis(200))
                .ddl("CREATE TABLE big (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE big ON COLUMN id;"
                        + " CREATE TABLE rate (id BIGINT NOT NULL PRIMARY KEY)")
                .open()) {
            for (int i = 0; i < 400; i++) {
                int id = i;
                Unhurried.call(() -> engine.sql("INSERT INTO rate VALUES (?)", id));
            }
            Unhurried.call(() -> engine.sql("INSERT INTO big VALUES (1)"));

            assertTimeoutPreemptively(
                    Duration.ofMinutes(1),
                    () -> assertThatThrownBy(() -> engine.sql("SELECT COUNT(*) FROM rate a, rate b, rate c, rate d"
                                    + " WHERE a.id + b.id + c.id + d.id < (SELECT COUNT(*) FROM big)"))
                            .isInstanceOfSatisfying(
                                    ProcedureException.class,
                                    e -> assertThat(e.code()).isEqualTo(ErrorCode.TIME_LIMIT)));
        }
    }

    /** Its rows are looked for by the rounded number, which it is not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldRefuseADecimalThatCanBeNoPartitioningValue(int partitions) {
        try (Reprise engine = Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .ddl(
                        "CREATE TABLE price (k DECIMAL(10,2) NOT NULL PRIMARY KEY, n INTEGER); PARTITION TABLE price ON COLUMN k;"
                                + " CREATE PROCEDURE Find AS SELECT n FROM price WHERE k = ?")
                .open()) {
            for (int i = 1990; i < 2010; i++) {
                engine.sql("INSERT INTO price VALUES (?, ?)", BigDecimal.valueOf(i, 2), i);
            }
            assertThat(engine.call("Find", new BigDecimal("20.000")).rows().count())
                    .isEqualTo(1);
            for (String given : List.of("19.991", "19.995", "20.004", "20.0491")) {
                BigDecimal value = new BigDecimal(given);
                assertThatThrownBy(() -> engine.call("Find", value))
                        .as(given)
                        .isInstanceOfSatisfying(
                                ProcedureException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_VALUE));
                assertThatThrownBy(() -> engine.sql("UPDATE price SET n = 1 WHERE k = ?", value))
                        .hasMessageContaining("has more digits behind the point than a DECIMAL(18,2)");
            }
        }
    }
}

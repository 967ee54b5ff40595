package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A replay writes what was written, though rows lie in another order than at the first time: behind a snapshot they lie close together,
 * where there were gaps that new rows were put into.
 */
class StorageOrderTest {
    private static final String TABLES = "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, x INTEGER, d DOUBLE);"
            + "CREATE INDEX t_d ON t (d);"
            + "CREATE TABLE h (id BIGINT);"
            + "CREATE TABLE keyed (id BIGINT NOT NULL PRIMARY KEY, x INTEGER);"
            + "CREATE TABLE r (id BIGINT NOT NULL PRIMARY KEY, n INTEGER, d DOUBLE, s VARCHAR(10));"
            + "CREATE TABLE part (tid BIGINT NOT NULL, n INTEGER NOT NULL, v BIGINT, pat VARCHAR(10), PRIMARY KEY (tid, n) USING ORDERED);"
            + "CREATE TABLE p (id BIGINT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (id, n) USING HASH);"
            + "PARTITION TABLE p ON COLUMN id;";

    private final SimulatedClock clock = new SimulatedClock();
    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open() {
        return open(1);
    }

    private Reprise open(int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .files(disk)
                .durability(Durability.standard())
                .ddl(TABLES)
                .open();
    }

    /** Rows 2 and 3 lie behind a gap in a snapshot's table, into which row 4 is put. */
    private static void makeGap(Reprise engine, int firstX, int secondX, int thirdX) {
        engine.sql("INSERT INTO r VALUES (1, 0, 0, 's')");
        engine.sql("INSERT INTO t VALUES (1, 1, 0)");
        engine.sql("INSERT INTO t VALUES (2, ?, 0)", firstX);
        engine.sql("INSERT INTO t VALUES (3, ?, 0)", secondX);
        engine.sql("DELETE FROM t WHERE id = 1");
        assertThat(engine.snapshot().succeeded()).isTrue();
        engine.sql("INSERT INTO t VALUES (4, ?, 0)", thirdX);
    }

    private void assertReplaysTo(String query, long expected) {
        for (int i = 0; i < 2; i++) {
            try (Reprise again = open()) {
                Rows rows = again.sql(query).rows();
                rows.next();
                assertThat(rows.longAt(0)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO h SELECT id FROM t",
                "INSERT INTO h SELECT x FROM t GROUP BY x",
                "INSERT INTO h SELECT a.id + b.id FROM t a, t b",
                "INSERT INTO h SELECT id FROM t UNION ALL SELECT id FROM t"
            })
    void shouldInsertRowsOfAQueryInOneSequence(String insert) {
        long count;
        try (Reprise engine = open()) {
            makeGap(engine, 5, 6, 7);
            count = engine.sql(insert).longValue();
            engine.sql("UPDATE h SET id = id + 10 WHERE id = 4");
        }

        assertReplaysTo("SELECT COUNT(*) FROM h", count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT INTO keyed SELECT id, x FROM t", "UPSERT INTO keyed SELECT id, x FROM t"})
    void shouldInsertRowsWithKeysInOneSequence(String insert) {
        try (Reprise engine = open()) {
            makeGap(engine, 5, 6, 7);
            engine.sql(insert);
        }

        assertReplaysTo("SELECT SUM(id * x) FROM keyed", 2 * 5 + 3 * 6 + 4 * 7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE r SET n = n + 1 WHERE EXISTS (SELECT 1 FROM t WHERE 1 / x > 0)",
                "UPDATE r SET n = n + 1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE 1 / x > 0)",
                "UPDATE r SET n = n + 1 WHERE 1 IN (SELECT 1 / x FROM t)",
                "UPDATE r SET n = CASE WHEN EXISTS (SELECT 1 FROM t WHERE 1 / x > 0) THEN 5 ELSE 6 END",
                "UPDATE r SET n = n + 1 WHERE EXISTS (SELECT 1 FROM t WHERE r.id / t.x > 0)",
                "UPDATE r SET d = (SELECT MIN(d) FROM t WHERE 1 / x > 0)",
                "UPDATE r SET d = (SELECT MAX(d) FROM t WHERE 1 / x > 0)"
            })
    void shouldFailWhateverRowComesFirst(String update) {
        try (Reprise engine = open()) {
            // The row that fails is the second to come in one order, and the first in the other.
            makeGap(engine, 0, 0, 1);
            assertThatThrownBy(() -> engine.sql(update))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DIVISION_BY_ZERO));
            engine.sql("UPDATE t SET x = 1 WHERE x = 0");
            engine.sql(update);
        }

        try (Reprise again = open()) {
            assertThatThrownBy(() -> again.sql("UPDATE r SET n = 1 / 0")).isInstanceOf(ProcedureException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXISTS (SELECT 1 FROM t WHERE (SELECT v FROM part WHERE tid = t.id) = 5)",
                "EXISTS (SELECT 1 FROM t WHERE (SELECT SUM(v) FROM part WHERE tid = t.id) = 5)",
                "EXISTS (SELECT 1 FROM t, part WHERE part.tid = t.id AND n = 1 AND 'okay' LIKE pat ESCAPE '!')",
                "'a' IN (SELECT CASE WHEN 'okay' LIKE pat ESCAPE '!' THEN 'a' END FROM part)"
            })
    void shouldReplayWhatSubQueriesAndPatternsMayFailOf(String condition) {
        String update = "UPDATE r SET n = CASE WHEN " + condition + " THEN 7 ELSE 8 END";
        try (Reprise engine = open()) {
            engine.sql(
                    "INSERT INTO part VALUES (3, 1, 5, 'bad!'), (3, 2, 9223372036854775807, 'ok%'), (4, 1, 5, 'ok%')");
            makeGap(engine, 0, 0, 1);
            engine.sql("DELETE FROM t WHERE id = 2");
            try {
                engine.sql(update);
            } catch (ProcedureException e) {
                // It fails, in every order, or doesn't.
            }
        }

        try (Reprise again = open()) {
            assertThatThrownBy(() -> again.sql(update)).isInstanceOf(ProcedureException.class);
        }
    }

    @Test
    void shouldFindRowsThatMatchWhenAllAreLookedAt() {
        try (Reprise engine = open()) {
            makeGap(engine, 1, 2, 3);
            engine.sql("INSERT INTO r VALUES (2, 0, 0, 's'), (6, 0, 0, 's'), (7, 0, 0, 's')");

            assertThat(engine.sql("UPDATE r SET n = n + 1 WHERE EXISTS (SELECT 1 FROM t WHERE t.x + 1 = r.id)")
                            .longValue())
                    .isEqualTo(1);
            assertThat(engine.sql("UPDATE r SET n = n + 1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.x + 1 = r.id)")
                            .longValue())
                    .isEqualTo(3);
            assertThat(engine.sql("DELETE FROM r WHERE id IN (SELECT x * 2 FROM t)")
                            .longValue())
                    .isEqualTo(2);
        }
    }

    /** MIN takes the first of equal numbers, and these two are equal and not alike. */
    @Test
    void shouldStoreNoNegativeZero() {
        try (Reprise engine = open()) {
            makeGap(engine, 1, 2, 3);
            engine.sql("UPDATE t SET d = -d WHERE id = 3");
            engine.sql("INSERT INTO r SELECT 2, 0, MIN(d), 's' FROM t");
            engine.sql("UPDATE r SET d = d * -1");

            Rows rows = engine.sql("SELECT d FROM r").rows();
            while (rows.next()) {
                assertThat(Double.doubleToRawLongBits(rows.doubleAt(0))).isZero();
            }
        }

        assertReplaysTo("SELECT COUNT(*) FROM r", 2);
    }

    /** Runs a statement that fails, and writes of that what its last argument tells. */
    public static final class Attempt extends Procedure {
        private final Statement update = sql("UPDATE t SET x = 100 / x, d = 1.0E0 / (x - 7) WHERE d = 0");
        private final Statement query = sql("SELECT 100 / x, CAST(1000000000 * (x - 6) AS SMALLINT) FROM t");
        private final Statement note = sql("UPDATE r SET n = ? WHERE id = 1");

        /** Returns a hash of what it got to know. */
        public long run(boolean updates, String asks, boolean writes) {
            int known = 1;
            try {
                if (updates) {
                    update.update();
                } else {
                    query.query();
                }
            } catch (ProcedureException e) {
                known = switch (asks) {
                    case "code" -> e.code().name().hashCode();
                    case "message" -> e.getMessage().hashCode();
                    case "text" -> e.toString().hashCode();
                    default -> 2;
                };
            }
            if (writes) {
                note.set(0, known).update();
            }
            return known;
        }
    }

    private static final String ATTEMPT = "CREATE PROCEDURE FROM CLASS " + Attempt.class.getName() + ";";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldWriteThatAStatementFailedWhateverRowComesFirst(boolean updates) {
        try (Reprise engine = open()) {
            engine.ddl(ATTEMPT);
            makeGap(engine, 0, 0, 7);

            assertThat(engine.call("Attempt", updates, "nothing", true).longValue())
                    .isEqualTo(2);
        }

        assertReplaysTo("SELECT n FROM r", 2);
    }

    @ParameterizedTest
    @CsvSource({"true, code", "true, message", "true, text", "false, code", "false, message", "false, text"})
    void shouldNotCommitWhatMayDependOnWhichRowFailedFirst(boolean updates, String asks) {
        try (Reprise engine = open()) {
            engine.ddl(ATTEMPT);
            makeGap(engine, 0, 0, 7);

            assertThatThrownBy(() -> engine.call("Attempt", updates, asks, true))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                    .hasMessageContaining("catch the error without asking");
            assertThat(engine.call("Attempt", updates, asks, false).longValue())
                    .as("what is written nowhere may be known")
                    .isNotEqualTo(2);
        }

        assertReplaysTo("SELECT n FROM r", 0);
    }

    /** Runs one of several updates that violate a constraint, and writes which error it was. */
    public static final class AttemptConstraint extends Procedure {
        private final Statement replicated =
                sql("UPDATE r SET id = 2 WHERE id = 1 AND EXISTS (SELECT 1 FROM t WHERE x = 7)");
        private final Statement keyed =
                sql("UPDATE p SET n = 2 WHERE id = 5 AND n = 1 AND EXISTS (SELECT 1 FROM t WHERE x = 7)");
        private final Statement everywhere = sql("UPDATE p SET n = 2 WHERE n = 1");
        private final Statement note = sql("UPDATE r SET n = n + ? WHERE id = 1");

        /** Returns the error's number. */
        public long run(int which) {
            Statement update = which == 0 ? replicated : which == 1 ? keyed : everywhere;
            int known = 0;
            try {
                update.update();
            } catch (ProcedureException e) {
                known = e.code().ordinal();
            }
            note.set(0, known).update();
            return known;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldCommitWhatKnowsTheOnlyErrorThatThereCanBe(int partitions) {
        long error = ErrorCode.CONSTRAINT_VIOLATION.ordinal();
        try (Reprise engine = open(partitions)) {
            engine.ddl("CREATE PROCEDURE FROM CLASS " + AttemptConstraint.class.getName() + ";");
            makeGap(engine, 7, 0, 7);
            engine.sql("INSERT INTO r VALUES (2, 0, 0, 's')");
            for (int id = 1; id <= 8; id++) {
                engine.sql("INSERT INTO p VALUES (?, 1), (?, 2)", id, id);
            }

            assertThat(engine.call("AttemptConstraint", 0).longValue()).isEqualTo(error);
            assertThat(engine.call("AttemptConstraint", 1).longValue()).isEqualTo(error);
            assertThatThrownBy(() -> engine.call("AttemptConstraint", 2))
                    .hasMessageContaining("catch the error without asking");
        }

        for (int again : new int[] {partitions, 2}) {
            try (Reprise engine = open(again)) {
                Rows rows = engine.sql("SELECT n FROM r WHERE id = 1").rows();
                rows.next();
                assertThat(rows.longAt(0)).isEqualTo(2 * error);
            }
        }
    }
}

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
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An exact sum is what it is, however its rows are spread over partitions and whichever of them comes first. */
class SumTest {
    private static final long MOST = Long.MAX_VALUE;

    /** The most that DECIMAL(18,2) holds. */
    private static final String MOST_DECIMAL = "9999999999999999.99";

    private final SimulatedClock clock = new SimulatedClock();

    /** Writes what it has summed up. */
    public static final class Total extends Procedure {
        private final Statement sum = sql("SELECT SUM(v) FROM number");
        private final Statement insert = sql("INSERT INTO total VALUES (?, ?)");

        /** Sums up. */
        public long run(long id) {
            Rows rows = sum.query();
            rows.next();
            long total = rows.longAt(0);
            insert.set(0, id).set(1, total).update();
            return total;
        }
    }

    /** Writes an average. */
    public static final class Average extends Procedure {
        private final Statement average = sql("SELECT AVG(v) FROM number");
        private final Statement insert = sql("INSERT INTO total VALUES (?, ?)");

        /** Takes the average. */
        public long run(long id) {
            Rows rows = average.query();
            rows.next();
            insert.set(0, id).set(1, rows.longAt(0)).update();
            return rows.longAt(0);
        }
    }

    private Options options(int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl("CREATE TABLE number (id BIGINT NOT NULL PRIMARY KEY, g INTEGER, v BIGINT, d DECIMAL(18,2));"
                        + "PARTITION TABLE number ON COLUMN id;"
                        + "CREATE TABLE total (id BIGINT NOT NULL PRIMARY KEY, v BIGINT);"
                        + "CREATE PROCEDURE FROM CLASS io.reprise.engine.SumTest$Total;"
                        + "CREATE PROCEDURE FROM CLASS io.reprise.engine.SumTest$Average;");
    }

    private static void insert(Reprise engine, long... values) {
        for (int i = 0; i < values.length; i++) {
            engine.sql(
                    "INSERT INTO number VALUES (?, ?, ?, ?)",
                    i,
                    i % 2,
                    values[i],
                    new BigDecimal(MOST_DECIMAL).multiply(BigDecimal.valueOf(Long.signum(values[i]))));
        }
    }

    private static String one(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        rows.next();
        return rows.isNull(0) ? "null" : rows.decimalAt(0).toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldSumUpWhatFitsThoughPartsOfItDoNot(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            insert(engine, MOST, MOST, MOST, MOST, MOST, -MOST, -MOST, -MOST, -MOST, 0);

            assertThat(one(engine, "SELECT SUM(v) FROM number")).isEqualTo(Long.toString(MOST));
            assertThat(one(engine, "SELECT SUM(v) FROM number WHERE id < 4 OR id > 5"))
                    .isEqualTo(Long.toString(MOST));
            assertThat(one(engine, "SELECT SUM(-v) FROM number")).isEqualTo(Long.toString(-MOST));
            assertThat(one(engine, "SELECT SUM(d) FROM number")).isEqualTo(MOST_DECIMAL);
            assertThat(one(engine, "SELECT AVG(d) FROM number WHERE id <> 0 AND id <> 9"))
                    .isEqualTo("0.00");
            assertThat(one(engine, "SELECT SUM(v) FROM number WHERE id > 100")).isEqualTo("null");
            assertThat(one(engine, "SELECT MAX(s) FROM (SELECT g, SUM(v) AS s FROM number GROUP BY g) x"))
                    .isEqualTo(Long.toString(MOST));
            assertThat(one(engine, "SELECT SUM(DISTINCT v) FROM number")).isEqualTo("0");
            assertThat(one(engine, "SELECT SUM(v) FILTER (WHERE id BETWEEN 4 AND 5) FROM number"))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldTakeTheAverageOfWhatIsTooMuchToBeSummedUp(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            insert(engine, MOST, MOST, MOST, MOST, MOST - 7, -4, -3, 0, 1);

            assertThat(one(engine, "SELECT AVG(v) FROM number WHERE id < 4")).isEqualTo(Long.toString(MOST));
            assertThat(one(engine, "SELECT AVG(-v) FROM number WHERE id < 4")).isEqualTo(Long.toString(-MOST));
            assertThat(one(engine, "SELECT AVG(v) FROM number WHERE id < 5")).isEqualTo(Long.toString(MOST - 2));
            assertThat(one(engine, "SELECT AVG(-v) FROM number WHERE id < 5")).isEqualTo(Long.toString(2 - MOST));
            assertThat(one(engine, "SELECT AVG(v) FROM number WHERE id BETWEEN 5 AND 6"))
                    .isEqualTo("-3");
            assertThat(one(engine, "SELECT AVG(v) FROM number WHERE id > 100")).isEqualTo("null");
            assertThat(one(engine, "SELECT AVG(v) FROM number WHERE id = 7")).isEqualTo("0");
            assertThat(one(engine, "SELECT AVG(v - 1) FROM number WHERE id < 4"))
                    .isEqualTo(Long.toString(MOST - 1));
            assertThat(one(engine, "SELECT AVG(DISTINCT v) FROM number WHERE id < 5"))
                    .isEqualTo(Long.toString(MOST - 4));
            assertThat(one(engine, "SELECT AVG(v) FILTER (WHERE v > 5) FROM number"))
                    .isEqualTo(Long.toString(MOST - 2));
            assertThat(one(engine, "SELECT MAX(a) FROM (SELECT g, AVG(v) AS a FROM number WHERE id < 4 GROUP BY g) x"))
                    .isEqualTo(Long.toString(MOST));
            assertThat(one(engine, "SELECT AVG(d) FROM number WHERE id < 5")).isEqualTo(MOST_DECIMAL);
            assertThat(one(engine, "SELECT AVG(-d) FROM number WHERE id < 5")).isEqualTo("-" + MOST_DECIMAL);
            assertThat(one(engine, "SELECT AVG(d) FROM number WHERE id < 4 OR id = 7"))
                    .isEqualTo("7999999999999999.99");
            assertThat(one(engine, "SELECT COUNT(*) FROM number HAVING AVG(v) > 5"))
                    .isEqualTo("9");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldRefuseWhatIsOutOfRangeInTheEndAndSayHowMuchItIs(int partitions) {
        try (Reprise engine = options(partitions).open()) {
            insert(engine, MOST, MOST, -5, MOST);

            assertRefused(engine, "SELECT SUM(v) FROM number", "27670116110564327416 is out of range for BIGINT");
            assertRefused(engine, "SELECT SUM(-v) FROM number", "-27670116110564327416 is out of range for BIGINT");
            assertThat(one(engine, "SELECT SUM(d) FROM number")).isEqualTo("19999999999999999.98");
            assertThat(one(engine, "SELECT MAX(s) FROM (SELECT g, SUM(d) AS s FROM number GROUP BY g) x"))
                    .isEqualTo("19999999999999999.98");
            assertThat(one(engine, "SELECT SUM(CAST(v AS NUMERIC(38))) FROM number"))
                    .isEqualTo("27670116110564327416");
            String most =
                    "(SELECT id, CAST(SIGN(v) AS NUMERIC(38)) * 99999999999999999999999999999999999999 AS w FROM number) x";
            assertThat(one(engine, "SELECT SUM(w) FROM " + most + " WHERE id < 3"))
                    .isEqualTo("99999999999999999999999999999999999999");
            assertThat(one(engine, "SELECT AVG(w) FROM " + most + " WHERE id IN (0, 1, 3)"))
                    .isEqualTo("99999999999999999999999999999999999999");
            assertRefused(
                    engine,
                    "SELECT SUM(w) FROM " + most,
                    "199999999999999999999999999999999999998 is out of range for DECIMAL(38,0)");
            assertRefused(
                    engine,
                    "SELECT g, SUM(v) FROM number GROUP BY g HAVING g = 1",
                    "18446744073709551614 is out of range for BIGINT");
        }
    }

    @Test
    void shouldReplayWhatItWroteOfASumWithAnotherNumberOfPartitions() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (Reprise engine =
                options(2).files(disk).durability(Durability.standard()).open()) {
            insert(engine, MOST, -MOST, MOST, 0, -MOST, 7, MOST, -MOST);
            assertThat(engine.call("Total", 1).longValue()).isEqualTo(7);
        }

        for (int partitions : new int[] {1, 3, 2, 5}) {
            try (Reprise again = options(partitions)
                    .files(disk)
                    .durability(Durability.standard())
                    .open()) {
                assertThat(one(again, "SELECT v FROM total")).isEqualTo("7");
            }
        }
    }

    @Test
    void shouldReplayWhatItWroteOfAnAverageWithAnotherNumberOfPartitions() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (Reprise engine =
                options(3).files(disk).durability(Durability.standard()).open()) {
            insert(engine, MOST, MOST, MOST, MOST - 5, MOST, MOST);
            assertThat(engine.call("Average", 1).longValue()).isEqualTo(MOST - 1);
        }

        for (int partitions : new int[] {1, 2, 5}) {
            try (Reprise again = options(partitions)
                    .files(disk)
                    .durability(Durability.standard())
                    .open()) {
                assertThat(one(again, "SELECT v FROM total")).isEqualTo(Long.toString(MOST - 1));
            }
        }
    }

    private static void assertRefused(Reprise engine, String sql, String message) {
        assertThatThrownBy(() -> engine.sql(sql))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OVERFLOW))
                .hasMessageContaining(message)
                .hasMessageContaining("in SUM(");
    }
}

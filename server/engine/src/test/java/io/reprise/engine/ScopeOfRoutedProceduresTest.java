package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.BucketMap;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import java.math.BigDecimal;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A procedure may touch what its routing parameters tell, and nothing else, however many partitions there are. */
final class ScopeOfRoutedProceduresTest {
    private static final String TWO = "PARTITION ON TABLE t COLUMN id PARAMETER 0 AND ON TABLE t COLUMN id PARAMETER 1";
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a BIGINT NOT NULL);
            PARTITION TABLE t ON COLUMN id;
            CREATE TABLE u (id DECIMAL(9,2) NOT NULL PRIMARY KEY, a BIGINT NOT NULL);
            PARTITION TABLE u ON COLUMN id;
            CREATE PROCEDURE Priced PARTITION ON TABLE u COLUMN id PARAMETER 0 AS SELECT a FROM u WHERE id = ?;
            """
            + "CREATE PROCEDURE " + TWO + " FROM CLASS " + Far.class.getName() + ";"
            + "CREATE PROCEDURE PARTITION ON TABLE t COLUMN id PARAMETER 0 FROM CLASS " + Several.class.getName() + ";"
            + "CREATE PROCEDURE RoutedPair " + TWO + " FROM CLASS " + Pair.class.getName() + ";"
            + "CREATE PROCEDURE FROM CLASS " + Pair.class.getName() + ";";

    /** Tries to change a row that it may have no right to, and goes on. */
    public static final class Far extends Procedure {
        private final Statement add = sql("UPDATE t SET a = a + ? WHERE id = ?");

        /** Returns how many rows it has found; -1 if it was told that it may not. */
        public long run(long first, long second, long third) {
            long found;
            try {
                found = add.set(0, 1).set(1, third).update();
            } catch (ProcedureException refused) {
                found = -1;
            }
            add.set(0, found).set(1, first).update();
            return found;
        }
    }

    /** Changes some rows. */
    public static final class Several extends Procedure {
        private final Statement add = sql("UPDATE t SET a = a + 1 WHERE id = ?");

        /** Returns how many rows it has found. */
        public long run(long[] routed, long[] touched) {
            long found = 0;
            for (long id : touched) {
                found += add.set(0, id).update();
            }
            return found;
        }
    }

    /** Reads two rows with one statement. */
    public static final class Pair extends Procedure {
        private final Statement both = sql("SELECT x.a + y.a FROM t x, t y WHERE x.id = ? AND y.id = ?");
        private final Statement add = sql("UPDATE t SET a = a + 1 WHERE id = ?");

        /** Returns their sum. */
        public long run(long first, long second) {
            add.set(0, first).update();
            return both.set(0, first).set(1, second).first() ? both.rows().longAt(0) : -1;
        }
    }

    @TempDir
    Path directory;

    private Reprise open(int partitions) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl(DDL)
                .directory(directory)
                .durability(Durability.standard().with(LoggingMethod.COMMAND))
                .open();
    }

    /** Another id whose bucket is in the same of two partitions or in the other one. */
    private static long other(long id, boolean near) {
        long other = id + 1;
        while (Buckets.DEFAULT.of(other) == Buckets.DEFAULT.of(id) || ofTwo(other) == ofTwo(id) != near) {
            other++;
        }
        return other;
    }

    private static int ofTwo(long id) {
        return BucketMap.dealt(2).partition(Buckets.DEFAULT.of(id));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "1, 3", "2, 1", "2, 3", "3, 1", "3, 2"})
    void shouldRefuseTheSameWithAnyNumberOfPartitions(int partitions, int later) {
        long first = 7;
        long near = other(first, true);
        long far = other(first, false);
        try (Reprise engine = open(partitions)) {
            for (long id : new long[] {first, near, far}) {
                engine.sql("INSERT INTO t VALUES (?, 0)", id);
            }
            for (long stray : new long[] {near, far}) {
                assertRefused(engine, "Far", first, first, stray);
                assertThat(engine.call("Far", first, stray, stray).longValue()).isEqualTo(1);
                assertRefused(engine, "Several", new long[] {first}, new long[] {first, stray});
                assertRefused(engine, "Several", new long[0], new long[] {stray});
                assertThat(engine.call("Several", new long[] {stray, first}, new long[] {first, stray})
                                .longValue())
                        .isEqualTo(2);
            }
        }

        try (Reprise again = open(later)) {
            assertThat(sum(again)).isEqualTo(8);
            assertRefused(again, "Far", first, first, far);
            assertThat(sum(again)).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldRefuseTwoBucketsInOneStatementWhereverTheyLie(int partitions) {
        long first = 7;
        try (Reprise engine = open(partitions)) {
            for (long stray : new long[] {other(first, true), other(first, false)}) {
                engine.sql("INSERT INTO t VALUES (?, 0)", stray);
                for (String procedure : new String[] {"Pair", "RoutedPair"}) {
                    assertRefused(engine, procedure, first, stray);
                }
                assertThatThrownBy(
                                () -> engine.sql("SELECT x.a FROM t x, t y WHERE x.id = ? AND y.id = ?", first, stray))
                        .hasMessageContaining("values of two buckets")
                        .hasMessageContaining("Join the tables on their partitioning columns");
            }
            engine.sql("INSERT INTO t VALUES (?, 0)", first);
            assertThat(engine.call("Pair", first, first).longValue()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1E1000000000", "-1E2000000000", "10000000.00"})
    void shouldRefuseADecimalThatNoColumnCanHaveAtOnce(String value) {
        try (Reprise engine = open(2)) {
            assertThatThrownBy(() -> engine.call("Priced", new BigDecimal(value)))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OVERFLOW));
            assertThatThrownBy(() -> engine.call("Priced", new BigDecimal("1E-2000000000")))
                    .hasMessageContaining("has more digits behind the point");
        }
    }

    private static long sum(Reprise engine) {
        var rows = engine.sql("SELECT SUM(a) FROM t").rows();
        rows.next();
        return rows.longAt(0);
    }

    private static void assertRefused(Reprise engine, String procedure, Object... arguments) {
        assertThatThrownBy(() -> engine.call(procedure, arguments).longValue())
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SCOPE_VIOLATION));
    }
}

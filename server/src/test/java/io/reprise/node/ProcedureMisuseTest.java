package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Statement;
import java.math.BigDecimal;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Procedures that use the API as it is not meant to be used are told so, and cost nobody else anything. */
final class ProcedureMisuseTest {
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(100));
            PARTITION TABLE t ON COLUMN id;
            """;

    /** Reads rows without having asked for any. */
    public static final class Stale extends Procedure {
        private final Statement one = sql("SELECT s FROM t WHERE id = ?");
        private final Statement all = sql("SELECT s FROM t ORDER BY id");

        /** Returns what the statement of this number found, after it has run or not. */
        public String run(boolean looks, boolean ofAll) {
            Statement statement = ofAll ? all : one;
            if (looks) {
                (ofAll ? all : one.set(0, 1)).first();
            }
            return statement.rows().stringAt(0);
        }
    }

    /** Reads rows at one partition. */
    public static final class Near extends Procedure {
        private final Statement one = sql("SELECT s FROM t WHERE id = ?");

        /** Returns what the statement found, after it has run or not. */
        public String run(long id, boolean looks) {
            if (looks) {
                one.set(0, id).first();
            }
            return one.rows().stringAt(0);
        }
    }

    /** Has a result table with a column that has no name. */
    public static final class Nameless extends Procedure {
        private final ResultTable table = table("a", null);

        /** Never called. */
        public ResultTable run() {
            return table.add(1).add(2).endRow();
        }
    }

    /** Puts a decimal into a column of strings. */
    public static final class Mixed extends Procedure {
        private final ResultTable table = table("item", "amount");

        /** Fails. */
        public ResultTable run() {
            table.add(1).add("total").endRow();
            return table.add(2).add(new BigDecimal("20000.00")).endRow();
        }
    }

    private static Reprise open(int partitions, String clause, Class<?> procedure) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl(DDL + "CREATE PROCEDURE " + clause + " FROM CLASS " + procedure.getName() + ";")
                .open();
    }

    private static void assertRefused(ErrorCode code, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldRefuseRowsThatAnotherTransactionFoundInSeveralPartitions(int partitions) {
        try (Reprise engine = open(partitions, "", Stale.class)) {
            engine.sql("INSERT INTO t VALUES (1, 'first')");
            for (boolean ofAll : new boolean[] {false, true}) {
                assertRefused(ErrorCode.INVALID_REQUEST, "rows() before", () -> engine.call("Stale", false, ofAll));
                assertThat(engine.call("Stale", true, ofAll).stringValue()).isEqualTo("first");
                assertRefused(ErrorCode.INVALID_REQUEST, "rows() before", () -> engine.call("Stale", false, ofAll));
            }
        }
    }

    @Test
    void shouldRefuseRowsThatAnotherTransactionFoundInOnePartition() {
        try (Reprise engine = open(2, "PARTITION ON TABLE t COLUMN id PARAMETER 0", Near.class)) {
            engine.sql("INSERT INTO t VALUES (1, 'first')");
            assertThat(engine.call("Near", 1, true).stringValue()).isEqualTo("first");

            assertRefused(ErrorCode.INVALID_REQUEST, "rows() before", () -> engine.call("Near", 1, false));
        }
    }

    @Test
    void shouldRefuseAResultTableWithAColumnThatHasNoName() {
        assertRefused(
                ErrorCode.INVALID_REQUEST,
                "procedure Nameless can't be deployed: the name of column 2 of a result table is null",
                () -> open(1, "", Nameless.class));
    }

    @Test
    void shouldFailOnlyTheTransactionWhenADecimalIsAddedToStrings() {
        try (Reprise engine = open(1, "", Mixed.class)) {
            assertRefused(ErrorCode.INVALID_VALUE, "holds VARCHAR values", () -> engine.call("Mixed"));

            assertThat(engine.failure()).isEmpty();
        }
    }
}

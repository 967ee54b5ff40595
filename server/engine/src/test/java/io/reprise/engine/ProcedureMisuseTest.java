package io.reprise.engine;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Procedures that use the API as it is not meant to be used are told so, and cost nobody else anything. */
final class ProcedureMisuseTest {
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(100));
            PARTITION TABLE t ON COLUMN id;
            CREATE TABLE n (name VARCHAR(100) NOT NULL PRIMARY KEY);
            PARTITION TABLE n ON COLUMN name;
            CREATE TABLE d (id DECIMAL(10,2) NOT NULL PRIMARY KEY);
            PARTITION TABLE d ON COLUMN id;
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

    /** Aborts with a message of any length. */
    public static final class Wordy extends Procedure {
        /** Fails. */
        public void run(int length) {
            throw abort("x".repeat(length));
        }
    }

    /** Is routed by a string. */
    public static final class ByString extends Procedure {
        /** Does nothing. */
        public void run(String first, boolean second, long third, byte[] fourth, BigDecimal fifth, String[] sixth) {
            // It is never called.
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
    void shouldTellTheBeginningOfAVeryLongMessage() {
        try (Reprise engine = open(1, "", Wordy.class)) {
            assertThatThrownBy(() -> engine.call("Wordy", 16 << 20).orThrow())
                    .hasMessageContaining("xxx")
                    .hasMessageContaining("cut here: the message has 16777216 characters")
                    .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(10_000));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "t, id, 0, String",
        "t, id, 3, byte[]",
        "t, id, 5, String[]",
        "n, name, 1, boolean",
        "n, name, 2, long",
        "n, name, 4, BigDecimal",
        "d, id, 0, String",
        "d, id, 1, boolean"
    })
    void shouldRefuseARoutingParameterThatNoValueOfTheColumnCanBe(
            String table, String column, int parameter, String type) {
        String clause = "PARTITION ON TABLE " + table + " COLUMN " + column + " PARAMETER " + parameter;

        assertRefused(
                ErrorCode.INVALID_REQUEST,
                "a " + type + ", which no value of the column can be",
                () -> open(1, clause, ByString.class));
    }

    @ParameterizedTest
    @CsvSource({"t, id, 2", "t, id, 4", "n, name, 0", "n, name, 3", "n, name, 5", "d, id, 2", "d, id, 4"})
    void shouldTakeARoutingParameterThatAValueOfTheColumnCanBe(String table, String column, int parameter) {
        open(1, "PARTITION ON TABLE " + table + " COLUMN " + column + " PARAMETER " + parameter, ByString.class)
                .close();
    }

    @Test
    void shouldFailOnlyTheTransactionWhenADecimalIsAddedToStrings() {
        try (Reprise engine = open(1, "", Mixed.class)) {
            assertRefused(ErrorCode.INVALID_VALUE, "holds VARCHAR values", () -> engine.call("Mixed"));

            assertThat(engine.failure()).isEmpty();
        }
    }
}

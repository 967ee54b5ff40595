package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CHECK constraints and defaults that are expressions: by INSERT, UPDATE and UPSERT, in procedures, and after a restart. */
class CheckTest {
    private static final String SCHEMA = """
            CREATE TABLE account (
                id BIGINT NOT NULL PRIMARY KEY,
                name VARCHAR(20) DEFAULT UPPER('n') || 'n' CHECK (CHAR_LENGTH(name) > 1), -- a comment
                balance DECIMAL(12, 2) DEFAULT (10 * 2 + 1) CONSTRAINT solvent CHECK (balance >= 0),
                debt INTEGER DEFAULT '3'::integer,
                CHECK (debt < 100 OR name = 'bank'));
            PARTITION TABLE account ON COLUMN id;
            """;

    private static Reprise engine(int partitions) {
        return Options.create().partitions(partitions).ddl(SCHEMA).open();
    }

    private static void assertViolation(Reprise engine, String check, String sql, Object... arguments) {
        assertThatThrownBy(() -> engine.sql(sql, arguments))
                .as(sql)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION))
                .hasMessageContaining("CHECK " + check);
    }

    private static String row(Reprise engine, long id) {
        Rows rows = engine.sql("SELECT name, balance, debt FROM account WHERE id = ?", id)
                .rows();
        if (!rows.next()) {
            return "none";
        }
        return (rows.isNull(0) ? "NULL" : rows.stringAt(0)) + " " + rows.decimalAt(1) + " "
                + (rows.isNull(2) ? "NULL" : rows.longAt(2));
    }

    private static long count(Reprise engine) {
        Rows rows = engine.sql("SELECT COUNT(*) FROM account").rows();
        rows.next();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldRefuseRowsThatViolateACheck(int partitions) {
        try (Reprise engine = engine(partitions)) {
            engine.sql("INSERT INTO account VALUES (1, 'ann', 5, 1), (2, NULL, 0, NULL)");

            assertViolation(engine, "ACCOUNT_NAME_CHECK", "INSERT INTO account VALUES (?, 'x', 1, 1)", 3);
            assertViolation(engine, "SOLVENT", "INSERT INTO account (id, balance) VALUES (4, 1), (5, ?)", -1);
            assertViolation(engine, "ACCOUNT_NAME_CHECK1", "INSERT INTO account (id, debt) VALUES (6, 100)");
            assertViolation(engine, "SOLVENT", "UPDATE account SET balance = balance - 6 WHERE id = 1");
            assertViolation(engine, "SOLVENT", "UPDATE account SET balance = balance - 1");
            assertViolation(engine, "ACCOUNT_NAME_CHECK", "UPDATE account SET name = SUBSTRING(name FROM 1 FOR 1)");
            assertViolation(engine, "SOLVENT", "UPSERT INTO account (id, balance) VALUES (1, -1)");
            assertViolation(
                    engine,
                    "SOLVENT",
                    "INSERT INTO account (id, balance) VALUES (2, -1) ON CONFLICT (id) DO UPDATE SET balance ="
                            + " EXCLUDED.balance");
            assertViolation(engine, "SOLVENT", "UPSERT INTO account (id, balance) SELECT id, -1 FROM account");
            assertThat(row(engine, 1)).isEqualTo("ann 5.00 1");
            assertThat(row(engine, 2)).isEqualTo("NULL 0.00 NULL");
            assertThat(count(engine)).isEqualTo(2);

            engine.sql("UPDATE account SET name = 'bank', debt = 1000 WHERE id = 1");
            assertThat(row(engine, 1)).isEqualTo("bank 5.00 1000");
        }
    }

    @Test
    void shouldComputeDefaultsThatAreExpressions() {
        try (Reprise engine = engine(2)) {
            engine.sql("INSERT INTO account (id) VALUES (1), (2)");
            engine.sql("INSERT INTO account (id, balance, name) VALUES (3, DEFAULT, DEFAULT)");
            engine.sql("INSERT INTO account (id, name) SELECT id, 'copied' FROM account WHERE id > 100");
            engine.sql("UPDATE account SET balance = 7, name = 'new'");
            engine.sql("UPDATE account SET balance = DEFAULT, name = DEFAULT WHERE id = 2");

            assertThat(row(engine, 1)).isEqualTo("new 7.00 3");
            assertThat(row(engine, 2)).isEqualTo("Nn 21.00 3");
            assertThat(row(engine, 3)).isEqualTo("new 7.00 3");
        }
    }

    @Test
    void shouldCheckTheRowsThatAreThereWhenACheckIsAdded() {
        try (Reprise engine = engine(3)) {
            engine.sql("INSERT INTO account (id) VALUES (1), (2), (3)");
            engine.sql("UPDATE account SET debt = 50 WHERE id = 3");

            assertThatThrownBy(() -> engine.ddl("ALTER TABLE account ADD CONSTRAINT small CHECK (debt < 50)"))
                    .hasMessageContaining("violates CHECK SMALL");
            engine.sql("UPDATE account SET debt = 51 WHERE id = 3");
            engine.ddl("ALTER TABLE account ADD CONSTRAINT small CHECK (debt < 52)");
            assertViolation(engine, "SMALL", "UPDATE account SET debt = 52 WHERE id = 1");
            engine.ddl(
                    "ALTER TABLE account DROP CONSTRAINT small; ALTER TABLE account DROP CONSTRAINT IF EXISTS small");
            engine.sql("UPDATE account SET debt = 52 WHERE id = 1");
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE account DROP COLUMN debt"))
                    .hasMessageContaining("CHECK ACCOUNT_NAME_CHECK1 names it");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a INT CHECK (b > 0) | 'B' not found",
                "a INT CHECK (a + 1) | is no condition",
                "a INT CHECK (a > (SELECT 1)) | can't have a query",
                "a INT CHECK (SUM(a) > 1) | can't have aggregates",
                "a INT CHECK (a > ?) | can't have parameters",
                "a INT CHECK () | expected a condition",
                "a INT DEFAULT (b + 1) | 'B' not found",
                "a INT DEFAULT (SELECT 1) | can't have a query",
                "a INT, CONSTRAINT c CHECK (a > 0), CONSTRAINT c CHECK (a < 9) | has a constraint C already"
            })
    void shouldRefuseWhatCannotBeComputed(String columns, String reason) {
        try (Reprise engine = Options.create().open()) {
            assertThatThrownBy(() -> engine.ddl("CREATE TABLE t (" + columns + ")"))
                    .hasMessageContaining(reason);
        }
    }

    /** Takes from an account. */
    public static final class Take extends Procedure {
        private final Statement take = sql("UPDATE account SET balance = balance - ? WHERE id = ?");
        private final Statement add = sql("INSERT INTO account (id, name) VALUES (?, 'taken')");

        public boolean run(long id, long amount) {
            add.set(0, id).update();
            try {
                take.set(0, amount).set(1, id).update();
                return true;
            } catch (ProcedureException e) {
                return false;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMAND", "DATA"})
    void shouldCheckInProceduresAndAfterARestart(String logging) {
        SimulatedFileStore disk = new SimulatedFileStore(7);
        try (Reprise engine = durable(disk)) {
            engine.ddl(SCHEMA + "CREATE PROCEDURE PARTITION ON TABLE account COLUMN id LOGGED AS " + logging
                    + " FROM CLASS " + Take.class.getName());
            assertThat(engine.call("Take", 1L, 5L).booleanValue()).isTrue();
            assertThat(engine.call("Take", 2L, 22L).booleanValue()).isFalse();
        }

        try (Reprise engine = durable(disk)) {
            assertThat(row(engine, 1)).isEqualTo("taken 16.00 3");
            assertThat(row(engine, 2)).isEqualTo("taken 21.00 3");
            assertViolation(engine, "SOLVENT", "UPDATE account SET balance = -1 WHERE id = 1");
            engine.snapshot();
        }
        try (Reprise engine = durable(disk)) {
            engine.sql("INSERT INTO account (id) VALUES (3)");
            assertThat(row(engine, 3)).isEqualTo("Nn 21.00 3");
            assertViolation(engine, "SOLVENT", "UPDATE account SET balance = -1 WHERE id = 1");
        }
    }

    private static Reprise durable(SimulatedFileStore disk) {
        return Options.create()
                .partitions(2)
                .memoryPerPartition(64 << 20)
                .files(disk)
                .durability(Durability.standard())
                .open();
    }
}

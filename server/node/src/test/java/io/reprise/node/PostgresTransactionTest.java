package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.assertState;
import static io.reprise.node.PostgresDriverTest.one;
import static io.reprise.node.PostgresDriverTest.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions of several statements by pgjdbc. */
final class PostgresTransactionTest {
    private PostgresServer server;

    @BeforeEach
    void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(3).ddl("""
                        CREATE TABLE account (id BIGINT NOT NULL, balance BIGINT NOT NULL, PRIMARY KEY (id));
                        PARTITION TABLE account ON COLUMN id;
                        CREATE TABLE rate (name VARCHAR(10) NOT NULL, amount INTEGER, PRIMARY KEY (name));
                        """));
        try (Connection connection = server.connect()) {
            for (int id = 0; id < 10; id++) {
                update(connection, "INSERT INTO account VALUES (" + id + ", 100)");
            }
            update(connection, "INSERT INTO rate VALUES ('a', 1)");
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Connection begin() throws SQLException {
        Connection connection = server.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void shouldSeeItsOwnWritesAndHideThemFromOthers() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            update(mine, "UPDATE account SET balance = 150 WHERE id = 1");
            update(mine, "UPDATE account SET balance = balance + 1 WHERE id = 1");
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 1")).isEqualTo("151");
            assertThat(one(mine, "SELECT SUM(balance) FROM account")).isEqualTo("1051");
            assertThat(one(other, "SELECT balance FROM account WHERE id = 1")).isEqualTo("100");

            mine.commit();

            assertThat(one(other, "SELECT balance FROM account WHERE id = 1")).isEqualTo("151");
        }
    }

    @Test
    void shouldUndoEverythingAtRollback() throws SQLException {
        try (Connection mine = begin()) {
            update(mine, "UPDATE account SET balance = 0");
            update(mine, "DELETE FROM rate");
            mine.rollback();

            assertThat(one(mine, "SELECT SUM(balance) FROM account")).isEqualTo("1000");
            assertThat(one(mine, "SELECT COUNT(*) FROM rate")).isEqualTo("1");
            mine.commit();
        }
    }

    @Test
    void shouldFailAtCommitWhenAnAnswerHasChanged() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 1")).isEqualTo("100");
            update(mine, "UPDATE account SET balance = 101 WHERE id = 1");
            update(other, "UPDATE account SET balance = 500 WHERE id = 1");

            assertThatThrownBy(mine::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));

            assertThat(one(other, "SELECT balance FROM account WHERE id = 1")).isEqualTo("500");
        }
    }

    @Test
    void shouldReturnWrittenRowsAndCompareThemAtCommit() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            assertThat(one(mine, "UPDATE account SET balance = balance + 1 WHERE id = 1 RETURNING balance"))
                    .isEqualTo("101");
            assertThat(one(mine, "UPDATE account SET balance = balance + 1 WHERE id = 1 RETURNING balance"))
                    .isEqualTo("102");
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 1")).isEqualTo("102");
            mine.commit();
            assertThat(one(other, "INSERT INTO account VALUES (200, 7) RETURNING id * 2"))
                    .isEqualTo("400");
            assertThat(one(mine, "DELETE FROM account WHERE id = 200 RETURNING balance"))
                    .isEqualTo("7");
            update(other, "UPDATE account SET balance = 8 WHERE id = 200");

            assertThatThrownBy(mine::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        }
    }

    @Test
    void shouldNoticePhantoms() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            assertThat(one(mine, "SELECT COUNT(*) FROM account WHERE balance = 7"))
                    .isEqualTo("0");
            update(mine, "INSERT INTO account VALUES (100, 1)");
            update(other, "INSERT INTO account VALUES (101, 7)");

            assertThatThrownBy(mine::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        }
    }

    @Test
    void shouldCommitBlindIncrementsOfTheSameRow() throws SQLException {
        try (Connection mine = begin();
                Connection other = begin()) {
            update(mine, "UPDATE account SET balance = balance + 1 WHERE id = 1");
            update(other, "UPDATE account SET balance = balance + 10 WHERE id = 1");
            mine.commit();
            other.commit();

            assertThat(one(mine, "SELECT balance FROM account WHERE id = 1")).isEqualTo("111");
            mine.commit();
        }
    }

    @Test
    void shouldCommitASingleQueryWhateverOthersDo() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 1")).isEqualTo("100");
            update(other, "UPDATE account SET balance = 5 WHERE id = 1");
            mine.commit();
        }
    }

    @Test
    void shouldIgnoreStatementsInAFailedTransaction() throws SQLException {
        try (Connection mine = begin()) {
            update(mine, "UPDATE account SET balance = 1 WHERE id = 1");
            assertState(mine, "INSERT INTO account VALUES (1, 1)", "23505");
            assertState(mine, "SELECT 1", "25P02");
            mine.rollback();
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 1")).isEqualTo("100");
            mine.rollback();
            assertState(mine, "SELECT nothing FROM account", "42703");
            assertState(mine, "SELECT 1", "25P02");
            mine.rollback();
        }
    }

    @Test
    void shouldReturnToSavepoints() throws SQLException {
        try (Connection mine = begin()) {
            update(mine, "UPDATE account SET balance = 1 WHERE id = 1");
            Savepoint first = mine.setSavepoint("first");
            update(mine, "UPDATE account SET balance = 2 WHERE id = 2");
            Savepoint second = mine.setSavepoint("second");
            update(mine, "UPDATE account SET balance = 3");
            mine.rollback(second);
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 2")).isEqualTo("2");
            assertState(mine, "INSERT INTO account VALUES (1, 1)", "23505");
            mine.rollback(first);
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 2")).isEqualTo("100");
            update(mine, "UPDATE account SET balance = 4 WHERE id = 4");
            mine.commit();

            assertThat(one(mine, "SELECT balance FROM account WHERE id = 1")).isEqualTo("1");
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 2")).isEqualTo("100");
            assertThat(one(mine, "SELECT balance FROM account WHERE id = 4")).isEqualTo("4");
            mine.commit();
        }
    }

    @Test
    void shouldNoticeAtCommitThatAFailureWouldNotHappen() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            Savepoint before = mine.setSavepoint("before");
            assertState(mine, "INSERT INTO account VALUES (1, 1)", "23505");
            mine.rollback(before);
            update(mine, "INSERT INTO account VALUES (50, 1)");
            update(other, "DELETE FROM account WHERE id = 1");

            assertThatThrownBy(mine::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        }
    }

    @Test
    void shouldKeepTheTimeWithinATransaction() throws SQLException {
        try (Connection mine = begin()) {
            String first = one(mine, "SELECT CURRENT_TIMESTAMP FROM rate");
            update(mine, "UPDATE rate SET amount = 2");
            assertThat(one(mine, "SELECT CURRENT_TIMESTAMP FROM rate")).isEqualTo(first);
            mine.commit();
        }
    }

    @Test
    void shouldRefuseWritesInAReadOnlyTransaction() throws SQLException {
        try (Connection mine = begin()) {
            mine.setReadOnly(true);
            assertState(mine, "DELETE FROM account", "25006");
            mine.rollback();
        }
    }

    @Test
    void shouldRunTheStatementsOfOneTextAsOneTransaction() throws SQLException {
        try (Connection connection = server.connect("preferQueryMode=simple")) {
            assertState(
                    connection,
                    "UPDATE account SET balance = 0 WHERE id = 1; INSERT INTO account VALUES (2, 0)",
                    "23505");
            assertThat(one(connection, "SELECT balance FROM account WHERE id = 1"))
                    .isEqualTo("100");
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "UPDATE account SET balance = 0 WHERE id = 1; BEGIN; UPDATE account SET balance = 0 WHERE id = 2;"
                                + " ROLLBACK; SELECT 1");
            }
            assertThat(one(connection, "SELECT balance FROM account WHERE id = 1"))
                    .isEqualTo("100");
        }
    }

    @Test
    void shouldCommitBeforeAChangeOfTheSchema() throws SQLException {
        try (Connection mine = begin()) {
            update(mine, "UPDATE account SET balance = 9 WHERE id = 9");
            update(mine, "CREATE TABLE another (id INTEGER)");
            mine.rollback();

            assertThat(one(mine, "SELECT balance FROM account WHERE id = 9")).isEqualTo("9");
            mine.commit();
        }
    }

    @Test
    void shouldGoOnWhenTheSchemaChangesUnderATransaction() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            update(mine, "UPDATE account SET balance = 9 WHERE id = 9");
            update(other, "CREATE INDEX by_balance ON account (balance)");
            update(mine, "UPDATE account SET balance = 8 WHERE id = 8");
            mine.commit();

            assertThat(one(other, "SELECT SUM(balance) FROM account")).isEqualTo("817");
        }
    }

    @Test
    void shouldEmptySeveralTablesInOneTransaction() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            update(mine, "TRUNCATE account, ONLY public.rate");
            assertThat(one(mine, "SELECT (SELECT COUNT(*) FROM account) + (SELECT COUNT(*) FROM rate)"))
                    .isEqualTo("0");
            assertThat(one(other, "SELECT COUNT(*) FROM account")).isEqualTo("10");
            mine.rollback();
            assertThat(one(mine, "SELECT COUNT(*) FROM rate")).isEqualTo("1");
            mine.commit();

            assertState(mine, "TRUNCATE TABLE account, nowhere", "42P01");
            mine.rollback();
            assertThat(one(other, "SELECT COUNT(*) FROM account")).isEqualTo("10");
            update(other, "TRUNCATE TABLE rate, account CONTINUE IDENTITY RESTRICT");
            assertThat(one(other, "SELECT COUNT(*) FROM account")).isEqualTo("0");
            assertState(other, "TRUNCATE account rate", "42601");
        }
    }

    @Test
    void shouldRestartSequencesAndEmptyTablesThatNameOthers() throws SQLException {
        try (Connection connection = server.connect()) {
            update(connection, "CREATE TABLE parent (id SERIAL PRIMARY KEY)");
            update(connection, "CREATE TABLE child (id SERIAL PRIMARY KEY, parent INTEGER REFERENCES parent (id))");
            update(connection, "INSERT INTO parent DEFAULT VALUES");
            update(connection, "INSERT INTO child (parent) VALUES (1)");

            update(connection, "TRUNCATE parent RESTART IDENTITY CASCADE");

            assertThat(one(connection, "SELECT COUNT(*) FROM child")).isEqualTo("0");
            assertThat(one(connection, "INSERT INTO parent DEFAULT VALUES RETURNING id"))
                    .isEqualTo("1");
            assertThat(one(connection, "INSERT INTO child DEFAULT VALUES RETURNING id"))
                    .isEqualTo("1");
        }
    }

    @Test
    void shouldTellAConflictWhereAFailureComesOfAnotherTransaction() throws SQLException {
        try (Connection mine = begin();
                Connection other = server.connect()) {
            assertThat(one(mine, "SELECT COUNT(*) FROM account WHERE id = 77")).isEqualTo("0");
            assertThat(update(mine, "UPDATE account SET balance = 99 WHERE id = 1"))
                    .isEqualTo(1);
            update(other, "INSERT INTO account VALUES (77, 0)");

            assertState(mine, "INSERT INTO account VALUES (77, 1)", "40001");
            mine.rollback();

            assertThat(one(mine, "SELECT COUNT(*) FROM account WHERE id = 77")).isEqualTo("1");
            assertState(mine, "INSERT INTO account VALUES (77, 1)", "23505");
            mine.rollback();
        }
    }

    @Test
    void shouldLimitTheTape() throws SQLException {
        try (Connection mine = begin()) {
            String long1 = "x".repeat(100_000);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            one(mine, "SELECT '" + long1 + i + "'");
                        }
                    })
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("54000"));
            mine.rollback();
        }
    }
}

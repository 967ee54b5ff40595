package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PREPARE, EXECUTE, DEALLOCATE and DISCARD as statements. */
final class PostgresPreparedTest {
    private PostgresServer server;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2).ddl("""
                        CREATE TABLE account (id BIGINT NOT NULL, owner VARCHAR(20), balance DECIMAL(12,2), PRIMARY KEY (id));
                        PARTITION TABLE account ON COLUMN id;
                        """));
        connection = server.connect();
        statement = connection.createStatement();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        server.close();
    }

    private List<String> rows(String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.append(i == 1 ? "" : "|").append(rows.getString(i));
                }
                found.add(row.toString());
            }
        }
        return found;
    }

    private static void assertFails(ThrowingCallable call, String state, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
                .hasMessageContaining(message);
    }

    @Test
    void shouldExecutePreparedStatements() throws SQLException {
        statement.execute("PREPARE put (bigint, text, numeric(12,2)) AS INSERT INTO account VALUES ($1, $2, $3)");
        statement.execute("PREPARE found AS SELECT owner, balance FROM account WHERE id = $1");

        assertThat(statement.executeUpdate("EXECUTE put (1, 'Ann''s', -2.50)")).isEqualTo(1);
        assertThat(statement.executeUpdate("EXECUTE put (2, NULL, 7::numeric)")).isEqualTo(1);

        assertThat(rows("EXECUTE found(1)")).containsExactly("Ann's|-2.50");
        assertThat(rows("EXECUTE found ('2')")).containsExactly("null|7.00");
    }

    @Test
    @Timeout(60)
    void shouldRefuseNumbersThatAreTooLongToBeWrittenOut() throws SQLException {
        statement.execute("PREPARE put (bigint, text, numeric(12,2)) AS INSERT INTO account VALUES ($1, $2, $3)");
        statement.execute("PREPARE found (bigint) AS SELECT owner FROM account WHERE id = $1");

        for (String number :
                List.of("1e2000000000", "-1e2000000000", "1e-2000000000", "'1e2000000000'", "1e99999999999")) {
            assertFails(() -> statement.execute("EXECUTE put (1, 'a', " + number + ")"), "22003", "overflows");
        }
        assertFails(() -> statement.execute("EXECUTE put (1, 1e2000000000, 0)"), "22003", "overflows");
        assertFails(() -> statement.execute("EXECUTE found (1e2000000000)"), "22003", "overflows");
        String digits = "7".repeat(200_000);
        assertFails(() -> statement.execute("EXECUTE put (1, 'a', '" + digits + "')"), "22003", "overflows");
    }

    @Test
    void shouldExecuteInTheOrderOfATransaction() throws SQLException {
        statement.execute("PREPARE put AS INSERT INTO account (id) VALUES ($1)");
        statement.execute("PREPARE many AS SELECT COUNT(*) FROM account");
        connection.setAutoCommit(false);

        statement.execute("EXECUTE put(1)");
        assertThat(rows("EXECUTE many")).containsExactly("1");
        connection.rollback();

        assertThat(rows("EXECUTE many")).containsExactly("0");
        connection.commit();
    }

    @Test
    void shouldRunStatementsOfOneTextInOrder() throws SQLException {
        statement.execute(
                "PREPARE put AS INSERT INTO account (id) VALUES ($1); EXECUTE put(5); EXECUTE put(6); DEALLOCATE put");

        assertThat(rows("SELECT id FROM account ORDER BY id")).containsExactly("5", "6");
        assertFails(() -> statement.execute("EXECUTE put(7)"), "26000", "\"put\" does not exist");
    }

    @Test
    void shouldRejectWhatIsWrong() throws SQLException {
        statement.execute("PREPARE one AS SELECT id FROM account WHERE id = $1");

        assertFails(() -> statement.execute("PREPARE one AS SELECT 1"), "42P05", "already exists");
        assertFails(() -> statement.execute("EXECUTE one"), "42601", "wrong number of parameters");
        assertFails(() -> statement.execute("EXECUTE one(1, 2)"), "42601", "wrong number of parameters");
        assertFails(() -> statement.execute("EXECUTE one('x')"), "22P02", "parameter $1");
        assertFails(() -> statement.execute("EXECUTE two(1)"), "26000", "does not exist");
        assertFails(() -> statement.execute("DEALLOCATE two"), "26000", "does not exist");
        assertFails(() -> statement.execute("PREPARE two AS DROP TABLE account"), "42601", "PREPARE takes a query");
        assertFails(
                () -> statement.execute("PREPARE two (money) AS SELECT 1"), "42704", "type \"money\" does not exist");
        assertFails(() -> statement.execute("PREPARE TRANSACTION 'x'"), "0A000", "two-phase commit");
        assertFails(() -> statement.execute("LISTEN changes"), "0A000", "LISTEN is not supported");
    }

    @Test
    void shouldShareThePlanOfStatementsThatDifferInLiterals() throws SQLException {
        for (int id = 1; id <= 3; id++) {
            statement.executeUpdate("INSERT INTO account VALUES (" + id + ", 'Ann " + id + "', -2.5)");
        }

        assertThat(rows("SELECT owner FROM account WHERE id = 2")).containsExactly("Ann 2");
        assertThat(rows("SELECT owner FROM account WHERE owner = 'Ann 3' AND balance = -2.50"))
                .containsExactly("Ann 3");
        assertThat(rows("SELECT id FROM account WHERE id = 1.5")).isEmpty();
        assertThat(rows("SELECT id FROM account WHERE owner = 'a name that is longer than the column'"))
                .isEmpty();

        assertThat(server.server().engine().isPlanned("INSERT INTO account VALUES (?, ?, ?)"))
                .isTrue();
        assertThat(server.server().engine().isPlanned("SELECT owner FROM account WHERE id = ?"))
                .isTrue();
        assertThat(server.server().engine().isPlanned("SELECT owner FROM account WHERE id = 2"))
                .isFalse();
    }

    @Test
    void shouldReportALiteralThatDoesNotFit() throws SQLException {
        assertFails(() -> statement.execute("INSERT INTO account (id) VALUES ('x')"), "22P02", "x");
        assertFails(
                () -> statement.execute("INSERT INTO account VALUES (1, 'a name that is longer than the column', 1)"),
                "22001",
                "20");
    }

    @Test
    void shouldRunAPreparedStatementAfterTheTableHasChanged() throws SQLException {
        try (var query = connection.prepareStatement("SELECT owner FROM account WHERE id = ?")) {
            for (int round = 0; round < 8; round++) {
                statement.execute(
                        round % 2 == 0
                                ? "ALTER TABLE account ADD COLUMN extra INTEGER"
                                : "ALTER TABLE account DROP COLUMN extra");
                query.setLong(1, round);
                try (ResultSet found = query.executeQuery()) {
                    assertThat(found.next()).isFalse();
                }
            }
        }
    }

    @Test
    void shouldReturnLongResultsOfPreparedStatements() throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO account (id) VALUES (?)")) {
            for (int id = 1; id <= 2000; id++) {
                insert.setLong(1, id);
                insert.addBatch();
            }
            insert.executeBatch();
        }

        try (var query = connection.prepareStatement("SELECT id FROM account WHERE id > ? ORDER BY id")) {
            for (int round = 0; round < 8; round++) {
                query.setLong(1, 500);
                try (ResultSet found = query.executeQuery()) {
                    for (int id = 501; id <= 2000; id++) {
                        assertThat(found.next()).isTrue();
                        assertThat(found.getInt(1)).isEqualTo(id);
                    }
                    assertThat(found.next()).isFalse();
                }
            }
        }
    }

    @Test
    void shouldForgetEverythingByDiscardAll() throws SQLException {
        statement.execute("PREPARE one AS SELECT 1");
        statement.execute("SET application_name = 'shop'");
        statement.execute("DECLARE held CURSOR WITH HOLD FOR SELECT id FROM account");

        statement.execute("DISCARD ALL");

        assertFails(() -> statement.execute("EXECUTE one"), "26000", "does not exist");
        assertFails(() -> statement.execute("FETCH held"), "34000", "does not exist");
        assertThat(rows("SHOW application_name")).doesNotContain("shop");
        connection.setAutoCommit(false);
        statement.execute("SELECT 1");
        assertFails(() -> statement.execute("DISCARD ALL"), "25001", "inside a transaction block");
    }
}

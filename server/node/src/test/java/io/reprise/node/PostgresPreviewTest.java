package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static io.reprise.node.PostgresDriverTest.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements of transactions that the client has prepared: the network's loop starts them, and a session's thread runs what fails. */
@Timeout(120)
final class PostgresPreviewTest {
    private static final int ROWS = 300;

    private static PostgresServer server;

    @BeforeAll
    static void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2));
        try (Connection connection = server.connect()) {
            update(connection, "CREATE TABLE account (id INTEGER PRIMARY KEY, balance BIGINT NOT NULL)");
            update(connection, "PARTITION TABLE account ON COLUMN id");
            update(connection, "CREATE TABLE note (id INTEGER PRIMARY KEY)");
        }
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        try (Connection connection = server.connect()) {
            update(connection, "DELETE FROM account");
            for (int id = 0; id < 4; id++) {
                update(connection, "INSERT INTO account VALUES (" + id + ", 100)");
            }
        }
    }

    /** A connection that prepares at the first execution, in a transaction. */
    private static final class Client implements AutoCloseable {
        private final Connection connection = server.connect("prepareThreshold=1");
        private final PreparedStatement add;
        private final PreparedStatement read;
        private final PreparedStatement insert;

        Client() throws SQLException {
            connection.setAutoCommit(false);
            add = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
            read = connection.prepareStatement("SELECT balance FROM account WHERE id = ?");
            insert = connection.prepareStatement("INSERT INTO account VALUES (?, ?)");
            // Once unprepared, so that what follows is prepared already.
            add(0, 0);
            read(0);
            connection.rollback();
        }

        int add(long amount, int id) throws SQLException {
            add.setLong(1, amount);
            add.setInt(2, id);
            return add.executeUpdate();
        }

        long read(int id) throws SQLException {
            read.setInt(1, id);
            try (ResultSet rows = read.executeQuery()) {
                assertThat(rows.next()).isTrue();
                return rows.getLong(1);
            }
        }

        void insert(int id, long balance) throws SQLException {
            insert.setInt(1, id);
            insert.setLong(2, balance);
            insert.executeUpdate();
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    private static String state(SQLException failure) {
        return failure.getSQLState();
    }

    @Test
    void shouldSeeItsOwnWritesAndCommitThem() throws SQLException {
        try (Client client = new Client()) {
            assertThat(client.add(5, 1)).isEqualTo(1);
            assertThat(client.read(1)).isEqualTo(105);
            assertThat(client.add(-5, 2)).isEqualTo(1);
            assertThat(client.read(2)).isEqualTo(95);
            assertThat(client.add(1, 77)).isZero();
            client.connection.commit();
            assertThat(client.add(1, 1)).isEqualTo(1);
            client.connection.rollback();
            assertThat(client.read(1)).isEqualTo(105);
        }
    }

    @Test
    void shouldTellConflictsOfStartedStatements() throws SQLException {
        try (Client client = new Client();
                Client other = new Client()) {
            assertThat(client.read(1)).isEqualTo(100);
            other.add(7, 1);
            other.connection.commit();
            assertThat(client.add(1, 2)).isEqualTo(1);

            assertThatThrownBy(client.connection::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(state(failure)).isEqualTo("40001"));

            assertThat(client.read(2)).isEqualTo(100);
            assertThat(client.read(1)).isEqualTo(107);
        }
    }

    @Test
    void shouldLearnOfAConflictAtCommitWhenNoLaterStatementDependsOnIt() throws SQLException {
        try (Client client = new Client();
                Client other = new Client();
                PreparedStatement note = client.connection.prepareStatement("INSERT INTO note VALUES (?)")) {
            assertThat(client.add(1, 50)).isZero();
            other.insert(50, 1);
            other.connection.commit();
            for (int i = 0; i < 3; i++) {
                note.setInt(1, i);
                assertThat(note.executeUpdate()).isEqualTo(1);
            }

            assertThatThrownBy(client.connection::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(state(failure)).isEqualTo("40001"));

            assertThat(one(client.connection, "SELECT COUNT(*) FROM note")).isEqualTo("0");
            assertThat(client.read(50)).isEqualTo(1);
        }
    }

    @Test
    void shouldStartABatchBehindTheTape() throws SQLException {
        try (Client client = new Client();
                Client other = new Client()) {
            for (int run = 1; run <= 8; run++) {
                client.add(1, 1);
                for (int id = 0; id < 10; id++) {
                    client.add.setLong(1, 2);
                    client.add.setInt(2, id);
                    client.add.addBatch();
                }
                assertThat(client.add.executeBatch()).containsExactly(1, 1, 1, 1, 0, 0, 0, 0, 0, 0);
                assertThat(client.read(1)).isEqualTo(100 + 3 * run);
                client.connection.commit();
                assertThat(other.read(1)).isEqualTo(100 + 3 * run);
                other.connection.rollback();
            }
        }
    }

    @Test
    void shouldTellTheStatementOfABatchThatFails() throws SQLException {
        try (Client client = new Client()) {
            client.insert(10, 1);
            client.connection.rollback();
            for (int run = 0; run < 3; run++) {
                client.add(1, 1);
                for (int id = 20; id > 0; id -= 5) {
                    client.insert.setInt(1, id == 5 ? 1 : id);
                    client.insert.setLong(2, 1);
                    client.insert.addBatch();
                }

                assertThatThrownBy(client.insert::executeBatch)
                        .isInstanceOfSatisfying(BatchUpdateException.class, failure -> {
                            assertThat(state(failure)).isEqualTo("23505");
                            assertThat(failure.getMessage()).contains("Batch entry 3");
                        });
                client.insert.clearBatch();
                client.connection.rollback();
            }
            assertThat(client.read(1)).isEqualTo(100);
        }
    }

    @Test
    void shouldReportAnUnreadableArgumentBehindTheStatementsOfItsBatch() throws SQLException {
        try (Client client = new Client();
                PreparedStatement add = client.connection.prepareStatement(
                        "UPDATE account SET balance = balance + 1 WHERE id = ? AND balance < ?")) {
            for (int run = 0; run < 3; run++) {
                add.setInt(1, 1);
                add.setObject(2, "1000", Types.OTHER);
                assertThat(add.executeUpdate()).isEqualTo(1);
                client.connection.rollback();
            }
            add.addBatch();
            add.setObject(2, "many", Types.OTHER);
            add.addBatch();

            assertThatThrownBy(add::executeBatch)
                    .isInstanceOfSatisfying(
                            BatchUpdateException.class,
                            failure -> assertThat(state(failure)).isEqualTo("22P02"));

            client.connection.rollback();
            assertThat(client.read(1)).isEqualTo(100);
        }
    }

    @Test
    void shouldRunQueriesThatBeginAndEndTransactions() throws SQLException {
        try (Connection connection = server.connect("preferQueryMode=simple");
                Statement statement = connection.createStatement()) {
            for (String end : List.of("COMMIT", "commit;", "ROLLBACK", "Rollback;")) {
                update(connection, "UPDATE account SET balance = 100 WHERE id = 1");
                statement.execute("begin");
                statement.execute("UPDATE account SET balance = 101 WHERE id = 1");
                statement.execute(end);
                assertThat(one(connection, "SELECT balance FROM account WHERE id = 1"))
                        .as(end)
                        .isEqualTo(end.startsWith("c") || end.startsWith("C") ? "101" : "100");
            }
        }
    }

    @Test
    void shouldTellConflictsOfCommitsThatComeAsQueries() throws SQLException {
        try (Connection connection = server.connect("preferQueryMode=simple");
                Statement statement = connection.createStatement();
                Client other = new Client()) {
            statement.execute("BEGIN");
            assertThat(one(connection, "SELECT balance FROM account WHERE id = 1"))
                    .isEqualTo("100");
            statement.execute("UPDATE account SET balance = 0 WHERE id = 2");
            other.add(7, 1);
            other.connection.commit();

            assertThatThrownBy(() -> statement.execute("COMMIT"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(state(failure)).isEqualTo("40001"));

            assertThat(one(connection, "SELECT balance FROM account WHERE id = 2"))
                    .isEqualTo("100");
        }
    }

    @Test
    void shouldFailTheTransactionOfAStartedStatementThatFails() throws SQLException {
        try (Client client = new Client()) {
            client.insert(10, 1);
            client.connection.rollback();
            assertThat(client.add(3, 1)).isEqualTo(1);

            assertThatThrownBy(() -> client.insert(1, 1))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(state(failure)).isEqualTo("23505"));
            assertThatThrownBy(() -> client.read(1))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(state(failure)).isEqualTo("25P02"));
            client.connection.rollback();

            assertThat(client.read(1)).isEqualTo(100);
        }
    }

    @Test
    void shouldRunLongTapesAndLongResults() throws SQLException {
        try (Client client = new Client()) {
            for (int id = 100; id < 100 + ROWS; id++) {
                client.insert(id, id);
            }
            client.connection.commit();
            List<Integer> found = new ArrayList<>();
            for (int run = 0; run < 3; run++) {
                found.clear();
                try (PreparedStatement all =
                        client.connection.prepareStatement("SELECT id FROM account WHERE id >= ? ORDER BY id")) {
                    all.setFetchSize(7);
                    all.setInt(1, 100);
                    try (ResultSet rows = all.executeQuery()) {
                        while (rows.next()) {
                            found.add(rows.getInt(1));
                        }
                    }
                }
                client.add(1, 100);
            }
            client.connection.commit();

            assertThat(found).hasSize(ROWS).isSorted();
            assertThat(one(client.connection, "SELECT balance FROM account WHERE id = 100"))
                    .isEqualTo("103");
        }
    }

    @Test
    void shouldFollowAChangeOfTheSchemaWithinATransaction() throws SQLException {
        try (Client client = new Client();
                Connection changing = server.connect()) {
            assertThat(client.add(3, 1)).isEqualTo(1);
            update(changing, "CREATE INDEX by_balance ON account (balance)");
            assertThat(client.read(1)).isEqualTo(103);
            update(changing, "DROP INDEX by_balance");
            assertThat(client.add(3, 1)).isEqualTo(1);
            client.connection.commit();

            assertThat(client.read(1)).isEqualTo(106);
        }
    }
}

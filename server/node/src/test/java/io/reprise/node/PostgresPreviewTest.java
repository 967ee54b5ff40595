package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static io.reprise.node.PostgresDriverTest.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements of transactions that the client has prepared: the network's loop starts them, and a session's thread runs what fails. */
final class PostgresPreviewTest {
    private static final int ROWS = 300;

    private static PostgresServer server;

    @BeforeAll
    static void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2));
        try (Connection connection = server.connect()) {
            update(connection, "CREATE TABLE account (id INTEGER PRIMARY KEY, balance BIGINT NOT NULL)");
            update(connection, "PARTITION TABLE account ON COLUMN id");
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

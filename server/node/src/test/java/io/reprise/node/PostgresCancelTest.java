package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static io.reprise.node.PostgresDriverTest.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import io.reprise.net.listen.ClientSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgConnection;

/** Statements that are canceled while they run: by their client, by their time limit, and by an operator. */
final class PostgresCancelTest {
    private static final int ROWS = 400;
    private static final long LIMIT_S = 120;

    /** Joins that take minutes. */
    private static final String LONG_QUERY = "SELECT COUNT(*) FROM n a, n b, n c, n d WHERE a.v + b.v + c.v + d.v = 1";

    private static final String LONG_UPDATE =
            "UPDATE n SET v = (SELECT COUNT(*) FROM n a, n b, n c, n d WHERE a.v + b.v + c.v + d.v = n.id)";

    private static final String LONG_LOCAL_UPDATE =
            "UPDATE p SET v = (SELECT COUNT(*) FROM n a, n b, n c, n d WHERE a.v + b.v + c.v + d.v = p.id) WHERE id = 7";

    private static PostgresServer server;

    @BeforeAll
    static void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2).timeLimit(Duration.ofMinutes(10)));
        try (Connection connection = server.connect()) {
            update(connection, "CREATE TABLE n (id INTEGER PRIMARY KEY, v BIGINT NOT NULL)");
            update(connection, "CREATE TABLE p (id INTEGER PRIMARY KEY, v BIGINT NOT NULL)");
            update(connection, "PARTITION TABLE p ON COLUMN id");
            StringBuilder rows = new StringBuilder("INSERT INTO n VALUES (0, 0)");
            for (int i = 1; i < ROWS; i++) {
                rows.append(", (").append(i).append(", ").append(i).append(')');
            }
            update(connection, rows.toString());
            update(connection, "INSERT INTO p VALUES (7, 7)");
        }
    }

    @AfterAll
    static void close() {
        server.close();
    }

    /** Something that asks for the cancellation. */
    private interface Request {
        void send() throws SQLException;
    }

    /** Runs a statement and asks for its cancellation again and again, until it ends. Returns its failure. */
    private static SQLException canceled(Statement statement, String sql, Request cancel) throws Exception {
        CompletableFuture<SQLException> end = CompletableFuture.supplyAsync(() -> {
            try {
                statement.execute(sql);
                return null;
            } catch (SQLException failure) {
                return failure;
            }
        });
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (System.nanoTime() < deadlineNs) {
            cancel.send();
            try {
                return end.get(50, TimeUnit.MILLISECONDS);
            } catch (TimeoutException running) {
                // It has not begun yet, or has not seen the request.
            } catch (ExecutionException failure) {
                throw new AssertionError(failure);
            }
        }
        throw new AssertionError("still running: " + sql);
    }

    /** A statement's own cancel is sent once for each run, and is lost if it reaches the server before the statement. */
    private static Request cancelOf(Connection connection) throws SQLException {
        return connection.unwrap(PgConnection.class)::cancelQuery;
    }

    private static void assertCanceled(SQLException failure, String reason) {
        assertThat((Throwable) failure).isNotNull();
        assertThat(failure.getSQLState()).isEqualTo("57014");
        assertThat(failure.getMessage()).contains("canceling statement due to " + reason);
    }

    @Test
    void shouldCancelRunningStatementsAndRollThemBack() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : new String[] {LONG_QUERY, LONG_UPDATE, LONG_LOCAL_UPDATE}) {
                assertCanceled(canceled(statement, sql, cancelOf(connection)), "user request");
            }

            assertThat(one(connection, "SELECT COUNT(*) FROM n WHERE v = id")).isEqualTo(String.valueOf(ROWS));
            assertThat(one(connection, "SELECT v FROM p")).isEqualTo("7");
        }
    }

    @Test
    void shouldFailTheTransactionOfACanceledStatement() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            update(connection, "UPDATE p SET v = 8 WHERE id = 7");
            assertCanceled(canceled(statement, LONG_QUERY, cancelOf(connection)), "user request");
            PostgresDriverTest.assertState(connection, "SELECT v FROM p", "25P02");
            connection.rollback();

            assertThat(one(connection, "SELECT v FROM p")).isEqualTo("7");
        }
    }

    @Test
    void shouldEndStatementsAtTheirTimeLimit() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            update(connection, "SET statement_timeout = '200ms'");
            assertThat(one(connection, "SHOW statement_timeout")).isEqualTo("200ms");
            assertThatThrownBy(() -> statement.execute(LONG_QUERY))
                    .isInstanceOfSatisfying(
                            SQLException.class, failure -> assertCanceled(failure, "statement timeout"));
            update(connection, "SET statement_timeout = 0");
            assertThat(one(connection, "SELECT v FROM p")).isEqualTo("7");
            PostgresDriverTest.assertState(connection, "SET statement_timeout = 'soon'", "22023");
        }
    }

    @Test
    void shouldTakeTheDriversTimeLimit() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.execute(LONG_QUERY))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertCanceled(failure, "user request"));
            statement.setQueryTimeout(0);
            assertThat(one(connection, "SELECT v FROM p")).isEqualTo("7");
        }
    }

    @Test
    void shouldLetOperatorsCancel() throws Exception {
        try (Connection connection = server.connect("ApplicationName=canceled");
                Statement statement = connection.createStatement()) {
            SQLException failure = canceled(
                    statement,
                    LONG_QUERY,
                    () -> server.server().list().stream()
                            .filter(session -> session.statement().equals(LONG_QUERY))
                            .map(ClientSession::id)
                            .forEach(server.server()::cancel));
            assertCanceled(failure, "user request");
        }
    }

    @Test
    void shouldNotCancelTheNextStatementWhenNoneIsRunning() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            statement.cancel();
            for (ClientSession session : server.server().list()) {
                server.server().cancel(session.id());
            }
            assertThat(one(connection, "SELECT v FROM p")).isEqualTo("7");
        }
    }
}

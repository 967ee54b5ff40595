package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Advisory locks, by which programs such as Flyway keep out of each other's way. */
final class PostgresAdvisoryLockTest {
    private static final long LIMIT_S = 60;

    private PostgresServer server;
    private Connection first;
    private Connection second;

    @BeforeEach
    void open() throws SQLException {
        server = PostgresServer.open(
                Options.create().partitions(1).ddl("CREATE TABLE account (id BIGINT NOT NULL, PRIMARY KEY (id))"));
        first = server.connect();
        second = server.connect();
    }

    @AfterEach
    void close() throws SQLException {
        first.close();
        second.close();
        server.close();
    }

    private static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static CompletableFuture<String> later(Connection connection, String sql) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return value(connection, sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e.getSQLState(), e);
            }
        });
    }

    private void awaitTaken(String key) throws SQLException {
        long end = System.nanoTime() + Duration.ofSeconds(LIMIT_S).toNanos();
        while (!value(second, "SELECT pg_try_advisory_lock(" + key + ")").equals("t")) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
    }

    @Test
    void shouldKeepOthersOutUntilTheLockIsFreedAsOftenAsItWasTaken() throws SQLException {
        assertThat(value(first, "SELECT pg_advisory_lock(7)")).isEmpty();
        assertThat(value(first, "SELECT pg_try_advisory_lock(7) AS taken")).isEqualTo("t");

        assertThat(value(second, "SELECT pg_try_advisory_lock(7)")).isEqualTo("f");
        assertThat(value(second, "SELECT pg_try_advisory_lock_shared(7)")).isEqualTo("f");
        assertThat(value(second, "SELECT pg_advisory_unlock(7)")).isEqualTo("f");
        assertThat(value(second, "SELECT pg_try_advisory_lock(0, 7)")).isEqualTo("t");

        assertThat(value(first, "SELECT pg_advisory_unlock(7)")).isEqualTo("t");
        assertThat(value(second, "SELECT pg_try_advisory_lock(7)")).isEqualTo("f");
        assertThat(value(first, "SELECT pg_advisory_unlock(7)")).isEqualTo("t");
        assertThat(value(second, "SELECT pg_try_advisory_lock(7)")).isEqualTo("t");
    }

    @Test
    void shouldShareSharedLocks() throws SQLException {
        assertThat(value(first, "SELECT pg_try_advisory_lock_shared(-7)")).isEqualTo("t");
        assertThat(value(second, "SELECT pg_try_advisory_lock_shared(-7)")).isEqualTo("t");

        assertThat(value(first, "SELECT pg_try_advisory_lock(-7)")).isEqualTo("f");
        value(second, "SELECT pg_advisory_unlock_all()");
        assertThat(value(first, "SELECT pg_try_advisory_lock(-7)")).isEqualTo("t");
    }

    @Test
    void shouldTakeParametersAndHashes() throws SQLException {
        try (PreparedStatement lock = first.prepareStatement("SELECT pg_try_advisory_lock(?, ?)");
                PreparedStatement hashed =
                        first.prepareStatement("SELECT pg_catalog.pg_try_advisory_lock(hashtext(?)::bigint)")) {
            lock.setInt(1, 3);
            lock.setInt(2, -4);
            lock.executeQuery().close();
            hashed.setString(1, "jobs");
            hashed.executeQuery().close();
        }

        assertThat(value(second, "SELECT pg_try_advisory_lock(3, -4)")).isEqualTo("f");
        assertThat(value(second, "SELECT pg_try_advisory_lock(3, 4)")).isEqualTo("t");
        assertThat(value(second, "SELECT pg_try_advisory_lock(hashtext('jobs'))"))
                .isEqualTo("f");
    }

    @Test
    void shouldFreeALockOfATransactionAtItsEnd() throws SQLException {
        first.setAutoCommit(false);
        value(first, "SELECT pg_advisory_xact_lock(7)");
        assertThat(value(first, "SELECT COUNT(*) FROM account")).isEqualTo("0");
        assertThat(value(second, "SELECT pg_try_advisory_xact_lock(7)")).isEqualTo("f");

        first.commit();

        assertThat(value(second, "SELECT pg_try_advisory_xact_lock(7)")).isEqualTo("t");
        assertThat(value(first, "SELECT pg_try_advisory_lock(7)")).isEqualTo("t");
    }

    @Test
    void shouldWaitForALock() throws SQLException, InterruptedException, ExecutionException, TimeoutException {
        value(first, "SELECT pg_advisory_lock(7)");

        CompletableFuture<String> waiting = later(second, "SELECT pg_advisory_lock(7)");
        assertThat(waiting.isDone()).isFalse();
        value(first, "SELECT pg_advisory_unlock(7)");

        assertThat(waiting.get(LIMIT_S, TimeUnit.SECONDS)).isEmpty();
        assertThat(value(first, "SELECT pg_try_advisory_lock(7)")).isEqualTo("f");
    }

    @Test
    void shouldEndAWaitAtTheTimeoutOfTheStatement() throws SQLException {
        value(first, "SELECT pg_advisory_lock(7)");
        try (Statement statement = second.createStatement()) {
            statement.execute("SET statement_timeout = 50");
        }

        assertThatThrownBy(() -> value(second, "SELECT pg_advisory_lock(7)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
    }

    @Test
    void shouldFreeTheLocksOfASessionThatHasEnded() throws SQLException {
        value(first, "SELECT pg_advisory_lock(7)");

        first.close();

        awaitTaken("7");
    }

    @Test
    void shouldFreeNothingThatAnEndedSessionWaitedFor() throws SQLException {
        value(first, "SELECT pg_advisory_lock(7)");
        try (Connection third = server.connect()) {
            CompletableFuture<String> waiting = later(third, "SELECT pg_advisory_lock(7)");
            third.abort(Runnable::run);
            assertThat(waiting.handle((value, failure) -> failure != null).join())
                    .isTrue();
        }

        value(first, "SELECT pg_advisory_unlock(7)");

        awaitTaken("7");
    }

    @Test
    void shouldRejectMoreThanTheLock() {
        assertThatThrownBy(() -> value(first, "SELECT pg_advisory_lock(id) FROM account"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
        assertThatThrownBy(() -> value(first, "SELECT pg_advisory_lock(1, 2, 3)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42883"));
    }
}

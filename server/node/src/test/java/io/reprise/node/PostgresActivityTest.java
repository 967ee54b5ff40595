package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static io.reprise.node.PostgresDriverTest.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.access.AccessMeter;
import io.reprise.access.PasswordHash;
import io.reprise.access.Rights;
import io.reprise.access.User;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.Options;
import io.reprise.node.security.NodeSecurity;
import io.reprise.node.security.UsersFile;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions in {@code pg_stat_activity}, and the functions that cancel and end them. */
final class PostgresActivityTest {
    private static final String PASSWORD = "a secret of the tests";
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(120);

    @TempDir
    Path folder;

    private static String of(Connection connection, String column, String pid) throws SQLException {
        return one(connection, "SELECT " + column + " FROM pg_stat_activity WHERE pid = " + pid);
    }

    /** Waits for a state: a session becomes idle a moment after its client has the answer. */
    private static void await(Connection connection, String column, String pid, String expected) throws SQLException {
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        String found = of(connection, column, pid);
        while (!expected.equals(found) && System.nanoTime() < deadlineNs) {
            found = of(connection, column, pid);
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldShowSessionsWithTheirStatements() throws SQLException {
        try (PostgresServer server = PostgresServer.open(Options.create().partitions(1));
                Connection watching = server.connect();
                Connection other = server.connect()) {
            String pid = one(other, "SELECT pg_backend_pid()");
            other.setAutoCommit(false);
            one(other, "SELECT 40 + 2");

            await(watching, "state", pid, "idle in transaction");
            assertThat(of(watching, "query", pid)).isEqualTo("SELECT 40 + 2");
            assertThat(of(watching, "client_addr", pid)).isEqualTo("127.0.0.1");
            assertThat(of(watching, "backend_start", pid)).matches("20[0-9-]{8} [0-9:]{8}\\.[0-9]{6}\\+00");
            assertThat(one(watching, "SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"))
                    .isEqualTo("1");
        }
    }

    @Test
    void shouldEndASession() throws SQLException {
        try (PostgresServer server = PostgresServer.open(Options.create().partitions(1));
                Connection ending = server.connect();
                Connection ended = server.connect()) {
            String pid = one(ended, "SELECT pg_backend_pid()");

            assertThat(one(ending, "SELECT pg_cancel_backend(" + pid + ")")).isEqualTo("t");
            assertThat(one(ended, "SELECT 1")).isEqualTo("1");
            assertThat(one(
                            ending,
                            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"))
                    .isEqualTo("t");
            assertThatThrownBy(() -> one(ended, "SELECT 1")).isInstanceOf(SQLException.class);
            assertThat(one(ending, "SELECT pg_terminate_backend(4711)")).isEqualTo("f");
        }
    }

    @Test
    void shouldHideStatementsOfOtherUsersAndLeaveTheirSessionsAlone() throws Exception {
        PasswordHash hash = PasswordHash.of(PASSWORD);
        UsersFile users = new UsersFile(folder.resolve("users"));
        users.change(none -> none.with(new User("reader", Rights.parse(List.of("read")), Optional.of(hash)))
                .with(new User("admin", Rights.parse(List.of("administer", "sql")), Optional.of(hash))));
        NodeConfiguration.Security configured = new NodeConfiguration.Security(
                Optional.empty(), Optional.empty(), Optional.of(folder.resolve("users")), Optional.empty());
        try (NodeSecurity security = NodeSecurity.open(configured, "test", "a token", new AccessMeter());
                PostgresServer server =
                        PostgresServer.open(Options.create().partitions(1), security.protection(false));
                Connection reader = login(server, "reader");
                Connection admin = login(server, "admin")) {
            update(admin, "CREATE TABLE t (id INTEGER)");
            String ofAdmin = one(admin, "SELECT pg_backend_pid()");
            String ofReader = one(reader, "SELECT pg_backend_pid()");

            assertThat(of(reader, "query", ofAdmin)).isEqualTo("<insufficient privilege>");
            assertThat(of(reader, "usename", ofAdmin)).isEqualTo("admin");
            assertThat(of(admin, "query", ofReader)).contains("pg_stat_activity");
            PostgresDriverTest.assertState(reader, "SELECT pg_terminate_backend(" + ofAdmin + ")", "42501");
            PostgresDriverTest.assertState(reader, "SELECT \"pg_terminate_backend\"(" + ofAdmin + ")", "42501");
            PostgresDriverTest.assertState(
                    reader, "DECLARE c CURSOR WITH HOLD FOR SELECT pg_terminate_backend(" + ofAdmin + ")", "42501");
            assertThat(one(admin, "SELECT pg_cancel_backend(" + ofReader + ")")).isEqualTo("t");
        }
    }

    private static Connection login(PostgresServer server, String user) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/bank?sslmode=disable", user, PASSWORD);
    }
}

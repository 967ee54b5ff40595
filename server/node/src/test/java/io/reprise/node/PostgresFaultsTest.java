package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.access.AccessMeter;
import io.reprise.access.PasswordHash;
import io.reprise.access.Rights;
import io.reprise.access.ScramVerifier;
import io.reprise.access.User;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.Options;
import io.reprise.node.security.NodeSecurity;
import io.reprise.node.security.UsersFile;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that violate the PostgreSQL protocol, and logins. */
final class PostgresFaultsTest {
    private static final int PROTOCOL = 3 << 16;
    private static final int TIMEOUT_MS = 20_000;
    private static final long SEED = Long.getLong("reprise.seed", 42);
    private static final String PASSWORD = "a long password";

    @TempDir
    Path folder;

    private static byte[] message(int kind, byte[] body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        if (kind != 0) {
            out.write(kind);
        }
        out.writeInt(body.length + Integer.BYTES);
        out.write(body);
        return bytes.toByteArray();
    }

    private static byte[] startup() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(PROTOCOL);
        out.write("user\0ann\0database\0bank\0\0".getBytes(StandardCharsets.UTF_8));
        return message(0, bytes.toByteArray());
    }

    /** Sends bytes and reads until the server closes the connection. */
    private static String sentAndClosed(PostgresServer server, byte[]... parts) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(TIMEOUT_MS);
            for (byte[] part : parts) {
                socket.getOutputStream().write(part);
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException reset) {
            return "reset";
        }
    }

    @Test
    void shouldEndMalformedStartups() throws Exception {
        try (PostgresServer server = PostgresServer.open(Options.create())) {
            assertThat(sentAndClosed(server, new byte[] {0, 0, 0, 3, 0, 0, 0, 0}))
                    .contains("08P01");
            assertThat(sentAndClosed(server, new byte[] {127, 0, 0, 3})).contains("08P01");
            assertThat(sentAndClosed(server, message(0, new byte[] {0, 2, 0, 0})))
                    .contains("0A000");
            assertThat(sentAndClosed(server, message(0, new byte[] {0, 3, 0, 0, 'u'})))
                    .contains("08P01");
            assertThat(sentAndClosed(server, message(0, new byte[] {0, 3, 0, 0, 0})))
                    .contains("28000");
            assertThat(sentAndClosed(server, startup(), new byte[] {'Q', -1, 0, 0, 0}))
                    .contains("08P01");
        }
    }

    @Test
    void shouldGoOnBehindAMalformedQuery() throws Exception {
        try (PostgresServer server = PostgresServer.open(Options.create())) {
            byte[] unterminated = message('Q', "BEGIN".getBytes(StandardCharsets.US_ASCII));
            byte[] query = message('Q', "SELECT 1\0".getBytes(StandardCharsets.US_ASCII));

            assertThat(sentAndClosed(server, startup(), unterminated, query, message('X', new byte[0])))
                    .contains("08P01", "SELECT 1");
        }
    }

    @Test
    void shouldSurviveRandomMessages() throws Exception {
        Random random = new Random(SEED);
        try (PostgresServer server = PostgresServer.open(Options.create())) {
            for (int round = 0; round < 60; round++) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int i = 0; i < 20; i++) {
                    byte[] body = new byte[random.nextInt(40)];
                    random.nextBytes(body);
                    bytes.write(message("PBDECSHQFdcfp".charAt(random.nextInt(13)), body));
                }
                bytes.write(message('X', new byte[0]));

                String answers = sentAndClosed(server, startup(), bytes.toByteArray());
                assertThat(answers).as("seed %d, round %d", SEED, round).doesNotContain("XX000");
            }
            try (Connection connection = server.connect()) {
                assertThat(one(connection, "SELECT 1"))
                        .as("after seed %d", SEED)
                        .isEqualTo("1");
            }
        }
    }

    @Test
    void shouldAskForPasswordsAndKeepToRights() throws Exception {
        PasswordHash hash = PasswordHash.of(PASSWORD);
        UsersFile users = new UsersFile(folder.resolve("users"));
        users.change(none -> none.with(new User("reader", Rights.parse(List.of("read")), Optional.of(hash)))
                .with(new User("admin", Rights.parse(List.of("administer", "sql")), Optional.of(hash))));
        NodeConfiguration.Security configured = new NodeConfiguration.Security(
                Optional.empty(), Optional.empty(), Optional.of(folder.resolve("users")), Optional.empty());
        try (NodeSecurity security = NodeSecurity.open(configured, "test", "a token", new AccessMeter());
                PostgresServer server = PostgresServer.open(Options.create(), security.protection(false))) {
            try (Connection admin = login(server, "admin", PASSWORD)) {
                PostgresDriverTest.update(admin, "CREATE TABLE t (id INTEGER)");
                PostgresDriverTest.update(admin, "INSERT INTO t VALUES (1)");
            }
            try (Connection reader = login(server, "reader", PASSWORD)) {
                assertThat(one(reader, "SELECT id FROM t")).isEqualTo("1");
                PostgresDriverTest.assertState(reader, "INSERT INTO t VALUES (2)", "42501");
                PostgresDriverTest.assertState(reader, "DROP TABLE t", "42501");
            }
            for (String[] wrong : new String[][] {{"reader", "wrong"}, {"nobody", PASSWORD}}) {
                assertThatThrownBy(() -> login(server, wrong[0], wrong[1]))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            }
        }
    }

    @Test
    void shouldLogInByScram() throws Exception {
        PasswordHash none = PasswordHash.ofNone();
        Optional<ScramVerifier> scram = Optional.of(ScramVerifier.of(PASSWORD));
        UsersFile users = new UsersFile(folder.resolve("users"));
        users.change(empty -> empty.with(new User("ann", Rights.parse(List.of("read")), Optional.of(none), scram)));
        NodeConfiguration.Security configured = new NodeConfiguration.Security(
                Optional.empty(), Optional.empty(), Optional.of(folder.resolve("users")), Optional.empty());
        try (NodeSecurity security = NodeSecurity.open(configured, "test", "a token", new AccessMeter());
                PostgresServer server = PostgresServer.open(Options.create(), security.protection(false))) {
            // The hash is one that no password has, so the password was not sent.
            try (Connection ann = login(server, "ann", PASSWORD)) {
                assertThat(one(ann, "SELECT 1")).isEqualTo("1");
            }
            for (String[] wrong : new String[][] {{"ann", "wrong"}, {"nobody", PASSWORD}}) {
                assertThatThrownBy(() -> login(server, wrong[0], wrong[1]))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            }
            byte[] garbage = "SCRAM-SHA-256\0\0\0\0\3n,,".getBytes(StandardCharsets.ISO_8859_1);
            assertThat(sentAndClosed(server, startup(), message('p', garbage))).contains("08P01");
            byte[] unknown = "SCRAM-SHA-512\0\0\0\0\3n,,".getBytes(StandardCharsets.ISO_8859_1);
            assertThat(sentAndClosed(server, startup(), message('p', unknown))).contains("08P01");
        }
    }

    private static Connection login(PostgresServer server, String user, String password) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/bank?sslmode=disable", user, password);
    }
}

package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.engine.Options;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.slf4j.LoggerFactory;

/** Acts of administration in the audit log, by both protocols. */
final class AuditLogTest {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.reprise.audit");
    private PostgresServer server;

    @BeforeEach
    void open() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        server = PostgresServer.open(Options.create().partitions(1));
    }

    @AfterEach
    void close() {
        server.close();
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private List<String> lines() {
        synchronized (lines) {
            return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        }
    }

    @Test
    void shouldTellChangesOfTheSchemaByPostgresqlsClients() throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE audited (id BIGINT PRIMARY KEY)");
            statement.execute("INSERT INTO audited VALUES (1)");
            assertThatThrownBy(() -> statement.execute("DROP TABLE missing")).isInstanceOf(SQLException.class);
        }

        assertThat(lines()).hasSize(2);
        assertThat(lines().getFirst())
                .isEqualTo("without a login from 127.0.0.1: CREATE TABLE audited (id BIGINT PRIMARY KEY): done");
        assertThat(lines().getLast()).contains("DROP TABLE missing: ").contains("no table");
    }

    @Test
    void shouldTellSessionsThatAClientEnds() throws SQLException {
        try (Connection connection = server.connect()) {
            assertThat(PostgresDriverTest.one(connection, "SELECT pg_terminate_backend(4711)"))
                    .isEqualTo("f");
        }

        assertThat(lines()).containsExactly("without a login from 127.0.0.1: SELECT pg_terminate_backend(4711): done");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT \"pg_terminate_backend\"(4711)",
                "SELECT pg_catalog.\"pg_cancel_backend\"(4711)",
                "SELECT \"pg_catalog\".pg_cancel_backend(4711)",
                "SELECT PG_Cancel_Backend(4711) FROM pg_stat_activity",
                "SELECT \"pg_cancel_backend\"(4711) FROM pg_stat_activity",
                "DECLARE c CURSOR WITH HOLD FOR SELECT pg_cancel_backend(4711)",
                "DECLARE c CURSOR WITH HOLD FOR SELECT \"pg_cancel_backend\"(4711)"
            })
    void shouldTellEachFormInWhichAClientReachesSessions(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }

        assertThat(lines()).containsExactly("without a login from 127.0.0.1: " + sql + ": done");
    }

    @Test
    void shouldTellSessionsThatACopyEnds() throws Exception {
        try (Connection connection = server.connect()) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("COPY (SELECT pg_cancel_backend(4711)) TO STDOUT", new ByteArrayOutputStream());
        }

        assertThat(lines()).hasSize(1);
        assertThat(lines().getFirst()).contains("SELECT pg_cancel_backend(4711)");
    }

    @Test
    void shouldTellNoReadsOfSessions() throws SQLException {
        try (Connection connection = server.connect()) {
            PostgresDriverTest.one(connection, "SELECT 'pg_cancel_backend' FROM pg_stat_activity");
        }

        assertThat(lines()).isEmpty();
    }

    @Test
    void shouldTellChangesOfTheSchemaByNativeClients() {
        try (Client client = Client.connect(ClientSettings.to(server.server().address()))) {
            client.ddl("CREATE TABLE audited (id BIGINT PRIMARY KEY)");
            assertThatThrownBy(() -> client.ddl("DROP TABLE missing")).isInstanceOf(CallException.class);
        }

        assertThat(lines()).hasSize(2);
        assertThat(lines().getFirst()).endsWith(": CREATE TABLE audited (id BIGINT PRIMARY KEY): done");
        assertThat(lines().getLast()).contains("DROP TABLE missing: ").contains("no table");
    }
}

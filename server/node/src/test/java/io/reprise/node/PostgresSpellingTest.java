package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spellings of PostgreSQL that libraries send, and that the engine's SQL does not have. */
final class PostgresSpellingTest {
    private PostgresServer server;
    private Connection connection;
    private Statement statement;

    @BeforeEach
    void open() throws SQLException {
        server = PostgresServer.open(Options.create()
                .partitions(1)
                .ddl("CREATE TABLE account (id BIGINT NOT NULL, owner VARCHAR(20), PRIMARY KEY (id))"));
        connection = server.connect();
        statement = connection.createStatement();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        server.close();
    }

    private String value(String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    @Test
    void shouldSetAndShowSettingsByFunctions() throws SQLException {
        assertThat(value("SELECT set_config('application_name', 'shop', false)"))
                .isEqualTo("shop");
        assertThat(value("SELECT current_setting('application_name')")).isEqualTo("shop");
        assertThat(value("SELECT current_setting('reprise.missing', true)")).isNull();
        assertThat(value("SELECT current_setting('server_version_num')::INTEGER / 10000"))
                .isEqualTo("16");
        try (PreparedStatement set = connection.prepareStatement("SELECT pg_catalog.set_config('search_path', ?, ?)")) {
            set.setString(1, "public");
            set.setBoolean(2, false);
            set.executeQuery().close();
        }
        assertThat(value("SHOW search_path")).isEqualTo("public");

        assertThatThrownBy(() -> value("SELECT current_setting('missing')"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42704"));
        assertThatThrownBy(() -> value("SELECT set_config('server_version', '1', false)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P02"));
    }

    @Test
    void shouldTakeALocalSettingBackAtTheEndOfItsTransaction() throws SQLException {
        connection.setAutoCommit(false);
        assertThat(value("SELECT set_config('application_name', 'shop', true)")).isEqualTo("shop");
        connection.commit();

        assertThat(value("SHOW application_name")).isNotEqualTo("shop");
    }

    @Test
    void shouldGiveTheDriverItsKeywords() throws SQLException {
        assertThat(connection.getMetaData().getSQLKeywords()).isEmpty();
    }

    @Test
    void shouldAlterATableIfItExists() throws SQLException {
        statement.execute("ALTER TABLE IF EXISTS missing ADD COLUMN extra INTEGER");
        assertThat(statement.getWarnings().getMessage()).contains("\"missing\" does not exist, skipping");

        statement.execute("ALTER TABLE IF EXISTS ONLY public.account ADD COLUMN made TIMESTAMP(6)");
        statement.execute("INSERT INTO account VALUES (1, 'Ann', CAST('2024-02-29 12:00:00.123456' AS TIMESTAMP(6)))");

        assertThat(value("SELECT made FROM account")).isEqualTo("2024-02-29 12:00:00.123456");
    }

    @Test
    void shouldTakeABackslashInAPatternAsTheEscapeCharacter() throws SQLException {
        statement.execute("INSERT INTO account VALUES (1, 'a_b'), (2, 'axb'), (3, 'a\\b')");

        assertThat(value("SELECT COUNT(*) FROM account WHERE owner LIKE 'a_b'")).isEqualTo("3");
        assertThat(value("SELECT id FROM account WHERE owner LIKE 'a\\_b'")).isEqualTo("1");
        assertThat(value("SELECT id FROM account WHERE owner ILIKE 'A\\\\B'")).isEqualTo("3");
        assertThat(value("SELECT id FROM account WHERE owner LIKE 'a\\b' ESCAPE ''"))
                .isEqualTo("3");
        try (PreparedStatement query = connection.prepareStatement("SELECT id FROM account WHERE owner LIKE ?")) {
            query.setString(1, "a\\_%");
            try (ResultSet rows = query.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(1);
                assertThat(rows.next()).isFalse();
            }
        }
    }
}

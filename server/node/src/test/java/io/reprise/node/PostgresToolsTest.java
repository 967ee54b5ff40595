package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queries of the catalogue that tools send when they connect and show a schema: DBeaver, Npgsql, Metabase and others. */
final class PostgresToolsTest {
    private PostgresServer server;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(1).ddl("""
                        CREATE TABLE account (id BIGINT NOT NULL, owner VARCHAR(20) DEFAULT 'nobody', balance DECIMAL(12,2),
                            PRIMARY KEY (id));
                        PARTITION TABLE account ON COLUMN id;
                        CREATE TABLE bill (id BIGINT NOT NULL, account_id BIGINT, PRIMARY KEY (account_id, id),
                            CONSTRAINT bill_account FOREIGN KEY (account_id) REFERENCES account (id));
                        PARTITION TABLE bill ON COLUMN account_id;
                        CREATE INDEX by_owner ON account (owner, balance);
                        CREATE VIEW rich AS SELECT id FROM account WHERE balance > 100;
                        """));
        connection = server.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        server.close();
    }

    private List<String> rows(String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(rows.getString(i));
                }
                found.add(String.join("|", row));
            }
        }
        return found;
    }

    private static List<String> queries() throws IOException {
        try (InputStream in = PostgresToolsTest.class.getResourceAsStream("tools-queries.sql")) {
            return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n;;\n"));
        }
    }

    @Test
    void shouldAnswerTheQueriesOfTools() throws IOException {
        List<String> failures = new ArrayList<>();
        for (String sql : queries()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                failures.add(e.getMessage() + " in " + sql);
            }
        }

        assertThat(queries()).hasSizeGreaterThan(70);
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldCastNamesToRelationsAndBack() throws SQLException {
        assertThat(rows("SELECT relname FROM pg_class WHERE oid = 'public.account'::regclass"))
                .containsExactly("account");
        assertThat(rows("SELECT conrelid::regclass, confrelid::regclass FROM pg_constraint WHERE contype = 'f'"))
                .containsExactly("bill|account");
        assertThat(rows("SELECT to_regclass('public.missing')")).containsExactly("null");
        assertThat(
                        rows(
                                "SELECT count(*) FROM pg_class WHERE oid = CAST(format('%I.%I', 'public', 'bill') AS REGCLASS)"))
                .containsExactly("1");
        assertThat(rows("SELECT pg_get_viewdef('rich'::regclass)")).hasSize(1);
    }

    @Test
    void shouldFindColumnsOfKeys() throws SQLException {
        assertThat(rows("SELECT a.attname FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid"
                        + " AND a.attnum = ANY(c.conkey) WHERE c.conname = 'bill_account'"))
                .containsExactly("account_id");
        assertThat(rows(
                        "SELECT a.attname FROM (SELECT indrelid, indkey, generate_subscripts(indkey, 1) idx FROM pg_index"
                                + " WHERE indrelid = '\"bill\"'::regclass AND indisprimary) i JOIN pg_attribute a"
                                + " ON a.attrelid = i.indrelid AND a.attnum = i.indkey[i.idx] ORDER BY i.idx"))
                .containsExactly("account_id", "id");
        assertThat(rows("SELECT table_name, column_name FROM information_schema.constraint_column_usage"
                        + " WHERE constraint_name = 'bill_account'"))
                .containsExactly("account|id");
    }

    @Test
    void shouldAnswerQuestionsForExistence() throws SQLException {
        assertThat(rows("SELECT EXISTS (SELECT FROM pg_tables WHERE tablename = 'account')"))
                .containsExactly("t");
        assertThat(rows("SELECT EXISTS (SELECT FROM pg_tables WHERE tablename = 'missing')"))
                .containsExactly("f");
        assertThat(rows("SELECT table_name FROM information_schema.views")).containsExactly("rich");
        assertThat(rows("SELECT setting FROM pg_settings WHERE name = 'server_encoding'"))
                .containsExactly("UTF8");
    }
}

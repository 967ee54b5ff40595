package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Schemas at PostgreSQL's port: qualified names, the search path, and the system catalogue. */
final class PostgresSchemasTest {
    private PostgresServer server;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2));
        connection = server.connect();
        run("CREATE SCHEMA shop AUTHORIZATION ann");
        run("CREATE TABLE item (id INTEGER PRIMARY KEY)");
        run("CREATE TABLE shop.item (id SERIAL PRIMARY KEY, name TEXT CONSTRAINT named UNIQUE)");
        run("CREATE TABLE shop.line (item INTEGER REFERENCES shop.item (id))");
        run("INSERT INTO shop.item (name) VALUES ('pen'), ('ink')");
        run("INSERT INTO public.item VALUES (7)");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        server.close();
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String query(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            StringBuilder text = new StringBuilder();
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    text.append(i == 1 ? "" : "|").append(rows.getString(i));
                }
                text.append(';');
            }
            return text.toString();
        }
    }

    private static ServerErrorMessage error(Throwable e) {
        return ((PSQLException) e).getServerErrorMessage();
    }

    @Test
    void shouldLookNamesUpInTheSearchPath() throws SQLException {
        assertThat(query("SELECT current_schema()")).isEqualTo("public;");
        assertThat(query("SELECT id FROM item")).isEqualTo("7;");

        run("SET search_path TO shop, public");

        assertThat(query("SHOW search_path")).isEqualTo("shop, public;");
        assertThat(query("SELECT current_schema()")).isEqualTo("shop;");
        assertThat(query("SELECT name FROM item WHERE id = 2")).isEqualTo("ink;");
        assertThat(query("SELECT id FROM public.item")).isEqualTo("7;");
        run("CREATE TABLE made (a INTEGER)");
        run("INSERT INTO made VALUES (1)");
        run("BEGIN; UPDATE made SET a = a + 1; COMMIT");
        run("TRUNCATE line, public.item");
        assertThat(query("SELECT a FROM shop.made")).isEqualTo("2;");
        assertThat(query("SELECT COUNT(*) FROM public.item")).isEqualTo("0;");
        run("RESET search_path");
        assertThatThrownBy(() -> run("SELECT a FROM made"))
                .satisfies(e -> assertThat(error(e).getSQLState()).isEqualTo("42P01"));
        run("SELECT set_config('search_path', '', false)");
        assertThat(query("SELECT COUNT(*) FROM public.item")).isEqualTo("0;");
    }

    @Test
    void shouldShowSchemasInTheCatalogue() throws SQLException {
        assertThat(query("SELECT nspname FROM pg_namespace WHERE nspname = 'shop'"))
                .isEqualTo("shop;");
        assertThat(query("SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE n.nspname = 'shop' AND c.relkind = 'r' ORDER BY 1"))
                .isEqualTo("item;line;");
        assertThat(query("SELECT table_schema, column_name FROM information_schema.columns WHERE table_name = 'item'"
                        + " ORDER BY 1, 2"))
                .isEqualTo("public|id;shop|id;shop|name;");
        assertThat(query("SELECT c.relname FROM pg_class c WHERE pg_table_is_visible(c.oid) AND c.relkind = 'r'"))
                .isEqualTo("item;");
        assertThat(query("SELECT pg_get_indexdef('shop.named'::regclass)"))
                .isEqualTo("CREATE UNIQUE INDEX named ON shop.item USING hash (name);");
        assertThat(query("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f'"))
                .isEqualTo("FOREIGN KEY (item) REFERENCES shop.item(id);");
        try (ResultSet keys = connection.getMetaData().getImportedKeys(null, "shop", "line")) {
            assertThat(keys.next()).isTrue();
            assertThat(keys.getString("PKTABLE_SCHEM")).isEqualTo("shop");
            assertThat(keys.getString("PKTABLE_NAME")).isEqualTo("item");
        }
        try (ResultSet schemas = connection.getMetaData().getSchemas(null, "shop")) {
            assertThat(schemas.next()).isTrue();
        }
    }

    @Test
    void shouldTellTheSchemaOfAViolation() {
        assertThatThrownBy(() -> run("INSERT INTO shop.item (name) VALUES ('pen')"))
                .satisfies(e -> {
                    assertThat(error(e).getSQLState()).isEqualTo("23505");
                    assertThat(error(e).getSchema()).isEqualTo("shop");
                    assertThat(error(e).getTable()).isEqualTo("item");
                    assertThat(error(e).getConstraint()).isEqualTo("named");
                });
        assertThatThrownBy(() -> run("SELECT * FROM nowhere.item"))
                .satisfies(e -> assertThat(error(e).getSQLState()).isEqualTo("3F000"));
        assertThatThrownBy(() -> run("CREATE SCHEMA shop"))
                .satisfies(e -> assertThat(error(e).getSQLState()).isEqualTo("42P06"));
        assertThatThrownBy(() -> run("DROP SCHEMA shop"))
                .satisfies(e -> assertThat(error(e).getSQLState()).isEqualTo("2BP01"));
    }

    @Test
    void shouldDrawDefaultsFromTheSequenceOfTheSearchPathAtTheirDefinition() throws SQLException {
        run("CREATE SEQUENCE counter START 50");
        run("CREATE SEQUENCE shop.counter START 5");
        run("SET search_path = shop, public");
        run("CREATE TABLE counted (id BIGINT DEFAULT nextval('counter'::regclass) PRIMARY KEY, n INTEGER)");
        run("SET search_path = public");
        run("INSERT INTO shop.counted (n) VALUES (1)");

        assertThat(query("SELECT id FROM shop.counted")).isEqualTo("5;");
    }

    @Test
    void shouldReadLongNames() throws SQLException {
        String longName = "q".repeat(100_000);

        assertThat(query("SELECT to_regclass('\"" + longName + "\"') IS NULL")).isEqualTo("t;");
        run("SET search_path = \"" + longName + "\", public");
        assertThatThrownBy(() -> query("SELECT id FROM item")).hasMessageContaining("can't be longer than 128");
        run("SET search_path = public");
        assertThat(query("SELECT id FROM item")).isEqualTo("7;");
        assertThatThrownBy(() -> run("SELECT nextval('\"" + longName + "\"')"))
                .satisfies(e -> assertThat(error(e).getSQLState()).isEqualTo("42P01"));
    }

    @Test
    void shouldCopyAndDropWhatIsInASchema() throws SQLException {
        assertThat(query("SELECT nextval('shop.item_id_seq'), currval('shop.item_id_seq')"))
                .isEqualTo("3|3;");
        run("ALTER TABLE IF EXISTS shop.nothing ADD COLUMN a INTEGER");
        run("ALTER TABLE shop.item ADD COLUMN a INTEGER DEFAULT 4");
        assertThat(query("SELECT name, a FROM shop.item ORDER BY id")).isEqualTo("pen|4;ink|4;");
        run("CREATE VIEW shop.v AS SELECT name FROM shop.item");
        assertThat(query("SELECT * FROM shop.v ORDER BY 1")).isEqualTo("ink;pen;");

        run("DROP SCHEMA IF EXISTS shop, nothing CASCADE");

        assertThat(query("SELECT table_schema, table_name FROM information_schema.tables"))
                .isEqualTo("public|item;");
    }
}

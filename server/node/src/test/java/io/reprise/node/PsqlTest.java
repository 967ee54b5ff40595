package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.engine.Options;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The PostgreSQL port by psql; skipped where there is none. */
final class PsqlTest {
    private static final Path PSQL = Path.of("/usr/bin/psql");

    private PostgresServer server;

    @BeforeEach
    void open() {
        assumeTrue(Files.isExecutable(PSQL), "there is no psql");
        server = PostgresServer.open(Options.create().partitions(2));
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    private String psql(String script, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                PSQL.toString(), "-X", "-h", "127.0.0.1", "-p", Integer.toString(server.port()), "-U", "ann", "bank"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGCONNECT_TIMEOUT", "10");
        builder.environment().remove("PGPASSWORD");
        Process process = builder.start();
        process.onExit().completeOnTimeout(null, 60, TimeUnit.SECONDS).thenAccept(ended -> {
            if (ended == null) {
                process.destroyForcibly();
            }
        });
        process.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    @Test
    void shouldGoOnWhenAStatementBehindACopyInAQueryFails() throws Exception {
        psql("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");

        String output = psql(
                "1\n\\.\n",
                "-A",
                "-t",
                "-c",
                "COPY t FROM STDIN; SELECT 1 / 0",
                "-c",
                "SELECT 'after', COUNT(*) FROM t");

        assertThat(output).contains("division by zero").contains("after|");
    }

    @Test
    void shouldRunAScript() throws Exception {
        String output = psql("""
                CREATE TABLE t (id BIGINT NOT NULL, name VARCHAR(20), PRIMARY KEY (id));
                PARTITION TABLE t ON COLUMN id;
                INSERT INTO t VALUES (1, 'one'), (2, 'two');
                BEGIN;
                UPDATE t SET name = 'ONE' WHERE id = 1;
                SELECT * FROM t ORDER BY id;
                ROLLBACK;
                SELECT name FROM t WHERE id = 1;
                """, "-A");

        assertThat(output.lines().toList())
                .containsSubsequence(
                        "CREATE TABLE",
                        "PARTITION TABLE",
                        "INSERT 0 2",
                        "BEGIN",
                        "UPDATE 1",
                        "id|name",
                        "1|ONE",
                        "2|two",
                        "(2 rows)",
                        "ROLLBACK",
                        "name",
                        "one",
                        "(1 row)");
        assertThat(output).contains("NOTICE:  table \"t\" is replicated");
    }

    @Test
    void shouldPointAtErrors() throws Exception {
        String output = psql("SELECT 1 +;\nSELECT x FROM nowhere;\n");

        assertThat(output)
                .contains("ERROR:  syntax error")
                .contains("LINE 1: SELECT 1 +")
                .contains("nowhere");
    }

    @Test
    void shouldStopAtTheFirstErrorOfATransaction() throws Exception {
        String output = psql("BEGIN; SELECT 1/0 AS x FROM (VALUES (1)) AS t(a);\nSELECT 1;\nCOMMIT;\n", "-A");

        assertThat(output.lines().toList()).contains("ROLLBACK");
        assertThat(output).contains("current transaction is aborted");
    }

    @Test
    void shouldDescribeTables() throws Exception {
        psql("""
                CREATE TABLE parent (id BIGINT NOT NULL, code VARCHAR(10), PRIMARY KEY (id));
                CREATE UNIQUE INDEX parent_code ON parent (code);
                CREATE TABLE child (id BIGINT NOT NULL, parent_id BIGINT DEFAULT 7 CHECK (parent_id > 0), PRIMARY KEY (id),
                  CONSTRAINT child_parent FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE);
                CREATE INDEX child_by_parent ON child (parent_id, id);
                CREATE VIEW codes AS SELECT code FROM parent;
                """);

        assertThat(psql("\\d child", "-A"))
                .contains("id|bigint||not null|")
                .contains("parent_id|bigint|||7")
                .contains("PRIMARY KEY, ")
                .contains("\"child_parent_id_check\" CHECK (parent_id > 0)")
                .contains("\"child_by_parent\" btree (parent_id, id)")
                .contains("\"child_parent\" FOREIGN KEY (parent_id) REFERENCES parent(id) ON DELETE CASCADE");
        assertThat(psql("\\d parent", "-A"))
                .contains("\"parent_code\" UNIQUE")
                .contains("TABLE \"child\" CONSTRAINT \"child_parent\" FOREIGN KEY");
        assertThat(psql("\\d", "-A")).contains("public|parent|table|").contains("public|codes|view|");
        assertThat(psql("\\di", "-A")).contains("public|child_by_parent|index|").contains("|child");
    }

    @Test
    void shouldNumberRowsInSessions() throws Exception {
        psql("""
                CREATE TABLE item (id SERIAL PRIMARY KEY, name TEXT);
                CREATE TABLE part (id BIGINT GENERATED ALWAYS AS IDENTITY, name TEXT, PRIMARY KEY (id));
                CREATE SEQUENCE "Odd" START WITH 5 INCREMENT BY 2;
                """);

        assertThat(psql("""
                        INSERT INTO item (name) VALUES ('a') RETURNING id;
                        BEGIN;
                        INSERT INTO item (name) VALUES ('b'), ('c') RETURNING id;
                        SELECT currval('item_id_seq'::regclass);
                        ROLLBACK;
                        BEGIN;
                        INSERT INTO item (name) VALUES ('d') RETURNING id;
                        COMMIT;
                        SELECT lastval();
                        SELECT setval('public.item_id_seq', 70);
                        COPY item (name) FROM STDIN;
                        x
                        \\.
                        SELECT id FROM item ORDER BY id;
                        SELECT is_called, last_value >= 70 FROM item_id_seq;
                        """, "-A", "-t", "-q").lines().toList())
                .containsSequence("1")
                .containsSubsequence("1", "2", "3", "3", "4", "4", "70", "1", "4", "71", "t|t");
        assertThat(psql("\\d item", "-A")).contains("nextval('item_id_seq'::regclass)");
        assertThat(psql("\\d part", "-A")).contains("generated always as identity");
        assertThat(psql("\\ds", "-A")).contains("public|item_id_seq|sequence|");
        assertThat(psql("SELECT currval('item_id_seq')")).contains("not yet defined in this session");
    }

    @Test
    void shouldRunListingCommands() throws Exception {
        for (String command : List.of("df", "l", "du", "dp", "db")) {
            assertThat(psql("\\" + command + "\n", "-A")).as(command).doesNotContain("ERROR");
        }
    }

    @Test
    void shouldPrintPlainValues() throws Exception {
        assertThat(psql("SELECT 1 AS a;", "-A", "-t")).isEqualTo("1\n");
    }
}

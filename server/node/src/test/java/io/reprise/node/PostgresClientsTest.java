package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.engine.Options;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients in other languages, each with a program that uses it as applications do. {@code scripts/postgres-clients} installs them into the
 * folder that REPRISE_CLIENTS names; those that are absent are skipped.
 */
final class PostgresClientsTest {
    private static final long LIMIT_S = 300;
    private static final String INSTALLED = System.getenv().getOrDefault("REPRISE_CLIENTS", "");

    private static PostgresServer server;

    @TempDir
    Path folder;

    private static Path installed(String path) {
        Path found = Path.of(INSTALLED.isEmpty() ? "none" : INSTALLED, path);
        assumeTrue(
                Files.exists(found),
                () -> "scripts/postgres-clients FOLDER installs it, and REPRISE_CLIENTS names the folder: " + found);
        return found;
    }

    private Path program(String name) throws IOException {
        Path program = folder.resolve(name);
        try (InputStream in = PostgresClientsTest.class.getResourceAsStream("clients/" + name)) {
            Files.copy(in, program);
        }
        return program;
    }

    @BeforeAll
    static void open() {
        server = PostgresServer.open(Options.create().partitions(2));
    }

    @AfterAll
    static void close() {
        server.close();
    }

    /** Runs a program at the server. Returns its output. */
    private String run(Map<String, String> environment, String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command));
        words.replaceAll(word -> word.replace("PORT", Integer.toString(server.port())));
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile())
                .directory(folder.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended).as(text).isTrue();
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    @Test
    void shouldServePsycopg() throws Exception {
        Path python = installed("python/bin/python");

        assertThat(run(Map.of(), python.toString(), program("client_psycopg.py").toString(), "PORT"))
                .contains("ok errors");
    }

    @Test
    void shouldServeSqlAlchemy() throws Exception {
        Path python = installed("python/bin/python");

        assertThat(run(
                        Map.of(),
                        python.toString(),
                        program("client_sqlalchemy.py").toString(),
                        "PORT"))
                .contains("ok inspect");
    }

    @Test
    void shouldServeNodePostgres() throws Exception {
        Path modules = installed("node/node_modules");

        assertThat(run(
                        Map.of("NODE_PATH", modules.toString()),
                        "node",
                        program("client_node.js").toString(),
                        "PORT"))
                .contains("ok transaction, pool");
    }

    @Test
    void shouldServePgxAndLibPq() throws Exception {
        Path pgx = installed("pgx");

        assertThat(run(Map.of(), pgx.toString(), "PORT")).contains("ok lib/pq");
    }

    private static void assumePsql() {
        assumeTrue(
                List.of(System.getenv("PATH").split(":")).stream()
                        .anyMatch(each -> Files.isExecutable(Path.of(each, "psql"))),
                "psql is not installed");
    }

    @Test
    void shouldLoadADumpOfPostgres() throws Exception {
        assumePsql();
        Path dump = program("dump.sql");
        String server = "host=127.0.0.1 port=PORT user=ann dbname=bank";

        run(Map.of(), "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", server, "-f", dump.toString());
        String output = run(
                Map.of(),
                "psql",
                "-X",
                "-q",
                "-A",
                "-t",
                server,
                "-c",
                "SELECT id, name, price, kind, u, d, j, r, x, b FROM kinds ORDER BY id",
                "-c",
                "SELECT name FROM cheap",
                "-c",
                "SELECT at IS NULL, COUNT(*) FROM kinds, pgbench_accounts GROUP BY 1",
                "-c",
                "INSERT INTO kinds (name) VALUES ('c') RETURNING id");

        assertThat(output)
                .contains("1|a|1.50|abc|123e4567-e89b-12d3-a456-426614174000|2026-01-31|{\"a\": 1}|1.5|2.5|\\x0102\n")
                .endsWith("a\nf|4\n3\n");
    }

    @Test
    void shouldServePsql() throws Exception {
        assumePsql();
        Path csv = Files.writeString(folder.resolve("rows.csv"), "id,name\n1,ann\n2,\"b, c\"\n");
        Path copied = folder.resolve("copied.csv");
        Path script = Files.writeString(
                folder.resolve("script.sql"), """
                \\set ON_ERROR_STOP on
                CREATE TABLE ps (id INTEGER PRIMARY KEY, name TEXT);
                \\copy ps from 'CSV' csv header
                INSERT INTO ps SELECT 3, 'c';
                COPY ps FROM stdin;
                4\td\\te
                \\.
                SELECT name FROM ps WHERE id = 4 \\gset
                \\echo :name
                BEGIN;
                DECLARE few CURSOR FOR SELECT id FROM ps ORDER BY id;
                FETCH 2 FROM few;
                MOVE FORWARD 1 IN few;
                FETCH ALL FROM few;
                CLOSE few;
                COMMIT;
                \\d ps
                \\copy (SELECT * FROM ps WHERE id < 3 ORDER BY id) to 'COPIED' csv header
                """.replace("CSV", csv.toString()).replace("COPIED", copied.toString()));

        String output = run(
                Map.of(),
                "psql",
                "-X",
                "-q",
                "-A",
                "-t",
                "host=127.0.0.1 port=PORT user=ann dbname=bank",
                "-f",
                script.toString());

        assertThat(output).contains("d\te\n1\n2\n4\n").contains("id|integer");
        assertThat(Files.readString(copied)).isEqualTo(Files.readString(csv));
    }
}

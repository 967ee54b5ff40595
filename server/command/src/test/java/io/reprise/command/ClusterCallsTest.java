package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.Reply;
import io.reprise.client.Rows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes as processes that hold one copy of each partition: one is killed, and has the same rows again from its own log. */
@Tag("long")
final class ClusterCallsTest {
    private static final int ACCOUNTS = 16;
    private static final int CALLS = 200;

    private static final String SCHEMA = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE note (account BIGINT NOT NULL, text VARCHAR(100) NOT NULL);
            PARTITION TABLE note ON COLUMN account;
            CREATE PROCEDURE OpenAccount PARTITION ON TABLE account COLUMN id AS INSERT INTO account VALUES (?, 0);
            CREATE PROCEDURE Balance PARTITION ON TABLE account COLUMN id AS SELECT balance FROM account WHERE id = ?;
            CREATE PROCEDURE Notes PARTITION ON TABLE note COLUMN account AS
                SELECT text FROM note WHERE account = ? ORDER BY text;
            CREATE PROCEDURE Invoice PARTITION ON TABLE account COLUMN id PARAMETER 0
                AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.command.ClusterInvoice;
            """;

    @TempDir
    private Path temporary;

    private Path jar() throws IOException {
        Path jar = temporary.resolve("invoice.jar");
        String path = ClusterInvoice.class.getName().replace('.', '/') + ".class";
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                InputStream code = ClusterInvoice.class.getClassLoader().getResourceAsStream(path)) {
            zip.putNextEntry(new ZipEntry(path));
            code.transferTo(zip);
        }
        return jar;
    }

    private void logBoundaries(Path folder) throws IOException {
        for (int node = 0; node < 2; node++) {
            Files.writeString(
                    new ClusterFolder(folder).configurationOf(node),
                    "log:\n  method: boundary\n",
                    StandardOpenOption.APPEND);
        }
    }

    @Test
    void shouldHaveTheSameRowsWhenAKilledNodeHasReadItsOwnLog() throws Exception {
        Path schema = Files.writeString(temporary.resolve("schema.sql"), SCHEMA);
        Path folder = temporary.resolve("two");
        try (ClusterUnderTest cluster = new ClusterUnderTest(folder)) {
            cluster.run(
                    0,
                    "start",
                    "--nodes",
                    "2",
                    "--k",
                    "0",
                    "--memory",
                    "64MiB",
                    "--ddl",
                    schema.toString(),
                    "--jar",
                    jar().toString());
            cluster.run(0, "stop");
            logBoundaries(folder);
            cluster.run(0, "start");
            List<String> before;
            try (Client client = cluster.client(0, 1)) {
                for (long account = 0; account < ACCOUNTS; account++) {
                    client.call("OpenAccount", account);
                }
                invoices(client);
                before = content(client);
            }

            for (int node = 0; node < 2; node++) {
                cluster.kill(node);
                assertThat(logOf(cluster.directory(node))).contains("bytes of answers from elsewhere");
                cluster.run(0, "start");
                cluster.awaitWhole(1 - node, 1);
                try (Client client = cluster.client(0, 1)) {
                    assertThat(content(client)).as("node " + node).isEqualTo(before);
                }
            }
            try (Client client = cluster.client(0, 1)) {
                invoices(client);
            }
        }
    }

    private static void invoices(Client client) {
        List<CompletableFuture<Reply>> calls = new ArrayList<>();
        for (long i = 0; i < CALLS; i++) {
            calls.add(client.callAsync("Invoice", i % ACCOUNTS, (3 * i + 1) % ACCOUNTS, i));
        }
        calls.forEach(CompletableFuture::join);
    }

    private static List<String> content(Client client) {
        List<String> content = new ArrayList<>();
        for (long account = 0; account < ACCOUNTS; account++) {
            Rows balance = client.call("Balance", account).rows();
            assertThat(balance.next()).isTrue();
            content.add(account + " has " + balance.longAt(0));
            Rows notes = client.call("Notes", account).rows();
            while (notes.next()) {
                content.add(notes.stringAt(0));
            }
        }
        return content;
    }

    private String logOf(Path directory) throws IOException, InterruptedException {
        Path output = temporary.resolve("log.txt");
        Process process = new ProcessBuilder(CommandProcess.line("log", "print", directory.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return Files.readString(output);
    }
}

package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.process.NodeProcess;
import io.reprise.node.process.RunFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell at a terminal: keys go in, and what a person would see comes out. */
final class SqlShellTest {
    private static final int WAIT_SECONDS = 30;
    private static final String TAB = "\t";
    private static final String UP = "\033[A";
    private static final String CONTROL_C = "\003";
    private static final String CONTROL_D = "\004";

    @TempDir
    Path folder;

    private NodeProcess node;
    private Client client;
    private Terminal terminal;
    private final PipedOutputStream keys = new PipedOutputStream();
    private final Screen screen = new Screen();
    private CompletableFuture<Void> shell;

    /** All that was written; who waits for a text is told when it is there. */
    private static final class Screen extends ByteArrayOutputStream {
        private int seen;

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            notifyAll();
        }

        /** Waits for a text behind the one that was waited for before. */
        synchronized String until(String text) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            while (true) {
                String all = toString(StandardCharsets.UTF_8);
                int at = all.indexOf(text, seen);
                if (at >= 0) {
                    String passed = all.substring(seen, at + text.length());
                    seen = at + text.length();
                    return passed;
                }
                long leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                assertThat(leftMs)
                        .as("there is no %s in %s", text, all.substring(seen))
                        .isPositive();
                wait(leftMs);
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, owner VARCHAR(10));"
                        + " PARTITION TABLE account ON COLUMN id;"
                        + " CREATE PROCEDURE Enter PARTITION ON TABLE account COLUMN id PARAMETER 0"
                        + " AS INSERT INTO account VALUES (?, ?)");
        node = NodeProcess.start(ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                http: {port: 0}
                clients: {port: 0}
                """, "test", folder));
        terminal = TerminalBuilder.builder()
                .system(false)
                .streams(new PipedInputStream(keys), screen)
                .type("ansi")
                .encoding(StandardCharsets.UTF_8)
                .size(Size.of(150, 40))
                .build();
        open();
    }

    private void open() {
        client = Client.connect(ClientSettings.to(node.clients().orElseThrow()));
        SqlSession session = new SqlSession(
                client, serverChoice(), RowsPrinter.Format.TABLE, false, terminal.writer(), terminal.writer());
        SqlShell made = new SqlShell(
                terminal, session, new SchemaWords(RunFile.read(folder.resolve("data"))), folder.resolve("history"));
        shell = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                made.run();
                shell.complete(null);
            } catch (IOException | RuntimeException | Error e) {
                shell.completeExceptionally(e);
            }
        });
    }

    private ServerChoice serverChoice() {
        ServerChoice choice = new ServerChoice();
        choice.in(folder.resolve("data"));
        return choice;
    }

    @AfterEach
    void end() throws IOException {
        client.close();
        terminal.close();
        node.close();
    }

    private void press(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    private void enter(String text) throws IOException, InterruptedException {
        press(text + "\r");
    }

    @Test
    void shouldRunAStatementOfSeveralLinesWhenItsSemicolonComes() throws Exception {
        screen.until("reprise> ");
        enter("SELECT 'a;");
        screen.until("-> ");
        enter("b' AS text, COUNT(*) AS n");
        screen.until("-> ");
        enter("FROM account;");

        assertThat(screen.until("(1 row)")).contains("a;\\nb");
    }

    @Test
    void shouldCompleteTablesColumnsProceduresAndWords() throws Exception {
        screen.until("reprise> ");
        press("sel" + TAB);
        screen.until("select ");
        press("* from acc" + TAB);
        screen.until("account ");
        press("whe" + TAB);
        screen.until("where ");
        press("own" + TAB);
        screen.until("owner ");
        enter("= 'x';");
        screen.until("(0 rows)");

        press("\\call En" + TAB);
        screen.until("ENTER ");
        enter("7 'it''s me'");
        screen.until("1\r");
        enter("SELECT * FROM account;");
        assertThat(screen.until("(1 row)")).contains("it's me");
    }

    @Test
    void shouldBringBackWhatWasTypedAlsoInTheNextShell() throws Exception {
        screen.until("reprise> ");
        enter("SELECT COUNT(*) AS first_one FROM account;");
        screen.until("(1 row)");
        press(UP);
        screen.until("first_one");
        enter("");
        screen.until("(1 row)");
        press(CONTROL_D);
        shell.get(WAIT_SECONDS, TimeUnit.SECONDS);
        client.close();

        open();
        screen.until("reprise> ");
        press(UP);

        screen.until("SELECT COUNT(*) AS first_one");
    }

    @Test
    void shouldDropWhatWasTypedAndGoOnWhenControlCIsPressed() throws Exception {
        screen.until("reprise> ");
        enter("SELECT this is");
        screen.until("-> ");
        press(CONTROL_C);
        screen.until("reprise> ");
        enter("SELECT COUNT(*) AS n FROM account;");

        screen.until("(1 row)");
    }

    @Test
    void shouldGoOnWhenAStatementIsWrong() throws Exception {
        screen.until("reprise> ");
        enter("SELEC 1;");
        assertThat(screen.until("reprise> ")).contains("line 1, column 1", "SELECT");
        enter("SELECT nothing FROM account;");
        assertThat(screen.until("reprise> ")).contains("NOTHING");
        enter("\\call Nobody");
        assertThat(screen.until("reprise> ")).contains("there is no procedure Nobody");
        enter("\\nothing");
        assertThat(screen.until("reprise> ")).contains("\\help lists them");
        enter("\\run none.sql");
        assertThat(screen.until("reprise> ")).contains("there is no file none.sql");
    }

    @Test
    void shouldKnowTheSchemaAlsoAfterItHasChanged() throws Exception {
        screen.until("reprise> ");
        enter("CREATE TABLE later (k VARCHAR(5) NOT NULL PRIMARY KEY); CREATE INDEX later_k ON later (k);");
        screen.until("the schema has changed");
        enter("\\describe later");
        assertThat(screen.until("reprise> "))
                .contains("LATER, replicated", "K VARCHAR(5) NOT NULL", "index LATER_K (K)");
        enter("\\tables");
        assertThat(screen.until("LATER (K)")).contains("ACCOUNT (ID, OWNER)");
        enter("\\procedures");
        screen.until("ENTER (BIGINT, VARCHAR");
        enter("\\format csv");
        enter("EXPLAIN SELECT * FROM later;");
        screen.until("LATER");
        enter("\\help");
        screen.until("\\call PROCEDURE");
        enter("\\quit");
        shell.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
}

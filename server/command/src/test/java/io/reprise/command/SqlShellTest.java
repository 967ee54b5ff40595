package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.execution.deploy.SourceCompiler;
import io.reprise.node.process.NodeProcess;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody types at the shell, key by key, and reads what it prints. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SqlShellTest {
    private static final String PROMPT = "reprise> ";
    private static final String MORE = "      -> ";
    private static final long END_MS = 60_000;

    @TempDir
    Path folder;

    private NodeProcess node;
    private TypedTerminal typed;
    private Client client;
    private Thread shell;
    private SqlSession session;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(10)); PARTITION TABLE account ON COLUMN id;"
                        + " CREATE PROCEDURE Add PARTITION ON TABLE account COLUMN id PARAMETER 0"
                        + " AS INSERT INTO account VALUES (?, ?);"
                        + " CREATE PROCEDURE FROM CLASS p.Forever");
        Files.write(
                folder.resolve("forever.jar"),
                SourceCompiler.jar(Map.of(
                        "p.Forever",
                        "package p; public final class Forever extends io.reprise.procedure.Procedure {"
                                + " public long run(long x) { while (x != 0) { x |= 1; } return x; } }")));
        node = NodeProcess.start(ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB, timeLimit: 5s}
                schema: {scripts: schema.sql, jars: forever.jar}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                http: {port: 0}
                clients: {port: 0}
                """, "test", folder));
        open();
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        leave();
        node.close();
    }

    private void open() throws IOException {
        typed = new TypedTerminal();
        RunFile at = RunFile.read(folder.resolve("data")).orElseThrow();
        ServerChoice choice = new ServerChoice();
        choice.in(folder.resolve("data"));
        client = Client.connect(ServerChoice.atHome(at));
        session = new SqlSession(
                client,
                choice,
                RowsPrinter.Format.TABLE,
                false,
                typed.terminal().writer(),
                typed.terminal().writer());
        SqlShell reading = new SqlShell(typed.terminal(), session, new SchemaWords(choice), folder.resolve("history"));
        shell = Thread.ofPlatform().daemon().name("shell").start(() -> {
            try {
                reading.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        typed.await(PROMPT);
    }

    private void leave() throws IOException, InterruptedException {
        typed.type(TypedTerminal.CTRL_C + TypedTerminal.CTRL_D);
        shell.join(END_MS);
        typed.close();
        client.close();
    }

    @Test
    void shouldRunAStatementWhenItsSemicolonComesLinesLater() throws Exception {
        typed.type("INSERT INTO account\r");
        typed.await(MORE);
        typed.type("VALUES (1, 'one;\r");
        typed.await(MORE);
        typed.type("two');\r");

        typed.await("1 row written");
        typed.await(PROMPT);
        typed.type("SELECT COUNT(*) AS many FROM account;\r");
        typed.await("MANY");
        typed.await("(1 row)");
    }

    @Test
    void shouldSayWhatIsWrongAndGoOn() throws Exception {
        typed.type("SELEC 1;\r");
        typed.await("SELEC");
        typed.await(PROMPT);

        typed.type("SELECT nothing FROM account;\r");
        typed.await("INVALID_REQUEST");
        typed.await(PROMPT);
        typed.type("\\nonsense\r");
        typed.await("there is no command \\nonsense");
        typed.await(PROMPT);
        typed.type("\\run " + folder + "\r");
        typed.await("is a folder; name a file");
        typed.await(PROMPT);
        typed.type("\\run 'it''s not.sql'\r");
        typed.await("there is no file it's not.sql");
        typed.await(PROMPT);
        typed.type("\\call Add 1\r");
        typed.await("INVALID_REQUEST");
        typed.await(PROMPT);

        assertThat(shell.isAlive()).isTrue();
    }

    @Test
    void shouldNameTheTableOrProcedureThatWasProbablyMeant() throws Exception {
        typed.type("\\describe acount\r");
        typed.await("there is no table acount; did you mean ACCOUNT?");
        typed.await(PROMPT);
        typed.type("\\call Forevr 1\r");
        typed.await("there is no procedure Forevr; did you mean Forever?");
        typed.await(PROMPT);
        typed.type("\\call Quite_another 1\r");
        typed.await("there is no procedure Quite_another; \\procedures lists them");
    }

    @Test
    void shouldPrintAValueALineWhenATableIsWiderThanTheTerminal() throws Exception {
        session.width(() -> 20);
        typed.type("SELECT id, 'a long text for a small terminal' AS text FROM account WHERE id = 0 OR id IS NULL;\r");
        typed.await("(0 rows)");
        typed.await(PROMPT);
        typed.type("INSERT INTO account VALUES (7, 'x');\r");
        typed.await(PROMPT);
        typed.type("SELECT id, 'a long text for a small terminal' AS text FROM account WHERE id = 7;\r");
        typed.await("--- row 1");
        typed.await("TEXT  a long text for a small terminal");
        typed.await("(1 row)");
    }

    @Test
    void shouldCompleteWordsTablesAndCommandsWhenTabIsPressed() throws Exception {
        typed.type("SELECT id FROM acc" + TypedTerminal.TAB + " WHERE id = 17;\r");
        typed.await("(0 rows)");
        typed.await(PROMPT);

        typed.type("\\desc" + TypedTerminal.TAB + " acc" + TypedTerminal.TAB + "\r");

        typed.await("VARCHAR(10)");
        typed.await(PROMPT);
    }

    @Test
    void shouldBringStatementsBackWhenTheArrowIsPressedAlsoInTheNextSession() throws Exception {
        typed.type("INSERT INTO account VALUES (7, 'seven');\r");
        typed.await("1 row written");
        typed.await(PROMPT);
        typed.type(TypedTerminal.UP + "\r");
        typed.await("CONSTRAINT_VIOLATION");
        typed.await(PROMPT);
        typed.type("\\quit\r");
        shell.join(END_MS);
        assertThat(shell.isAlive()).isFalse();
        leave();
        open();

        typed.type(TypedTerminal.UP + TypedTerminal.UP + "\r");

        typed.await("CONSTRAINT_VIOLATION");
    }

    @Test
    void shouldDropWhatWasTypedWhenCtrlCIsPressed() throws Exception {
        typed.type("INSERT INTO account VALUES (1, 'dropped'");
        typed.await("'dropped'");
        typed.type(TypedTerminal.CTRL_C);
        typed.await(PROMPT);

        typed.type("SELECT id FROM account;\r");

        typed.await("(0 rows)");
    }

    @Test
    void shouldStopWaitingForACallWhenCtrlCIsPressed() throws Exception {
        typed.type("\\call Forever 1\r");
        typed.await("Forever 1\n");
        typed.type(TypedTerminal.CTRL_C);

        typed.await("No longer waited for");
        typed.await(PROMPT);
        typed.type("help\r");
        typed.await("\\tables");
        typed.await(PROMPT);
    }

    @Test
    void shouldEndWhenCtrlDIsPressed() throws Exception {
        typed.type(TypedTerminal.CTRL_D);

        shell.join(END_MS);
        assertThat(shell.isAlive()).isFalse();
    }

    @Test
    void shouldKnowANewTableWhenItWasMadeHere() throws Exception {
        typed.type("CREATE TABLE rate (name VARCHAR(9) NOT NULL PRIMARY KEY);\r");
        typed.await("the schema has changed");
        typed.await(PROMPT);
        typed.type("\\tables\r");
        typed.await("RATE");
        typed.await(PROMPT);

        typed.type("\\format csv\r");
        typed.await(PROMPT);
        typed.type("SELECT name FROM ra" + TypedTerminal.TAB + ";\r");

        typed.await("NAME\n");
    }
}

package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.execution.deploy.SourceCompiler;
import io.reprise.node.process.NodeProcess;
import io.reprise.node.process.RunFile;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that call a node, over its real ports. */
final class ClientCommandsTest {
    @TempDir
    Path folder;

    private NodeProcess node;

    private record Run(int code, String out, String err) {}

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(10), balance DECIMAL(8,2));"
                        + " PARTITION TABLE account ON COLUMN id;"
                        + " CREATE PROCEDURE Add PARTITION ON TABLE account COLUMN id PARAMETER 0"
                        + " AS INSERT INTO account VALUES (?, ?, ?);"
                        + " CREATE PROCEDURE Find PARTITION ON TABLE account COLUMN id PARAMETER 0"
                        + " AS SELECT name, balance FROM account WHERE id = ?");
        NodeConfiguration configuration = ConfigurationFile.parse("""
                engine: {partitions: 2, memoryPerPartition: 64MiB, workMemory: 1MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                http: {port: 0}
                clients: {port: 0}
                """, "test", folder);
        node = NodeProcess.start(configuration);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Run reprise(String command, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] all = new String[arguments.length + 3];
        all[0] = command;
        all[1] = "--data";
        all[2] = folder.resolve("data").toString();
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        int code = RepriseCommand.run(out, err, all);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Run sql(String statement, String... more) {
        String[] arguments = new String[more.length + 2];
        arguments[0] = "-e";
        arguments[1] = statement;
        System.arraycopy(more, 0, arguments, 2, more.length);
        return reprise("sql", arguments);
    }

    @Test
    void shouldPrintRowsInEachFormat() {
        Run write =
                sql("INSERT INTO account VALUES (1, 'a, \"b\"', 2.50); INSERT INTO account VALUES (22, NULL, NULL)");
        String query = "SELECT id, name, balance FROM account ORDER BY id";

        Run table = sql(query);
        Run csv = sql(query, "--format", "CSV");
        Run json = sql(query, "--format", "json");

        assertThat(write.code()).as(write.err()).isZero();
        assertThat(write.out()).isEqualTo("1 row written\n1 row written\n");
        assertThat(table.out()).isEqualTo("""
                ID  NAME    BALANCE
                --  ------  -------
                 1  a, "b"     2.50
                22  NULL       NULL
                (2 rows)
                """);
        assertThat(csv.out()).isEqualTo("ID,NAME,BALANCE\r\n1,\"a, \"\"b\"\"\",2.50\r\n22,,\r\n");
        assertThat(json.out()).isEqualTo("""
                        [{"ID":1,"NAME":"a, \\"b\\"","BALANCE":"2.50"},
                        {"ID":22,"NAME":null,"BALANCE":null}]
                        """);
    }

    @Test
    void shouldPrintIntegersAsTextInJsonWhenTheyAreNotExactInADouble() {
        sql("INSERT INTO account VALUES (" + Long.MIN_VALUE + ", NULL, NULL);" + " INSERT INTO account VALUES ("
                + (1L << 53) + ", NULL, NULL)");

        Run json = sql("SELECT id FROM account ORDER BY id", "--format", "json");

        assertThat(json.out()).isEqualTo("[{\"ID\":\"-9223372036854775808\"},\n{\"ID\":9007199254740992}]\n");
    }

    @Test
    void shouldSayWhatToDoWhenAStatementCollectsTooMuch() {
        for (int i = 0; i < 9; i++) {
            sql("INSERT INTO account VALUES (" + i + ", '" + "x".repeat(4) + "', NULL)");
        }
        String digits = "(VALUES 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)";
        String query = "SELECT a.id, x.v, y.v, z.v FROM account a, " + digits + " x (v), " + digits + " y (v), "
                + digits + " z (v), " + digits + " u (v)";

        Run table = sql(query);
        Run csv = sql(query, "--format", "CSV");

        assertThat(table.code()).isEqualTo(3);
        assertThat(table.err()).contains("MEMORY_LIMIT: ", "1048576 bytes", "engine.workMemory", "LIMIT");
        assertThat(csv.code()).isEqualTo(3);
        assertThat(csv.out()).isEmpty();
        assertThat(csv.err()).isEqualTo(table.err());
        assertThat(sql("SELECT COUNT(*) FROM account").code()).isZero();
    }

    @Test
    void shouldChangeTheSchemaAndExplainWhenAScriptSaysSo() throws IOException {
        Path script = Files.writeString(folder.resolve("more.sql"), """
                -- more
                CREATE TABLE rate (name VARCHAR(10) NOT NULL PRIMARY KEY, pct BIGINT);
                INSERT INTO rate VALUES ('base', 3);
                EXPLAIN SELECT * FROM rate WHERE name = 'base';
                """);

        Run run = reprise("sql", "--file", script.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("the schema has changed\n1 row written\n")
                .contains("RATE");
    }

    @Test
    void shouldStopAtTheFirstStatementThatFails() {
        Run run = sql("INSERT INTO account (id) VALUES (1);\nINSERT INTO account (id) VALUES (1);\n"
                + "INSERT INTO account (id) VALUES (2)");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).startsWith("reprise: line 2: CONSTRAINT_VIOLATION: ");
        assertThat(sql("SELECT COUNT(*) AS n FROM account", "--format", "CSV").out())
                .isEqualTo("N\r\n1\r\n");
    }

    @Test
    void shouldCallAProcedureWithTypedArguments() {
        Run add = reprise("call", "Add", "7", "'Ann'", "2.50");
        Run find = reprise("call", "Find", "7");
        Run again = reprise("call", "Add", "7", "null", "null");
        Run unknown = reprise("call", "Nothing");

        assertThat(add.code()).as(add.err()).isZero();
        assertThat(find.out()).contains("Ann", "2.50", "(1 row)");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).startsWith("reprise: CONSTRAINT_VIOLATION: ");
        assertThat(unknown.code()).isEqualTo(3);
        assertThat(unknown.err()).contains("Nothing");
    }

    /** It is no file with arguments in it. */
    @Test
    void shouldTakeAnArgumentThatBeginsWithAnAtSignAsItIs() throws IOException {
        Path file = Files.writeString(folder.resolve("words"), "7 Bob 1.00");

        Run add = reprise("call", "Add", "7", "@data", "2.50");
        Run named = reprise("call", "Find", "@" + file);
        Run find = reprise("call", "Find", "7");

        assertThat(add.code()).as(add.err()).isZero();
        assertThat(find.out()).contains("@data");
        assertThat(named.err()).contains("parameter 1 of 1 is BIGINT and can't be set to a text");
    }

    @Test
    void shouldReadTimesDatesAndArraysOfArguments() {
        assertThat(ArgumentText.value("TIMESTAMP '2026-03-01 12:00:00.5'"))
                .isEqualTo(Instant.parse("2026-03-01T12:00:00.5Z"));
        assertThat(ArgumentText.value("timestamp'2026-03-01T12:00:00Z'"))
                .isEqualTo(Instant.parse("2026-03-01T12:00:00Z"));
        assertThat(ArgumentText.value("DATE '2026-03-01'")).isEqualTo(LocalDate.of(2026, 3, 1));
        assertThat(ArgumentText.value("[1, -2,3]")).isEqualTo(new long[] {1, -2, 3});
        assertThat(ArgumentText.value("[1, 2.5]")).isEqualTo(new double[] {1, 2.5});
        assertThat(ArgumentText.value("['it''s, a', b]")).isEqualTo(new String[] {"it's, a", "b"});
        assertThat(ArgumentText.value("['1', 2]")).isEqualTo(new String[] {"1", "2"});
        assertThat(ArgumentText.value("[ ]")).isEqualTo(new long[0]);
        assertThat(ArgumentText.value("'[1]'")).isEqualTo("[1]");
        assertThat(ArgumentText.value("[1,")).isEqualTo("[1,");
        for (String wrong : List.of("[1,]", "[1,,2]", "['a]", "TIMESTAMP 'noon'", "DATE '2026-13-01'")) {
            assertThatThrownBy(() -> ArgumentText.value(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldTellWhatATypedArgumentMeans() {
        assertThat(ArgumentText.value("17")).isEqualTo(17L);
        assertThat(ArgumentText.value("+9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(ArgumentText.value("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(ArgumentText.value("9223372036854775808")).isEqualTo(new BigDecimal("9223372036854775808"));
        assertThat(ArgumentText.value("-2.50")).isEqualTo(new BigDecimal("-2.50"));
        assertThat(ArgumentText.value("1e3")).isEqualTo(1000.0);
        assertThat(ArgumentText.value("NULL")).isNull();
        assertThat(ArgumentText.value("true")).isEqualTo(true);
        assertThat(ArgumentText.value("'it''s 17'")).isEqualTo("it's 17");
        assertThat(ArgumentText.value("x'00ff'")).isEqualTo(new byte[] {0, -1});
        assertThat(ArgumentText.value("Ann")).isEqualTo("Ann");
    }

    @Test
    void shouldAlignWideCharactersAndNameEveryColumn() {
        sql("INSERT INTO account VALUES (1, '\u6771\u4eac', 1.00); INSERT INTO account VALUES (2, 'Ann', 22.00)");

        Run table = sql("SELECT name, balance, COUNT(*) FROM account GROUP BY name, balance ORDER BY balance");
        Run times = sql("SELECT TIMESTAMP '2026-01-02 03:04:05.5' AS t, TRUE AS b FROM account WHERE id = 1");

        assertThat(table.out()).as(table.err()).isEqualTo("""
                NAME  BALANCE  COLUMN_3
                ----  -------  --------
                \u6771\u4eac     1.00         1
                Ann     22.00         1
                (2 rows)
                """);
        assertThat(times.out()).as(times.err()).contains("2026-01-02 03:04:05.500000  true\n");
    }

    @Test
    void shouldPrintAFewJarsToCompileWithAndAllWhenAskedTo() {
        String few = printed("classpath");
        String all = printed("classpath", "--all");

        assertThat(few.split(File.pathSeparator)).hasSizeBetween(2, 20);
        assertThat(few).contains("netty-").doesNotContain("calcite");
        assertThat(all).contains("calcite");
    }

    private static String printed(String... command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(RepriseCommand.run(out, out, command)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintTheLinkThatSignsIn() throws IOException {
        Run page = reprise("page", "--print");

        assertThat(page.code()).as(page.err()).isZero();
        assertThat(page.out())
                .isEqualTo(node.url().orElseThrow() + "/#token="
                        + io.reprise.node.process.RunFile.read(folder.resolve("data"))
                                .orElseThrow()
                                .token()
                        + "\n");
    }

    @Test
    void shouldNameTheProcedureThatWasProbablyMeant() {
        Run call = reprise("call", "Fnd", "1");

        assertThat(call.code()).isEqualTo(3);
        assertThat(call.err()).containsIgnoringCase("there is no procedure Fnd; did you mean Find?");
    }

    @Test
    void shouldLoadWhatFitsAndGiveBackTheRestWithReasons() throws IOException {
        sql("INSERT INTO account VALUES (1, 'Before', 0)");
        Path file = Files.writeString(folder.resolve("a.csv"), """
                id,name,balance
                4,Ann,1.5
                2,,
                1,Ann again,0
                x,Bob,0
                3,"much too long a name",0
                4,Cid
                5,"",7
                """);

        Run load = reprise("load", "account", file.toString());

        assertThat(load.code()).as(load.err()).isEqualTo(1);
        assertThat(load.out()).startsWith("3 of 7 records are in account; 4 were refused");
        assertThat(Files.readString(folder.resolve("a.csv.rejects")))
                .contains("1,Ann again,0\n", "x,Bob,0\n", "3,\"much too long a name\",0\n", "4,Cid\n")
                .contains("# line 5: 'x' is no BIGINT\n", "# line 7: 2 fields, and there are 3 columns\n");
        assertThat(sql("SELECT id, name FROM account ORDER BY id", "--format", "CSV")
                        .out())
                .isEqualTo("ID,NAME\r\n1,Before\r\n2,\r\n4,Ann\r\n5,\"\"\r\n");
    }

    @Test
    @Timeout(60)
    void shouldLoadTheWholeOfAPipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        Path bad = folder.resolve("bad.csv");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        StringBuilder csv = new StringBuilder("id,name,balance\n");
        for (int i = 0; i < 3000; i++) {
            csv.append(i).append(",n,").append(i == 2000 ? "much" : "1.5").append('\n');
        }
        CompletableFuture<Path> written = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.writeString(pipe, csv);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        Run load = reprise("load", "account", pipe.toString(), "--rejects", bad.toString());

        written.get(10, TimeUnit.SECONDS);
        assertThat(load.err()).isEmpty();
        assertThat(load.out()).isEqualTo("2999 of 3000 records are in account; 1 was refused, see " + bad + ".\n");
        assertThat(sql("SELECT COUNT(*), MIN(id), MAX(id) FROM account", "--format", "csv")
                        .out())
                .contains("2999,0,2999");
        assertThat(bad).content().isEqualTo("# line 2002: 'much' is no DECIMAL(8,2)\n2000,n,much\n");
    }

    @Test
    void shouldRejectARecordWhoseQuotationMarksMakeNoSense() throws IOException {
        Path file =
                Files.writeString(folder.resolve("quoted.csv"), "id,name\n1,\"one\"two\n2,\"t\"\"wo\"\n3,\"three\" \n");

        Run load = reprise("load", "account", file.toString());

        assertThat(load.code()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("quoted.csv.rejects")))
                .contains("line 2: something stands behind a field's closing quotation mark", "1,\"one\"two\n")
                .contains("3,\"three\" \n");
        assertThat(sql("SELECT id, name FROM account", "--format", "csv").out())
                .isEqualTo("ID,NAME\r\n2,\"t\"\"wo\"\r\n");
    }

    @Test
    void shouldLoadTheNullsOfATableWithOneColumn() throws IOException {
        sql("CREATE TABLE word (w VARCHAR(10)); INSERT INTO word VALUES ('a'); INSERT INTO word VALUES (NULL);"
                + " INSERT INTO word VALUES ('')");
        String rows = sql("SELECT w FROM word ORDER BY w", "--format", "csv").out();
        Path file = Files.writeString(folder.resolve("word.csv"), rows);
        sql("DELETE FROM word");

        Run load = reprise("load", "word", file.toString());

        assertThat(load.out()).as(load.err()).startsWith("3 of 3 records");
        assertThat(sql("SELECT w FROM word ORDER BY w", "--format", "csv").out())
                .isEqualTo(rows);
    }

    @Test
    void shouldRejectWhatIsTooLongToBeSentAndGoOn() throws IOException {
        String big = "x".repeat(30 << 20);
        Path file = Files.writeString(
                folder.resolve("a.csv"), "id,name\n1,Ann\n2," + big + "\n3,\"" + big + "\"\n" + big + ",Bob\n4,Cid\n");

        Run load = reprise("load", "account", file.toString());

        assertThat(load.code()).as(load.err()).isEqualTo(1);
        assertThat(load.out()).startsWith("2 of 5 records are in account; 3 were refused");
        assertThat(Files.readAllLines(folder.resolve("a.csv.rejects")))
                .contains("2," + big, "3,\"" + big + '"', big + ",Bob")
                .filteredOn(line -> line.startsWith("#"))
                .hasSize(3)
                .allMatch(line -> line.length() < 200);
    }

    @Test
    void shouldRejectWhatIsTooLongToBeLoggedAndGoOn() throws IOException {
        Path ddl = Files.writeString(
                folder.resolve("note.sql"),
                "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(262143)); PARTITION TABLE note ON COLUMN id");
        assertThat(reprise("deploy", "--ddl", ddl.toString()).code()).isZero();
        String big = "\u20ac".repeat(100_000);
        Path file = Files.writeString(folder.resolve("a.csv"), "id,text\n1,Ann\n2," + big + "\n3,Cid\n");

        Run load = reprise("load", "note", file.toString());

        assertThat(load.code()).as(load.err()).isEqualTo(1);
        assertThat(load.out()).startsWith("2 of 3 records are in note; 1 was refused");
        assertThat(Files.readString(folder.resolve("a.csv.rejects")))
                .startsWith("# line 3: ")
                .contains("log.largestRecord")
                .endsWith("2," + big + "\n");
    }

    @Test
    void shouldRejectATimeThatNoTimestampHolds() throws IOException {
        Path ddl = Files.writeString(
                folder.resolve("moment.sql"),
                "CREATE TABLE moment (id BIGINT NOT NULL PRIMARY KEY, since TIMESTAMP); PARTITION TABLE moment ON COLUMN id");
        assertThat(reprise("deploy", "--ddl", ddl.toString()).code()).isZero();
        Path file = Files.writeString(
                folder.resolve("a.csv"), "id,since\n1,2020-01-01\n2,+1000000-01-01T00:00:00Z\n3,2020-01-02\n");

        Run load = reprise("load", "moment", file.toString());

        assertThat(load.out()).as(load.err()).startsWith("2 of 3 records are in moment; 1 was refused");
        assertThat(Files.readString(folder.resolve("a.csv.rejects")))
                .startsWith("# line 3: argument 2 is the time +1000000-01-01T00:00:00Z, which is too far from 1970");
    }

    /** A server ends the connection on which such a number comes. */
    @Test
    void shouldRejectANumberThatNoServerTakesAndGoOn() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "id,balance\n1,1.00\n2,1e5000\n3,3.00\n");

        Run load = reprise("load", "account", file.toString());

        assertThat(load.out()).as(load.err()).startsWith("2 of 3 records are in account; 1 was refused");
        assertThat(Files.readString(folder.resolve("a.csv.rejects")))
                .startsWith("# line 3: a decimal number is longer than servers take: 64 bytes and a scale up to 1000");
    }

    @Test
    void shouldSayWhichFileIsNotInUtf8WhenALoadBegins() throws IOException {
        Path file =
                Files.write(folder.resolve("a.csv"), "id,name\n1,caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));

        Run load = reprise("load", "account", file.toString());

        assertThat(load.code()).isEqualTo(3);
        assertThat(load.err()).contains("the beginning of " + file + " is not in UTF-8");
    }

    @Test
    void shouldRefuseToLoadWhenThereIsNoFolderForTheRejects() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "id,name\n1,Ann\n");

        Run load = reprise(
                "load",
                "account",
                file.toString(),
                "--rejects",
                folder.resolve("none/bad.csv").toString());

        assertThat(load.code()).isEqualTo(3);
        assertThat(load.err()).contains("there is no folder " + folder.resolve("none"));
        assertThat(sql("SELECT COUNT(*) AS n FROM account", "--format", "CSV").out())
                .isEqualTo("N\r\n0\r\n");
    }

    /** A print stream, as standard output is one, keeps failures for itself. */
    @Test
    void shouldFailWhenItsOutputCanNotBeWritten() {
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        });
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int code = RepriseCommand.run(
                full, err, "sql", "--data", folder.resolve("data").toString(), "-e", "SELECT COUNT(*) FROM account");

        assertThat(code).isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("standard output could not be written to the end");
    }

    @Test
    void shouldLoadManyRecordsAndReplaceThemWhenAskedTo() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            text.append(i).append("\tn").append(i).append('\n');
        }
        Path file = Files.writeString(folder.resolve("many.tsv"), text);
        String[] arguments = {"account", file.toString(), "--columns", "id,name", "--separator", "tab", "--upsert"};

        Run first = reprise("load", arguments);
        Run second = reprise("load", arguments);

        assertThat(first.code()).as(first.err()).isZero();
        assertThat(second.out()).startsWith("3000 of 3000 records");
        assertThat(sql("SELECT COUNT(*) AS n FROM account", "--format", "CSV").out())
                .isEqualTo("N\r\n3000\r\n");
    }

    /** Batches are one transaction each: a wrong record costs only itself, wherever in a batch it is. */
    @Test
    void shouldRejectOnlyTheWrongRecordsOfLargeBatches() throws IOException {
        int[] taken = {0, 127, 128, 700, 1001};
        for (int id : taken) {
            sql("INSERT INTO account (id, name) VALUES (" + id + ", 'Before')");
        }
        StringBuilder text = new StringBuilder("id,name\n");
        for (int i = 0; i < 1002; i++) {
            text.append(i).append(i == 500 ? ",much too long a name\n" : ",n\n");
        }
        Path file = Files.writeString(folder.resolve("large.csv"), text);

        Run load = reprise("load", "account", file.toString());

        assertThat(load.code()).as(load.err()).isEqualTo(1);
        assertThat(load.out()).startsWith("996 of 1002 records are in account; 6 were refused");
        assertThat(Files.readAllLines(folder.resolve("large.csv.rejects")))
                .hasSize(12)
                .filteredOn(line -> !line.startsWith("#"))
                .containsExactlyInAnyOrder("0,n", "127,n", "128,n", "700,n", "1001,n", "500,much too long a name");
        assertThat(sql("SELECT COUNT(*) AS n FROM account WHERE name = 'Before'", "--format", "csv")
                        .out())
                .isEqualTo("N\r\n5\r\n");
    }

    @Test
    void shouldReplaceARowMoreThanOnceInABatchWhenUpserting() throws IOException {
        StringBuilder text = new StringBuilder("id,name\n");
        for (int i = 0; i < 300; i++) {
            text.append(i / 3).append(",n\n");
        }
        Path file = Files.writeString(folder.resolve("twice.csv"), text);

        Run load = reprise("load", "account", file.toString(), "--upsert");

        assertThat(load.out()).as(load.err()).startsWith("300 of 300 records");
        assertThat(sql("SELECT COUNT(*) AS n FROM account", "--format", "csv").out())
                .isEqualTo("N\r\n100\r\n");
    }

    @Test
    void shouldSayHowAScriptIsDeployedWhenItIsGivenAsAJar() throws IOException {
        Path script =
                Files.writeString(folder.resolve("more.sql"), "CREATE TABLE more (id BIGINT NOT NULL PRIMARY KEY)");
        Path aClass = Files.write(
                folder.resolve("Next.class"), new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE});

        Run alone = reprise("deploy", script.toString());
        Run both = reprise("deploy", script.toString(), "--ddl", script.toString());
        Run noJar = reprise("deploy", aClass.toString());

        assertThat(alone.code()).isEqualTo(3);
        assertThat(alone.err())
                .isEqualTo("reprise: " + script
                        + " is no jar; if it is a script of DDL, write --ddl before it: reprise deploy --ddl " + script
                        + "\n");
        assertThat(both.err()).contains(script + " is no jar", "reprise deploy JAR --ddl FILE");
        assertThat(noJar.err()).contains("is a class and no jar", "jar --create");
    }

    /** In what a script of many programs prints nobody knows it otherwise. */
    @Test
    void shouldSayWhoComplainsInEachComplaint() throws IOException {
        String missing = folder.resolve("missing").toString();
        Path script = Files.writeString(folder.resolve("wrong.sql"), "SELECT * FROM nowhere");
        for (String[] command : new String[][] {
            {"sql", "-e", "SELEC 1"},
            {"sql", "-e", "SELECT 'a"},
            {"sql", "-e", "CREATE TABEL t (a INT)"},
            {"sql", "--file", script.toString()},
            {"sql", "--server", "127.0.0.1:1", "-e", "SELECT 1"},
            {"sql", "--format", "xml"},
            {"call", "Nothing"},
            {"call", "Add", "1"},
            {"call"},
            {"deploy", "--ddl", script.toString()},
            {"load", "account", missing},
            {"load", "account"},
            {"status", "--colour"},
            {"snapshot", missing},
            {"snapshots", missing},
            {"verify", missing},
            {"export", missing, "--table", "ACCOUNT"},
            {"backup", missing, missing},
            {"restore", missing, missing},
            {"stop", missing},
            {"start", "--config", missing},
            {"user", "list", "--users", missing},
            {"log", "print", missing},
            {"log", "segments"},
            {"nonsense"}
        }) {
            boolean ofNode = List.of("sql", "call", "deploy", "load").contains(command[0]);
            Run run = ofNode ? reprise(command[0], Arrays.copyOfRange(command, 1, command.length)) : plain(command);

            assertThat(run.code()).as(String.join(" ", command)).isNotZero();
            assertThat(run.err())
                    .as(String.join(" ", command))
                    .startsWith("reprise: ")
                    .doesNotContain("bug");
        }
    }

    /** A meaningless option was meant to mean something. */
    @Test
    void shouldRefuseOptionsThatWouldBeIgnored() throws IOException {
        String file =
                Files.writeString(folder.resolve("some.file"), "a secret\n").toString();
        String data = folder.resolve("data").toString();
        for (String[] command : new String[][] {
            {"sql", "--tls", "--data", data, "-e", "VALUES (1)"},
            {"sql", "--tls-ca", file, data, "-e", "VALUES (1)"},
            {"deploy", "--tls-cert", file, "--tls-key", file, "--data", data, "--ddl", file},
            {"sql", "--server", "localhost", "--data", data, "-e", "VALUES (1)"},
            {"sql", "--server", "localhost", data, "-e", "VALUES (1)"},
            {"call", "--server", "localhost", "--config", file, "Add"},
            {"load", "--password-file", file, "--data", data, "account", file},
            {"sql", "--timeout", "-1", "--data", data, "-e", "VALUES (1)"},
            {"user", "add", "ann", "--roles", "call", "--without-password", "--password-file", file, "--file", file}
        }) {
            Run run = plain(command);

            assertThat(run.code()).as(String.join(" ", command)).isEqualTo(2);
            assertThat(run.err()).as(String.join(" ", command)).startsWith("reprise: --");
        }
    }

    private static Run plain(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = RepriseCommand.run(out, err, arguments);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldDeployAJarWhileItRuns() throws IOException {
        Path jar = Files.write(
                folder.resolve("next.jar"),
                SourceCompiler.jar(Map.of(
                        "p.Next",
                        "package p; public final class Next extends io.reprise.procedure.Procedure {"
                                + " public long run(long x) { return x + 1; } }")));
        Path ddl = Files.writeString(folder.resolve("next.sql"), "CREATE PROCEDURE FROM CLASS p.Next");

        Run deploy = reprise("deploy", jar.toString(), "--ddl", ddl.toString());
        Run call = reprise("call", "Next", "41");
        Run nothing = reprise("deploy");

        assertThat(deploy.code()).as(deploy.err()).isZero();
        assertThat(call.out()).isEqualTo("42\n");
        assertThat(nothing.code()).isEqualTo(2);
    }

    @Test
    void shouldConnectToAnAddressWhenOneIsGiven() {
        InetSocketAddress address = node.clients().orElseThrow();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int code = RepriseCommand.run(
                out,
                err,
                "sql",
                "--server",
                "127.0.0.1:" + address.getPort(),
                "-e",
                "SELECT COUNT(*) AS n FROM account");
        int ddl = RepriseCommand.run(
                out,
                err,
                "sql",
                "--server",
                "127.0.0.1:" + address.getPort(),
                "-e",
                "CREATE TABLE remote (id BIGINT NOT NULL PRIMARY KEY); SELECT COUNT(*) AS n FROM remote");

        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(ddl).as(err.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void shouldSayWhatIsMissingWhenAFileOrTheNodesPortIs() {
        Path missing = folder.resolve("missing.sql");
        RunFile starting = new RunFile(4711, 0, "", "http://127.0.0.1:1", "", "", "token");

        Run run = reprise("sql", "--file", missing.toString());

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).isEqualTo("reprise: there is no file or folder " + missing + "\n");
        assertThatThrownBy(() -> ServerChoice.atHome(starting))
                .hasMessageContaining("process 4711")
                .hasMessageContaining("still starting")
                .hasMessageContaining("clients.enabled: false");
    }

    @Test
    void shouldPrintTheJdkWhenItHasACompiler() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int code = RepriseCommand.run(out, out, "jdk");

        assertThat(code).isZero();
        assertThat(Path.of(out.toString(StandardCharsets.UTF_8).strip(), "bin", "javac"))
                .isExecutable();
        assertThatThrownBy(() -> JdkCommand.withCompiler(folder))
                .hasMessageContaining("has no compiler")
                .hasMessageContaining("JAVA_HOME");
    }

    @Test
    void shouldSayWhatIsWrongWithAFileOrATable() throws IOException {
        Path latin = Files.write(
                folder.resolve("latin.sql"),
                "INSERT INTO account VALUES (1, 'caf\u00e9', 0)".getBytes(StandardCharsets.ISO_8859_1));
        Path marked = Files.writeString(folder.resolve("marked.sql"), "\uFEFFINSERT INTO account VALUES (1, 'a', 0)");
        Path csv = Files.writeString(folder.resolve("a.csv"), "id,nmae\n1,a\n");
        String here = folder.toString();

        assertThat(reprise("sql", "--file", latin.toString()).err())
                .isEqualTo("reprise: " + latin + " is not in UTF-8; convert it, as by iconv -f LATIN1 -t UTF-8\n");
        assertThat(reprise("sql", "--file", marked.toString()).code()).isZero();
        for (String[] command : new String[][] {
            {"sql", "--file", here}, {"load", "account", here}, {"deploy", "--ddl", here}, {"deploy", here}
        }) {
            Run run = reprise(command[0], java.util.Arrays.copyOfRange(command, 1, command.length));
            assertThat(run.code()).isEqualTo(3);
            assertThat(run.err()).isEqualTo("reprise: " + here + " is a folder; name a file\n");
        }
        assertThat(reprise("sql", "SELECT 1").err()).contains("no data directory SELECT 1", "-e before it");
        Run noTable = reprise("load", "acount", csv.toString());
        Run noColumn = reprise("load", "account", csv.toString());
        assertThat(noTable.code()).isEqualTo(3);
        assertThat(noTable.err())
                .startsWith("reprise: nothing was loaded, because")
                .containsIgnoringCase("acount");
        assertThat(noColumn.err()).contains("--columns", "--separator");
        assertThat(noColumn.code()).isEqualTo(3);
        assertThat(noColumn.err())
                .startsWith("reprise: nothing was loaded, because")
                .containsIgnoringCase("nmae");
    }

    @Test
    void shouldSayThatTheFirstLineOfAFileNamesNoColumns() throws IOException {
        Path numbers = Files.writeString(folder.resolve("numbers.csv"), "1,a,2.5\n2,b,3.5\n");
        Path text = Files.writeString(folder.resolve("text.csv"), "x".repeat(5000) + "\n");

        Run ofNumbers = reprise("load", "account", numbers.toString());
        Run ofText = reprise("load", "account", text.toString());

        assertThat(ofNumbers.code()).isEqualTo(3);
        assertThat(ofNumbers.err())
                .startsWith("reprise: nothing was loaded, because table account has no column \"1\". It has ID, ")
                .contains("--columns");
        assertThat(ofText.err())
                .contains("no column \"" + "x".repeat(40) + "...\"")
                .hasSizeLessThan(400);
    }

    @Test
    void shouldSayInWordsWhyNoServerCanBeReached() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        ByteArrayOutputStream ofDown = new ByteArrayOutputStream();
        ByteArrayOutputStream ofUnknown = new ByteArrayOutputStream();

        // Each takes the time that a client may try to connect.
        CompletableFuture<Integer> down = CompletableFuture.supplyAsync(
                () -> RepriseCommand.run(ofDown, ofDown, "sql", "--server", "127.0.0.1:" + free, "-e", "SELECT 1"));
        int unknown =
                RepriseCommand.run(ofUnknown, ofUnknown, "sql", "--server", "no.such.host.invalid", "-e", "SELECT 1");

        assertThat(down.join()).isEqualTo(3);
        assertThat(unknown).isEqualTo(3);
        assertThat(ofDown.toString(StandardCharsets.UTF_8))
                .contains("reprise: no server can be reached: 127.0.0.1:" + free
                        + ": the connection was refused: the node is down or has not started yet");
        assertThat(ofUnknown.toString(StandardCharsets.UTF_8))
                .contains("no.such.host.invalid:21212: there is no host of this name");
    }

    @Test
    @Timeout(60)
    void shouldSayThatItIsTheHttpPortWhenThatWasTakenForTheOneForCalls() {
        Duration fastest = Duration.ofMinutes(1);
        // The first may load classes for long; it is not the time for connecting that is waited for.
        for (int i = 0; i < 3 && fastest.toSeconds() >= 5; i++) {
            long beganNs = System.nanoTime();

            Run run = plain(
                    "sql",
                    "-e",
                    "SELECT 1",
                    "--server",
                    URI.create(node.url().orElseThrow()).getAuthority());

            fastest = Duration.ofNanos(System.nanoTime() - beganNs);
            assertThat(run.code()).isEqualTo(3);
            assertThat(run.err())
                    .startsWith("reprise: ")
                    .contains("an HTTP server answers there")
                    .contains("calls go to another port, 21212 unless the node's clients.port says otherwise");
        }
        assertThat(fastest).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void shouldTellABrowserAtThePortForCallsWhereThePageIs() throws Exception {
        URI port = URI.create("http://127.0.0.1:" + node.clients().orElseThrow().getPort() + "/status");
        try (HttpClient browser = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    browser.send(HttpRequest.newBuilder(port).build(), HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("port for calls").contains("7077, or what http.port (--http-port) says");
        }
    }

    @Test
    void shouldReadAddresses() {
        assertThat(ServerChoice.parse("localhost").getPort()).isEqualTo(21212);
        assertThat(ServerChoice.parse("127.0.0.1:5").getPort()).isEqualTo(5);
        assertThat(ServerChoice.parse("[::1]:6").getPort()).isEqualTo(6);
        assertThat(ServerChoice.parse("[::1]").getPort()).isEqualTo(21212);
        assertThat(ServerChoice.parse("::1").getPort()).isEqualTo(21212);
        assertThatThrownBy(() -> ServerChoice.parse("host:many")).hasMessageContaining("HOST:PORT");
    }

    @Test
    void shouldConvertTextToEachType() {
        assertThat(ColumnText.of("TIMESTAMP").value("2026-01-02 03:04:05"))
                .isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(ColumnText.of("TIMESTAMP").value("2026-01-02")).isEqualTo(Instant.parse("2026-01-02T00:00:00Z"));
        assertThat(ColumnText.of("TIMESTAMP").value("2026-01-02T03:04:05.5Z"))
                .isEqualTo(Instant.parse("2026-01-02T03:04:05.5Z"));
        assertThat(ColumnText.of("DATE").value("2026-01-02")).isEqualTo(LocalDate.of(2026, 1, 2));
        assertThat(ColumnText.of("BOOLEAN").value("T")).isEqualTo(true);
        assertThat(ColumnText.of("VARBINARY(4)").value("00ff")).isEqualTo(new byte[] {0, -1});
        assertThat(ColumnText.of("VARCHAR(4)").value(" a ")).isEqualTo(" a ");
        assertThat(ColumnText.of("SMALLINT").value(null)).isNull();
        assertThatThrownBy(() -> ColumnText.of("DATE").value("tomorrow")).hasMessage("'tomorrow' is no DATE");
    }
}

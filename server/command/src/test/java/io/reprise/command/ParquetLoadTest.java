package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loads of Parquet files that Arrow has written: a thousand rows in four groups, packed by Snappy. */
final class ParquetLoadTest {
    private static final String COLUMNS = "id BIGINT NOT NULL PRIMARY KEY, small SMALLINT, name VARCHAR(20),"
            + " balance DECIMAL(12,2), score DOUBLE, since TIMESTAMP, day DATE, active BOOLEAN, code VARBINARY(4)";

    @TempDir
    Path folder;

    private Server server;

    @BeforeEach
    void start() {
        server = Server.open(
                Options.create().partitions(2),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private record Run(int code, String out, String err) {}

    private Run reprise(String command, String... more) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> arguments = new ArrayList<>(
                List.of(command, "--server", "127.0.0.1:" + server.address().getPort()));
        arguments.addAll(List.of(more));
        int code = RepriseCommand.run(out, err, arguments.toArray(String[]::new));
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Run load(String table, String resource, String... more) throws IOException {
        Path file = folder.resolve(resource);
        try (InputStream in = ParquetLoadTest.class.getResourceAsStream(resource)) {
            Files.write(file, in.readAllBytes());
        }
        List<String> arguments = new ArrayList<>(List.of(table, file.toString()));
        arguments.addAll(List.of(more));
        return reprise("load", arguments.toArray(String[]::new));
    }

    /** The first row of a query. */
    private String row(String query) {
        Run sql = reprise("sql", "-e", query, "--format", "csv");
        assertThat(sql.code()).as(sql.err()).isZero();
        return sql.out().lines().skip(1).findFirst().orElse("");
    }

    @Test
    void shouldLoadAllRowsWithTheirTypes() throws Exception {
        server.engine().ddl("CREATE TABLE whole (" + COLUMNS + "); PARTITION TABLE whole ON COLUMN id");

        Run load = load("whole", "rows.parquet");

        assertThat(load.err()).isEmpty();
        assertThat(load.out()).isEqualTo("1000 of 1000 records are in whole.\n");
        assertThat(row("SELECT COUNT(*), COUNT(name), SUM(balance), MAX(small) FROM whole"))
                .isEqualTo("1000,900,124875.00,99");
        assertThat(row("SELECT name, balance, score, CAST(since AS VARCHAR), CAST(day AS VARCHAR), active FROM whole"
                        + " WHERE id = 777"))
                .isEqualTo("\"name, \"\"777\"\"\",194.25,388.5,2026-01-01 00:12:57.000007,2028-02-17,false");
        assertThat(row("SELECT id FROM whole WHERE code = x'2a01' AND id < 100"))
                .isEqualTo("42");
    }

    @Test
    void shouldRejectRecordsThatDoNotFitAndGoOn() throws Exception {
        server.engine()
                .ddl("CREATE TABLE narrow (" + COLUMNS.replace("VARCHAR(20)", "VARCHAR(10)")
                        + "); PARTITION TABLE narrow ON COLUMN id");

        Run load = load("narrow", "rows.parquet", "--from-line", "91");

        // Names of three digits are longer, and a tenth has none.
        assertThat(load.code()).as(load.err()).isEqualTo(1);
        assertThat(load.out()).startsWith("100 of 910 records are in narrow; 810 were refused");
        assertThat(Files.readString(folder.resolve("rows.parquet.rejects")))
                .contains("# line 101: ", "\n100,0,\"name, \"\"100\"\"\",25.00,50.0,")
                .contains(",6401\n")
                .doesNotContain("[B@");
    }

    @Test
    void shouldLoadItsOwnRejectsWhenTheTableHasBeenMended() throws Exception {
        server.engine()
                .ddl("CREATE TABLE narrower (" + COLUMNS.replace("VARCHAR(20)", "VARCHAR(10)")
                        + "); PARTITION TABLE narrower ON COLUMN id; CREATE TABLE wide (" + COLUMNS
                        + "); PARTITION TABLE wide ON COLUMN id");
        load("narrower", "rows.parquet");
        Path mended = folder.resolve("mended.csv");
        List<String> records = Files.readAllLines(folder.resolve("rows.parquet.rejects")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        Files.write(mended, records);

        Run load = reprise(
                "load", "wide", mended.toString(), "--columns", "id,small,name,balance,score,since,day,active,code");

        assertThat(load.err()).isEmpty();
        assertThat(load.out()).isEqualTo(records.size() + " of " + records.size() + " records are in wide.\n");
        assertThat(row("SELECT name, balance, score, CAST(since AS VARCHAR), CAST(day AS VARCHAR), active FROM wide"
                        + " WHERE id = 777"))
                .isEqualTo("\"name, \"\"777\"\"\",194.25,388.5,2026-01-01 00:12:57.000007,2028-02-17,false");
        assertThat(row("SELECT COUNT(*) FROM wide WHERE code = x'0901' AND id = 777"))
                .isEqualTo("1");
    }

    @Test
    @Timeout(60)
    void shouldSayThatAParquetFileCanNotComeThroughAPipe() throws Exception {
        server.engine().ddl("CREATE TABLE t (id BIGINT PRIMARY KEY)");
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Thread writer = Thread.ofPlatform().start(() -> {
            // The load closes the pipe before it has read all.
            try (InputStream in = ParquetLoadTest.class.getResourceAsStream("rows.parquet");
                    OutputStream out = Files.newOutputStream(pipe)) {
                in.transferTo(out);
            } catch (IOException closed) {
                assertThat(closed).hasMessageContaining("pipe");
            }
        });

        Run load = reprise(
                "load", "t", pipe.toString(), "--rejects", folder.resolve("bad").toString());
        writer.join();

        assertThat(load.code()).isNotZero();
        assertThat(load.err()).contains(pipe + " is a pipe", "write it to a file first");
    }

    @Test
    void shouldSayWhyAFileCanNotBeLoaded() throws Exception {
        server.engine().ddl("CREATE TABLE t (id BIGINT PRIMARY KEY)");

        Run nested = load("t", "nested.parquet");
        Run named = load("t", "rows.parquet", "--columns", "id");

        assertThat(nested.code()).isNotZero();
        assertThat(nested.err()).contains("column tags of ", "a table has single values");
        assertThat(named.code()).isEqualTo(2);
        assertThat(named.err()).contains("a Parquet file names its columns itself");
    }
}

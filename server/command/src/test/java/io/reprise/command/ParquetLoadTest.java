package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
                .contains("# line 101: ", "\n100,0,\"name, \"\"100\"\"\",25.00,50.0,");
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

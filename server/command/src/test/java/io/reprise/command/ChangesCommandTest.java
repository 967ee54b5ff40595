package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of {@code reprise changes}. */
final class ChangesCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @BeforeEach
    void fill() {
        try (Reprise engine = Options.create()
                .directory(folder.resolve("data"))
                .memoryPerPartition(64 << 20)
                .ddl("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, price DECIMAL(8,2), name VARCHAR(20));"
                        + " PARTITION TABLE t ON COLUMN id;"
                        + " CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE other ON COLUMN id;")
                .open()) {
            engine.sql("INSERT INTO t VALUES (1, 1.50, 'plum \"x\"')");
            engine.sql("INSERT INTO other VALUES (9)");
            engine.snapshot();
            engine.sql("UPDATE t SET price = 1.75 WHERE id = 1");
            engine.sql("DELETE FROM t WHERE id = 1");
        }
    }

    @Test
    void shouldPrintRowsOfTheSnapshotAndThenChanges() {
        int code = run("changes", data(), "--table", "t");

        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        List<String> lines = lines();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0))
                .contains("\"table\":\"T\",\"operation\":\"read\",\"before\":null,"
                        + "\"after\":{\"ID\":1,\"PRICE\":\"1.50\",\"NAME\":\"plum \\\"x\\\"\"}");
        assertThat(lines.get(1))
                .contains("\"change\":1,\"of\":1,", "\"operation\":\"update\",\"before\":{\"ID\":1,\"PRICE\":\"1.50\"")
                .contains("\"after\":{\"ID\":1,\"PRICE\":\"1.75\"");
        assertThat(lines.get(2)).contains("\"operation\":\"delete\"", "\"after\":null");
    }

    @Test
    void shouldGoOnBehindThePlaceOfAnEarlierLine() {
        run("changes", data(), "--table", "T");
        String second = lines().get(1);
        String place = second.substring(second.indexOf("0x"), second.indexOf('"', second.indexOf("0x")));
        out.reset();

        int code = run("changes", data(), "--from", place);

        assertThat(code).isZero();
        assertThat(lines()).singleElement().asString().contains("\"operation\":\"delete\"");
    }

    @Test
    void shouldPrintTheEnvelopeOfDebezium() {
        int code = run("changes", data(), "--format", "debezium", "--table", "T");

        assertThat(code).isZero();
        assertThat(lines().get(1))
                .startsWith("{\"before\":{\"ID\":1,")
                .contains("\"op\":\"u\"", "\"source\":{\"connector\":\"reprise\"", "\"lsn\":\"0x");
    }

    @Test
    void shouldRefuseAPlaceThatIsNone() {
        assertThat(run("changes", data(), "--from", "yesterday")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("0x4000#3, not yesterday");
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private int run(String... arguments) {
        return RepriseTool.run(out, err, Map.of("changes", ChangesCommand::new), line -> {}, arguments);
    }
}

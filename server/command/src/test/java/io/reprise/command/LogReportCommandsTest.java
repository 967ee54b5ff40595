package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands log closure, log graph and log choose. */
final class LogReportCommandsTest {
    private static final String DDL = """
            CREATE TABLE counter (id INT NOT NULL PRIMARY KEY, hits BIGINT NOT NULL);
            PARTITION TABLE counter ON COLUMN id;
            CREATE PROCEDURE create_counter PARTITION ON TABLE counter COLUMN id AS INSERT INTO counter VALUES (?, 0);
            CREATE PROCEDURE hit PARTITION ON TABLE counter COLUMN id AS UPDATE counter SET hits = hits + 1 WHERE id = ?;
            """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    @BeforeEach
    void fill() {
        try (Reprise engine = Options.create()
                .partitions(1)
                .memoryPerPartition(64 << 20)
                .ddl(DDL)
                .directory(folder.resolve("data"))
                .durability(Durability.standard().withFootprints(true))
                .open()) {
            engine.call("create_counter", 1);
            engine.call("create_counter", 2);
            engine.call("hit", 1);
            engine.call("hit", 1);
        }
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return RepriseTool.run(out, err, arguments);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    @Test
    void shouldCountTheClosureOfAPartition() {
        assertThat(run("log", "closure", data(), "--partition", "0", "--of", "1"))
                .as(printed())
                .isZero();

        assertThat(printed())
                .contains(
                        "transactions behind the snapshot: 4", "commands that run again: 4", "without a footprint: 0");
    }

    @Test
    void shouldRefuseTheClosureOfANodeWhoseDataTheseAreNot() {
        assertThat(run("log", "closure", data(), "--node", "0", "--of", "1")).isNotZero();
        assertThat(printed()).contains("are those of no cluster");

        assertThat(run("log", "closure", data(), "--node", "0", "--bucket", "1"))
                .isNotZero();
        assertThat(printed()).contains("give either --bucket");
    }

    @Test
    void shouldCountTheClosureOfANode() throws IOException {
        Files.writeString(folder.resolve("data/.cluster"), "cluster=shop\nid=1\nnode=2\ninstance=1\n");

        assertThat(run("log", "closure", data(), "--node", "2", "--of", "1"))
                .as(printed())
                .isZero();
        assertThat(printed()).contains("transactions behind the snapshot: 4", "commands that run again: 0");

        assertThat(run("log", "closure", data(), "--node", "1", "--of", "1")).isNotZero();
        assertThat(printed()).contains("are those of node 2 of cluster 'shop', not of node 1");
    }

    @Test
    void shouldDrawTheGraphOfTheLog() {
        assertThat(run("log", "graph", data(), "--dot")).as(printed()).isZero();

        assertThat(printed())
                .contains("digraph log {", "t1 -> t3;", "t3 -> t4;")
                .doesNotContain("t2 ->");
    }

    @Test
    void shouldReportGroupsAndTheLongestPath() {
        assertThat(run("log", "graph", data())).as(printed()).isZero();

        assertThat(printed()).contains("transactions: 4", "processing groups: 2", "longest path: 3 transactions");
    }

    @Test
    void shouldCompareChoicesOfDataRecords() {
        assertThat(run("log", "choose", data(), "--bucket", "0", "--budget", "100"))
                .as(printed())
                .isZero();

        assertThat(printed()).contains("as logged: 0 data records", "greedy: ", "random: ", "exact: ");
    }

    @Test
    void shouldRefuseABucketThatTheDatabaseDoesNotHave() {
        assertThat(run("log", "choose", data(), "--bucket", "5000", "--budget", "100"))
                .isNotZero();

        assertThat(printed()).contains("the database has buckets 0 to 1023, no bucket 5000");
    }
}

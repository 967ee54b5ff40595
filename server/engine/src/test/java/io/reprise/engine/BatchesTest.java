package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A statement for many rows: one transaction for the rows of each partition. */
final class BatchesTest {
    private static final String INSERT = "INSERT INTO item (id, name) VALUES (?, ?)";
    private static final int ROWS = 1000;

    @TempDir
    Path folder;

    private Options options() {
        return Options.create()
                .partitions(3)
                .ddl("CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);"
                        + " PARTITION TABLE item ON COLUMN id;"
                        + " CREATE TABLE few (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);"
                        + " CREATE TABLE numbered (id SERIAL PRIMARY KEY, name VARCHAR(20) NOT NULL);")
                .directory(folder.resolve("data"));
    }

    private static List<Arguments> rows(int from, int to) {
        List<Arguments> rows = new ArrayList<>();
        for (int id = from; id < to; id++) {
            rows.add(Arguments.of((long) id, "item " + id));
        }
        return rows;
    }

    /** Starts a batch for the rows of each partition. */
    private static List<BatchReply> run(Batches batches, List<Arguments> rows) {
        SortedMap<Integer, List<Arguments>> byPartition = new TreeMap<>();
        for (Arguments row : rows) {
            byPartition
                    .computeIfAbsent(batches.partitionOf(row), none -> new ArrayList<>())
                    .add(row);
        }
        List<CompletableFuture<BatchReply>> ends =
                byPartition.values().stream().map(batches::start).toList();
        return ends.stream().map(CompletableFuture::join).toList();
    }

    private static long number(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        rows.next();
        return rows.longAt(0);
    }

    @Test
    void shouldInsertTheRowsOfEachPartitionAndFindThemAgain() {
        try (Reprise engine = options().open()) {
            List<BatchReply> replies = run(engine.batches(RunLimits.NONE, INSERT, null), rows(0, ROWS));

            assertThat(replies).hasSize(3).allMatch(BatchReply::succeeded);
            assertThat(replies.stream().mapToLong(BatchReply::written).sum()).isEqualTo(ROWS);
        }
        try (Reprise engine = options().open()) {
            assertThat(number(engine, "SELECT COUNT(DISTINCT name) FROM item")).isEqualTo(ROWS);
        }
    }

    @Test
    void shouldRollBackABatchAndNameTheRowThatFailed() {
        try (Reprise engine = options().open()) {
            engine.sql("INSERT INTO item VALUES (7, 'there')");
            Batches batches = engine.batches(RunLimits.NONE, INSERT, null);
            List<Arguments> rows = rows(0, 100);
            int partition = batches.partitionOf(rows.get(7));
            List<Arguments> together = rows.stream()
                    .filter(row -> batches.partitionOf(row) == partition)
                    .toList();

            BatchReply reply = batches.start(together).join();

            assertThat(reply.error()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
            assertThat(together.get(reply.failed()).word(0)).isEqualTo(7);
            assertThat(reply.subject().table()).isEqualToIgnoringCase("item");
            assertThat(number(engine, "SELECT COUNT(*) FROM item")).isEqualTo(1);
        }
    }

    @Test
    void shouldWriteReplicatedTablesAndRowsOfAllPartitionsInOneTransaction() {
        try (Reprise engine = options().open()) {
            BatchReply few = engine.batches(RunLimits.NONE, "INSERT INTO few VALUES (?, ?)", null)
                    .start(rows(0, 50))
                    .join();
            BatchReply all = engine.batches(RunLimits.NONE, INSERT, null)
                    .start(rows(0, 50))
                    .join();
            BatchReply again = engine.batches(RunLimits.NONE, INSERT, null)
                    .start(rows(40, 60))
                    .join();

            assertThat(few.written()).isEqualTo(50);
            assertThat(all.written()).isEqualTo(50);
            assertThat(again.failed()).isZero();
            assertThat(number(engine, "SELECT COUNT(*) FROM item")).isEqualTo(50);
            assertThat(number(engine, "SELECT COUNT(*) FROM few")).isEqualTo(50);
        }
    }

    @Test
    void shouldDrawTheValuesOfSequences() {
        try (Reprise engine = options().open()) {
            Batches batches = engine.batches(RunLimits.NONE, "INSERT INTO numbered (name) VALUES (?)", null);
            List<Arguments> rows = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                rows.add(Arguments.of("row " + i));
            }

            assertThat(run(batches, rows)).allMatch(BatchReply::succeeded);
            assertThat(number(engine, "SELECT COUNT(DISTINCT id) FROM numbered"))
                    .isEqualTo(100);
        }
    }

    @Test
    void shouldPlanTheStatementAgainWhenTheSchemaHasChanged() {
        try (Reprise engine = options().open()) {
            Batches batches = engine.batches(RunLimits.NONE, INSERT, null);
            assertThat(run(batches, rows(0, 10))).allMatch(BatchReply::succeeded);

            engine.ddl("ALTER TABLE item ADD COLUMN more BIGINT");

            assertThat(run(batches, rows(10, 20))).allMatch(BatchReply::succeeded);
        }
    }

    @Test
    void shouldRejectQueriesAndRowsOfTheWrongLength() {
        try (Reprise engine = options().open()) {
            assertThatThrownBy(() -> engine.batches(RunLimits.NONE, "SELECT name FROM item WHERE id = ?", null))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("writes");
            Batches batches = engine.batches(RunLimits.NONE, INSERT, null);

            assertThatThrownBy(() -> batches.partitionOf(Arguments.of(1L)))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("2 parameters");
        }
    }
}

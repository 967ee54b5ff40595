package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.SnapshotReport;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Partitions at their memory limit are repaired and rebuilt, and their snapshots are merged, under that limit. */
final class FullPartitionRepairTest {
    private static final int LIMIT = 8 << 20;
    private static final int BUCKETS = 64;
    private static final String DDL = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, n INTEGER NOT NULL, s VARCHAR(400));
            PARTITION TABLE item ON COLUMN id;
            CREATE INDEX by_s ON item (s);
            CREATE INDEX by_n ON item (n, id);
            CREATE TABLE small (id BIGINT NOT NULL PRIMARY KEY);
            PARTITION TABLE small ON COLUMN id;
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private long next;

    private Reprise open(LoggingMethod method, boolean merges) {
        return Options.create()
                .partitions(2)
                .buckets(BUCKETS)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(LIMIT)
                .footprints(new FootprintBuffer.Settings(4, 1 << 12, 1 << 10, 1 << 6))
                .durability(Durability.standard()
                        .with(method)
                        .withFootprints(!merges)
                        .with(SmallDurability.snapshots(2)))
                .mergeSnapshots(merges)
                .files(disk)
                .ddl(DDL)
                .open();
    }

    /** Rows come in random order and go again, before the snapshot and behind it. */
    private void fill(Reprise engine) {
        Random random = new Random(5);
        for (int round = 0; round < 3; round++) {
            assertFull(() -> insertItems(engine, random));
            engine.sql("DELETE FROM item WHERE n < 300");
            if (round == 1) {
                assertThat(engine.snapshot().problem()).isEmpty();
            }
        }
        insertUntilBothPartitionsAreFull(engine);
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldRepairBucketsOfFullPartitions(LoggingMethod method) {
        try (Reprise engine = open(method, false)) {
            fill(engine);
            assertThat(engine.snapshot().problem()).isEmpty();
            insertUntilBothPartitionsAreFull(engine);
            long[] before = engine.contentHashes();

            for (int bucket = 0; bucket < BUCKETS; bucket += 5) {
                RepairReport report = engine.repair(bucket);
                assertThat(report.problem()).as("bucket " + bucket).isNull();
                assertThat(report.rowsAfter()).isPositive().isEqualTo(report.rowsBefore());
            }

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertServesAtItsLimit(engine);
        }
    }

    @ParameterizedTest
    @CsvSource({"COMMAND, 0", "COMMAND, 1", "PHYSIOLOGICAL, 0", "PHYSIOLOGICAL, 1"})
    void shouldRebuildAFullPartition(LoggingMethod method, int partition) {
        try (Reprise engine = open(method, false)) {
            fill(engine);
            long[] before = engine.contentHashes();
            PartitionLosses.spoil(engine, partition, table -> true);

            PartitionLosses.run(engine, clock, partition);

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertServesAtItsLimit(engine);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldMergeASnapshotOfFullPartitionsAndOpenFromIt(LoggingMethod method) {
        long[] before;
        try (Reprise engine = open(method, true)) {
            fill(engine);
            before = engine.contentHashes();

            SnapshotReport merged = engine.snapshot();

            assertThat(merged.problem()).isEmpty();
            assertThat(engine.contentHashes()).isEqualTo(before);
            disk = disk.kill();
            assertThatThrownBy(engine::close).hasMessageContaining("is off");
        }
        try (Reprise again = open(method, true)) {
            assertThat(again.contentHashes()).isEqualTo(before);
            assertServesAtItsLimit(again);
        }
    }

    /** The limit is in force again, and space of deleted rows is used again. */
    private void assertServesAtItsLimit(Reprise engine) {
        assertFull(() -> insertItems(engine, new Random(99)));
        assertThat(engine.sql("DELETE FROM small WHERE id < 1000").longValue()).isPositive();
        engine.ddl("DROP TABLE small");
        engine.sql("INSERT INTO item VALUES (-1, 1, 'as much as before')");
    }

    private void insertUntilBothPartitionsAreFull(Reprise engine) {
        for (int failures = 0; failures < 50; ) {
            try {
                engine.sql("INSERT INTO small VALUES (?)", ++next);
            } catch (ProcedureException full) {
                failures++;
            }
        }
    }

    private void insertItems(Reprise engine, Random random) {
        while (true) {
            engine.sql(
                    "INSERT INTO item VALUES (?, ?, ?)",
                    random.nextLong(),
                    random.nextInt(1000),
                    Integer.toString(random.nextInt()).repeat(1 + random.nextInt(30)));
        }
    }

    private static void assertFull(ThrowableAssert.ThrowingCallable inserts) {
        assertThatThrownBy(inserts)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
    }
}

package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Rows;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine on a directory finds what it had when it is opened again. */
final class DurableEngineTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"COMMAND, 1, 1", "COMMAND, 2, 3", "PHYSIOLOGICAL, 1, 1", "PHYSIOLOGICAL, 3, 2"})
    void shouldFindEverythingAgainWhenOpenedAgain(LoggingMethod method, int partitionsBefore, int partitionsAfter) {
        long[] content;
        try (Reprise engine = open(method, partitionsBefore)) {
            fill(engine);
            for (int i = 0; i < 50; i++) {
                engine.call("Transfer", i, 99 - i, i);
            }
            engine.call("SetRate", "base", 3);
            engine.ddl("ALTER TABLE account ADD COLUMN note VARCHAR(20) DEFAULT 'none'");
            engine.sql("UPDATE account SET note = 'rich' WHERE balance > ?", 1010);
            engine.sql("DELETE FROM account WHERE id = 7");
            content = engine.contentHashes();
        }

        try (Reprise again = open(method, partitionsAfter)) {
            assertThat(again.call("Total").longValue()).isEqualTo(100_000 - 1000 + 7);
            assertThat(count(again, "SELECT COUNT(*) FROM account WHERE note = 'rich'"))
                    .isEqualTo(39);
            if (partitionsBefore == partitionsAfter) {
                assertThat(again.contentHashes()).isEqualTo(content);
            }
            assertThat(count(again, "SELECT pct FROM rate WHERE name = 'base'")).isEqualTo(3);
            again.call("Transfer", 1, 2, 10);
        }
    }

    private static long countA(Reprise engine) {
        Rows rows = engine.call("CountA").rows();
        rows.next();
        return rows.longAt(0);
    }

    /** A refused script leaves the tables as they were to those who use them, to the snapshots and to a replay. */
    @ParameterizedTest
    @CsvSource({"COMMAND, 1", "COMMAND, 2", "PHYSIOLOGICAL, 1", "PHYSIOLOGICAL, 2"})
    void shouldGoOnWithTheSameTableWhenItsPartitioningWasRefused(LoggingMethod method, int partitions) {
        try (Reprise engine = open(method, partitions)) {
            engine.ddl(
                    "CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY); CREATE TABLE b (id BIGINT NOT NULL, n INTEGER);"
                            + " CREATE PROCEDURE PutA AS INSERT INTO a VALUES (?);"
                            + " CREATE PROCEDURE CountA AS SELECT COUNT(*) FROM a");
            engine.sql("INSERT INTO a VALUES (7)");
            engine.sql("DELETE FROM a");
            engine.sql("INSERT INTO b VALUES (1, 5), (1, 5)");

            assertThatThrownBy(() -> engine.ddl("PARTITION TABLE a ON COLUMN id; PARTITION TABLE b ON COLUMN id;"
                            + " CREATE UNIQUE INDEX once ON b (id, n)"))
                    .hasMessageContaining("more than one row");
            engine.call("PutA", 1);
            assertThat(countA(engine)).isEqualTo(1);
            assertThat(count(engine, "SELECT COUNT(*) FROM a")).isEqualTo(1);
        }
        try (Reprise again = open(method, partitions)) {
            assertThat(countA(again)).isEqualTo(1);
            again.call("PutA", 2);
            assertThat(again.snapshot().succeeded()).isTrue();
        }
        try (Reprise again = open(method, partitions)) {
            assertThat(countA(again)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"COMMAND, 1, 1", "COMMAND, 3, 2", "PHYSIOLOGICAL, 2, 2", "PHYSIOLOGICAL, 1, 3"})
    void shouldGoOnFromASnapshotWhenOpenedAgain(LoggingMethod method, int partitionsBefore, int partitionsAfter) {
        long[] content;
        try (Reprise engine = open(method, partitionsBefore)) {
            fill(engine);
            engine.call("SetRate", "base", 3);
            engine.ddl("ALTER TABLE account ADD COLUMN note VARCHAR(20) DEFAULT 'none'");
            SnapshotReport report = engine.snapshot();
            assertThat(report.problem()).isEmpty();
            assertThat(report.succeeded()).isTrue();
            assertThat(report.rows()).isEqualTo(101);
            for (int i = 0; i < 50; i++) {
                engine.call("Transfer", i, 99 - i, i);
            }
            engine.sql("DELETE FROM account WHERE id = 7");
            engine.ddl("CREATE PROCEDURE Rich AS SELECT COUNT(*) FROM account WHERE balance > ?");
            content = engine.contentHashes();
        }

        List<RecoveryProgress.Phase> phases = new ArrayList<>();
        try (Reprise again = options(method, partitionsAfter)
                .recoveryListener(progress -> phases.add(progress.phase()))
                .open()) {
            assertThat(again.call("Total").longValue()).isEqualTo(100_000 - 1000 + 7);
            assertThat(count(again, "SELECT COUNT(*) FROM account WHERE note = 'none'"))
                    .isEqualTo(99);
            assertThat(again.call("Rich", 1010).rows().next()).isTrue();
            if (partitionsBefore == partitionsAfter) {
                assertThat(again.contentHashes()).isEqualTo(content);
            }
            assertThat(again.snapshot().succeeded()).isTrue();
        }
        assertThat(phases).startsWith(RecoveryProgress.Phase.LOADING).endsWith(RecoveryProgress.Phase.DONE);
    }

    @Test
    void shouldReplayARecordThatIsLargerThanTheLargestMayBeNow() {
        String text = "€".repeat(200_000);
        try (Reprise engine = withNotes(32 << 20)) {
            engine.sql("INSERT INTO note VALUES (1, ?)", text);
            engine.sql("INSERT INTO note VALUES (2, 'short')");
            engine.sql("UPDATE note SET text = 'shorter' WHERE id = 2");
        }

        try (Reprise again = withNotes(256 << 10)) {
            assertThat(again.recovery().transactions()).isEqualTo(3);
            Rows rows = again.sql("SELECT text FROM note ORDER BY id").rows();
            rows.next();
            assertThat(rows.stringAt(0)).isEqualTo(text);
            rows.next();
            assertThat(rows.stringAt(0)).isEqualTo("shorter");
        }
    }

    private Reprise withNotes(int largestRecord) {
        return Options.create()
                .memoryPerPartition(64 << 20)
                .directory(directory)
                .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(262143));"
                        + "PARTITION TABLE note ON COLUMN id;")
                .durability(Durability.standard()
                        .with(LoggingMethod.PHYSIOLOGICAL)
                        .with(SnapshotSettings.usual().onDemand())
                        .with(LogSettings.DEFAULTS.withSizes(64 << 10, 4 << 20, 4 << 20, largestRecord)))
                .open();
    }

    @Test
    void shouldTellOfNoReplayWhenTheDatabaseIsNew() {
        List<RecoveryProgress.Phase> phases = new ArrayList<>();

        options(LoggingMethod.COMMAND, 2)
                .recoveryListener(progress -> phases.add(progress.phase()))
                .open()
                .close();

        assertThat(phases).containsExactly(RecoveryProgress.Phase.DONE);
    }

    @Test
    void shouldUseAnOlderSnapshotWhenTheNewestIsDamaged() throws IOException {
        long[] content;
        try (Reprise engine = open(LoggingMethod.COMMAND, 2)) {
            fill(engine);
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.call("Transfer", 1, 2, 10);
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.call("Transfer", 3, 4, 10);
            content = engine.contentHashes();
        }
        damageNewestSnapshot();

        try (Reprise again = open(LoggingMethod.COMMAND, 2)) {
            assertThat(again.contentHashes()).isEqualTo(content);
        }
    }

    @Test
    void shouldUseAnOlderSnapshotWhenTheNewestIsDamagedAndSoIsTheOneThatIsMadeNext() throws IOException {
        long[] content;
        try (Reprise engine = open(LoggingMethod.COMMAND, 2)) {
            fill(engine);
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.call("Transfer", 1, 2, 10);
            assertThat(engine.snapshot().succeeded()).isTrue();
        }
        damageNewestSnapshot();
        try (Reprise again = open(LoggingMethod.COMMAND, 2)) {
            again.call("Transfer", 3, 4, 10);
            assertThat(again.snapshot().succeeded()).isTrue();
            content = again.contentHashes();
        }
        damageNewestSnapshot();

        try (Reprise third = open(LoggingMethod.COMMAND, 2)) {
            assertThat(third.recovery().snapshot()).isPresent();
            assertThat(third.recovery().damagedSnapshots()).isEqualTo(2);
            assertThat(third.contentHashes()).isEqualTo(content);
        }
    }

    private void damageNewestSnapshot() throws IOException {
        try (Stream<Path> snapshots = Files.list(directory.resolve("snapshot"))) {
            Path newest = snapshots.max(Comparator.naturalOrder()).orElseThrow();
            try (Stream<Path> files = Files.list(newest)) {
                Path largest = files.max(
                                Comparator.comparingLong(file -> file.toFile().length()))
                        .orElseThrow();
                byte[] bytes = Files.readAllBytes(largest);
                bytes[bytes.length / 3] ^= 1;
                Files.write(largest, bytes);
            }
        }
    }

    @Test
    void shouldRemoveLogThatNoSnapshotNeeds() throws IOException {
        LogSettings small =
                LogSettings.DEFAULTS.withSizes(2048, 4096, 1 << 16, 32 << 10).withSegmentBytes(64 << 10);
        Durability durability = Durability.standard().with(small);
        try (Reprise engine =
                options(LoggingMethod.COMMAND, 1).durability(durability).open()) {
            fill(engine);
            for (int round = 0; round < 6; round++) {
                for (int i = 0; i < 200; i++) {
                    engine.call("Transfer", i % 100, (i + 1) % 100, 1);
                }
                assertThat(engine.snapshot().succeeded()).isTrue();
            }
            try (Stream<Path> segments = Files.list(directory.resolve("log"))) {
                assertThat(segments.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".log")))
                        .doesNotContain("0000000000000000.log");
            }
        }

        try (Reprise again =
                options(LoggingMethod.COMMAND, 1).durability(durability).open()) {
            assertThat(again.call("Total").longValue()).isEqualTo(100_000);
        }
    }

    /** The log's rings hold some ten records, and a partition is lent to several transactions in a row. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseNothingWhenTransfersOverTwoPartitionsFillTheLog(LoggingMethod method) {
        LogSettings small =
                LogSettings.DEFAULTS.withSizes(256, 512, 1 << 10, 16 << 10).withSegmentBytes(64 << 10);
        Durability durability = Durability.standard().with(method).with(small);
        long total;
        try (Reprise engine = options(method, 2).durability(durability).open()) {
            fill(engine);
            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                calls.add(engine.callAsync("Transfer", i % 100, (i * 7 + 1) % 100, 1));
            }
            for (CompletableFuture<Reply> call : calls) {
                assertThat(call.join().error()).isIn(null, ErrorCode.USER_ABORT);
            }
            total = engine.call("Total").longValue();
        }

        try (Reprise again = options(method, 2).durability(durability).open()) {
            assertThat(again.call("Total").longValue()).isEqualTo(total);
        }
    }

    @Test
    void shouldKeepTheLogWhenAsked() throws IOException {
        LogSettings small =
                LogSettings.DEFAULTS.withSizes(2048, 4096, 1 << 16, 32 << 10).withSegmentBytes(64 << 10);
        Durability durability = Durability.standard().with(small).withKeptLog(true);
        try (Reprise engine =
                options(LoggingMethod.COMMAND, 1).durability(durability).open()) {
            fill(engine);
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 200; i++) {
                    engine.call("Transfer", i % 100, (i + 1) % 100, 1);
                }
                assertThat(engine.snapshot().succeeded()).isTrue();
            }
        }

        try (Stream<Path> segments = Files.list(directory.resolve("log"))) {
            assertThat(segments.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".log")))
                    .hasSizeGreaterThan(4)
                    .contains("0000000000000000.log", "0000000000010000.log");
        }
    }

    @Test
    void shouldTellHowItStandsWithTheDisk() {
        long durable;
        try (Reprise engine = open(LoggingMethod.COMMAND, 2)) {
            fill(engine);
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.call("Transfer", 1, 2, 3);

            DurabilityStats stats = engine.stats().durability().orElseThrow();

            assertThat(stats.log().records()).isGreaterThanOrEqualTo(102);
            assertThat(stats.log().flushes()).isPositive();
            assertThat(stats.log().recordBytes()).isBetween(1L, stats.log().writtenBytes());
            assertThat(stats.log().medianFlushNs()).isBetween(1L, stats.log().longestFlushNs());
            assertThat(stats.log().refusesBecause()).isEmpty();
            assertThat(stats.snapshots().now().completed()).isEqualTo(1);
            assertThat(stats.snapshots().last().orElseThrow().rows()).isEqualTo(100);
            assertThat(stats.recovery()).isEqualTo(RecoveryReport.NOTHING);
            durable = stats.log().durable();
        }

        try (Reprise again = open(LoggingMethod.COMMAND, 2)) {
            DurabilityStats stats = again.stats().durability().orElseThrow();
            assertThat(stats.log().durable()).as("the end that was found").isGreaterThan(durable);
            RecoveryReport recovery = stats.recovery();
            assertThat(recovery.rows()).isEqualTo(100);
            assertThat(recovery.transactions()).isEqualTo(1);
            assertThat(recovery.stateCompared()).isTrue();
            assertThat(recovery.tookNs()).isPositive();
        }
    }

    private static void fill(Reprise engine) {
        for (int i = 0; i < 100; i++) {
            engine.call("OpenAccount", i, 1000, "owner " + i);
        }
    }

    private Reprise open(LoggingMethod method, int partitions) {
        return options(method, partitions).open();
    }

    private Options options(LoggingMethod method, int partitions) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .directory(directory)
                .durability(Durability.standard().with(method));
    }

    private static long count(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }
}

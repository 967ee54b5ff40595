package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A merged snapshot is the one that copying would have made. */
final class SnapshotMergeTest {
    private static final int ACCOUNTS = 120;
    private static final int STEPS = 120;

    private static final List<String> NAMES = List.of("hashed", "sorted", "keyless", "copied");
    private static final String TABLES = """
            CREATE TABLE hashed (a INTEGER NOT NULL, b VARCHAR(90) NOT NULL, c INTEGER, PRIMARY KEY (b, a) USING HASH);
            PARTITION TABLE hashed ON COLUMN a;
            CREATE TABLE sorted (a INTEGER NOT NULL, b VARCHAR(90) NOT NULL, c INTEGER, PRIMARY KEY (a, b) USING ORDERED);
            PARTITION TABLE sorted ON COLUMN a;
            CREATE TABLE keyless (a INTEGER NOT NULL, b VARCHAR(90), c INTEGER);
            PARTITION TABLE keyless ON COLUMN a;
            CREATE INDEX keyless_by_c ON keyless (c);
            CREATE TABLE copied (a INTEGER NOT NULL, b VARCHAR(90) NOT NULL, c INTEGER, PRIMARY KEY (a, b));
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Options options(LoggingMethod method, int partitions, boolean merges) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(2)))
                .mergeSnapshots(merges)
                .mergeBytes(2000)
                .files(disk);
    }

    private Reprise filled(LoggingMethod method, int partitions) {
        Reprise engine = options(method, partitions, true).open();
        engine.call("SetRate", "base", 3);
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        return engine;
    }

    private void kill(Reprise engine) {
        disk = disk.kill();
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private Manifest manifest(SnapshotReport report) {
        return new SnapshotDirectory(disk).manifest(report.transactionId());
    }

    /** Whether the snapshot's moment has no transaction of its own. */
    private static boolean isMerged(Manifest manifest, Manifest before) {
        return manifest.origin().epochMicros() > 0
                && manifest.identity().transactionId() > before.identity().transactionId();
    }

    private static void call(Reprise engine, SeededRandomness random, boolean several) {
        long one = random.nextInt(ACCOUNTS);
        switch (random.nextInt(several ? 5 : 3)) {
            case 0 -> engine.callAsync("OpenAccount", ACCOUNTS + one, 5L, "new " + one);
            case 1, 2 -> engine.callAsync("Balance", one);
            case 3 -> engine.call("SetRate", "rate " + one % 3, (int) one);
            default -> engine.call("Transfer", one, (long) random.nextInt(ACCOUNTS), 1L);
        }
        engine.runSites();
    }

    @Test
    void shouldHoldTheRowsOfACopyWhenRowsAreLogged() {
        Seeds.forEach(3, seed -> compare(seed, LoggingMethod.PHYSIOLOGICAL, true));
    }

    @Test
    void shouldHoldTheRowsOfACopyWhenCommandsOfOneBucketAreLogged() {
        Seeds.forEach(3, seed -> compare(seed, LoggingMethod.COMMAND, false));
    }

    @Test
    void shouldForecastARecoveryFromTheMergedSnapshot() {
        SeededRandomness random = new SeededRandomness(1);
        try (Reprise engine = filled(LoggingMethod.COMMAND, 2)) {
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                call(engine, random, false);
            }
            RecoveryForecast before = engine.recoveryForecast().orElseThrow();

            SnapshotReport merged = engine.snapshot();

            RecoveryForecast after = engine.recoveryForecast().orElseThrow();
            assertThat(merged.rowsSaved()).isZero();
            assertThat(before.commands()).isPositive();
            assertThat(after.commands()).isZero();
            assertThat(after.rows()).isEqualTo(merged.rows()).isGreaterThan(before.rows());
            assertThat(after.logBytes()).isLessThan(before.logBytes());
        }
    }

    private void compare(long seed, LoggingMethod method, boolean several) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        int partitions = 1 + random.nextInt(3);
        Reprise engine = filled(method, partitions);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                call(engine, random, several);
            }
            SnapshotReport merged = engine.snapshot();
            assertThat(merged.problem()).isEmpty();
            assertThat(merged.rowsSaved()).isZero();
            long[] hashes = engine.contentHashes();
            assertThat(engine.stats()
                            .durability()
                            .orElseThrow()
                            .snapshots()
                            .now()
                            .failed())
                    .isZero();
            kill(engine);

            new SnapshotReader(disk).verify(merged.transactionId());
            try (Reprise again = options(method, partitions, false).open()) {
                assertThat(again.recovery().snapshot()).hasValue(merged.transactionId());
                assertThat(again.recovery().transactions()).as("seed " + seed).isZero();
                assertThat(again.contentHashes()).as("seed " + seed).isEqualTo(hashes);
                assertSameAsCopy(again, merged);
            }
            disk = disk.kill();
            engine = options(method, partitions, true).open();
        }
        engine.close();
    }

    /** A copy of the same rows has the same counts, hashes and next numbers. */
    private void assertSameAsCopy(Reprise engine, SnapshotReport merged) {
        Manifest expected = manifest(engine.snapshot());
        Manifest actual = manifest(merged);
        assertThat(isMerged(expected, actual)).isTrue();
        assertThat(actual.tables()).hasSameSizeAs(expected.tables());
        for (int table = 0; table < expected.tables().size(); table++) {
            for (int bucket = 0; bucket < expected.tables().get(table).buckets(); bucket++) {
                assertThat(actual.tables().get(table).rows(bucket))
                        .isEqualTo(expected.tables().get(table).rows(bucket));
                assertThat(actual.tables().get(table).hash(bucket))
                        .isEqualTo(expected.tables().get(table).hash(bucket));
                assertThat(actual.tables().get(table).nextRowId(bucket))
                        .isEqualTo(expected.tables().get(table).nextRowId(bucket));
            }
        }
    }

    /** Rows are found by hashed keys, by ordered keys or by their ids, and tables are truncated. */
    @Test
    void shouldHoldTheRowsOfACopyWhenRowsOfAllTablesChange() {
        Seeds.forEach(3, this::compareTables);
    }

    private void compareTables(long seed) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        Reprise engine =
                options(LoggingMethod.PHYSIOLOGICAL, 2, true).ddl(TABLES).open();
        for (int i = 0; i < 4 * ACCOUNTS; i++) {
            change(engine, random, 2);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                change(engine, random, 5);
            }
            if (round == 1) {
                engine.sql("TRUNCATE TABLE " + NAMES.get(random.nextInt(NAMES.size())));
            }
            SnapshotReport merged = engine.snapshot();
            assertThat(merged.problem()).isEmpty();
            long[] hashes = engine.contentHashes();
            kill(engine);

            new SnapshotReader(disk).verify(merged.transactionId());
            try (Reprise again = options(LoggingMethod.PHYSIOLOGICAL, 2, false).open()) {
                assertThat(again.recovery().snapshot()).hasValue(merged.transactionId());
                assertThat(again.recovery().transactions()).as("seed " + seed).isZero();
                assertThat(again.contentHashes()).as("seed " + seed).isEqualTo(hashes);
                assertSameAsCopy(again, merged);
            }
            disk = disk.kill();
            engine = options(LoggingMethod.PHYSIOLOGICAL, 2, true).open();
        }
        engine.close();
    }

    private static void change(Reprise engine, SeededRandomness random, int kinds) {
        String table = NAMES.get(random.nextInt(NAMES.size()));
        int a = random.nextInt(40);
        String name = "n".repeat(random.nextInt(3)) + a;
        String where = " WHERE a = ? AND b = ?";
        switch (random.nextInt(kinds)) {
            case 0 -> engine.sql("DELETE FROM " + table + where, a, name);
            case 1 -> {
                engine.sql("DELETE FROM " + table + where, a, name);
                engine.sql("INSERT INTO " + table + " (a, b, c) VALUES (?, ?, ?)", a, name, random.nextInt(9));
            }
            case 2 -> engine.sql("UPDATE " + table + " SET c = c + 1 WHERE a = ?", a);
            case 3 -> engine.sql("UPDATE " + table + " SET c = NULL" + where, a, name);
            default -> engine.sql("UPDATE " + table + " SET c = 7 WHERE a < ?", a);
        }
    }

    @Test
    void shouldCopyRowsWhenCommandsTieBucketsTogether() {
        Reprise engine = filled(LoggingMethod.COMMAND, 2);
        for (long id = 0; id < ACCOUNTS - 1; id++) {
            engine.call("Transfer", id, id + 1, 1L);
        }

        assertThat(engine.snapshot().problem()).isEmpty();

        long[] hashes = engine.contentHashes();
        kill(engine);
        try (Reprise again = options(LoggingMethod.COMMAND, 2, false).open()) {
            assertThat(again.contentHashes()).isEqualTo(hashes);
        }
    }

    /** The older snapshot, and the log behind it, have the same rows. */
    @Test
    void shouldRecoverTheSameRowsWhereAMergedSnapshotIsDamaged() {
        SeededRandomness random = new SeededRandomness(1);
        Reprise engine = filled(LoggingMethod.PHYSIOLOGICAL, 2);
        for (int i = 0; i < STEPS; i++) {
            clock.advance(1_000_000);
            call(engine, random, true);
        }
        SnapshotReport merged = engine.snapshot();
        assertThat(merged.rowsSaved()).isZero();
        for (int i = 0; i < STEPS; i++) {
            call(engine, random, true);
        }
        long[] hashes = engine.contentHashes();
        kill(engine);
        String folder = SnapshotDirectory.path(merged.transactionId());
        int skipped = 0;
        for (String file : disk.list(folder)) {
            String path = folder + "/" + file;
            for (long at = 0; at < size(path); at += 701) {
                disk.flipBit(path, at, (int) (at % 8));
                try (Reprise again =
                        options(LoggingMethod.PHYSIOLOGICAL, 2, false).open()) {
                    assertThat(again.contentHashes()).as(path + " " + at).isEqualTo(hashes);
                    skipped += again.recovery().snapshot().orElseThrow() == merged.transactionId() ? 0 : 1;
                }
                disk = disk.kill();
                disk.flipBit(path, at, (int) (at % 8));
            }
        }
        assertThat(skipped).isPositive();
    }

    private long size(String path) {
        try (DataFile file = disk.openReadOnly(path)) {
            return file.size();
        }
    }

    @Test
    void shouldCopyRowsWhenTheSchemaHasChanged() {
        try (Reprise engine = filled(LoggingMethod.PHYSIOLOGICAL, 2)) {
            engine.ddl("CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE other ON COLUMN id");

            SnapshotReport report = engine.snapshot();

            assertThat(report.problem()).isEmpty();
            assertThat(manifest(report).table("OTHER")).isPresent();
        }
    }
}

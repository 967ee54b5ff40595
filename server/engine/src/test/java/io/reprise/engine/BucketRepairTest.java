package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repaired bucket has the rows that it should have, and nothing else has changed. */
final class BucketRepairTest {
    private static final int ACCOUNTS = 300;
    private static final int STEPS = 60;
    private static final long ID = 7;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open(LoggingMethod method, int partitions, boolean onDemand) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(method)
                        .with(AdaptiveSettings.random(0.5))
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(2)))
                .recoverOnDemand(onDemand)
                .files(disk)
                .open();
    }

    private Reprise filled(LoggingMethod method, int partitions) {
        Reprise engine = open(method, partitions, false);
        engine.call("SetRate", "base", 3);
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        return engine;
    }

    @SuppressWarnings("unchecked")
    private static List<PartitionStore> stores(Reprise engine) {
        try {
            Field field = Reprise.class.getDeclaredField("stores");
            field.setAccessible(true);
            return (List<PartitionStore>) field.get(engine);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static int bucketOf(Reprise engine, long id) {
        return engine.buckets().buckets().of(id);
    }

    /** Deletes the rows of a bucket in memory, as no transaction would, and puts a number back. Returns how many there were. */
    private static int damage(Reprise engine, int bucket) {
        PartitionStore store = stores(engine).get(engine.buckets().partition(bucket));
        int deleted = 0;
        for (var table : engine.catalog().tables().values()) {
            TableStore rows = store.table(table.id());
            for (long row = rows.first(); !table.replicated() && row != 0; row = rows.next(row)) {
                if (rows.rowId(row) >>> io.reprise.storage.row.RowLayout.SEQUENCE_BITS == bucket) {
                    rows.directWrites().delete(row);
                    deleted++;
                }
            }
            if (!table.replicated()) {
                rows.directWrites().setNextRowId(bucket, 0);
            }
        }
        return deleted;
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL", "ADAPTIVE"})
    void shouldServeTheRowsOfSnapshotAndLogWhenABucketWasDamaged(LoggingMethod method) {
        try (Reprise engine = filled(method, 2)) {
            engine.call("Transfer", ID, ID + 1, 5L);
            engine.call("Transfer", ID + 2, ID, 50L);
            long[] before = engine.contentHashes();
            int rows = damage(engine, bucketOf(engine, ID));
            assertThat(rows).isPositive();
            assertThat(engine.contentHashes()).isNotEqualTo(before);

            RepairReport report = engine.repair(bucketOf(engine, ID));

            assertThat(report.problem()).isNull();
            assertThat(report.rowsBefore()).isZero();
            assertThat(report.rowsAfter()).isEqualTo(rows);
            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.call("Balance", ID).longValue()).isEqualTo(152);
            engine.call("OpenAccount", ID + 10_000, 1L, "new");
        }
        try (Reprise again = open(method, 2, false)) {
            assertThat(again.call("Balance", ID).longValue()).isEqualTo(152);
        }
    }

    @Test
    void shouldChangeNothingWhenTheBucketIsRight() {
        Seeds.forEach(3, seed -> {
            disk = new SimulatedFileStore(seed);
            SeededRandomness random = new SeededRandomness(seed);
            LoggingMethod method = LoggingMethod.values()[random.nextInt(LoggingMethod.values().length)];
            try (Reprise engine = filled(method, 1 + random.nextInt(3))) {
                for (int i = 0; i < STEPS; i++) {
                    long id = random.nextInt(40);
                    clock.advance(1_000_000);
                    if (random.nextInt(6) > 0) {
                        engine.call("Transfer", id, (long) random.nextInt(40), 1L);
                        continue;
                    }
                    long[] before = engine.contentHashes();
                    RepairReport report = engine.repair(bucketOf(engine, id));
                    assertThat(report.problem()).as("seed " + seed).isNull();
                    assertThat(report.rowsAfter()).isEqualTo(report.rowsBefore());
                    assertThat(engine.contentHashes()).as("seed " + seed).isEqualTo(before);
                }
            }
        });
    }

    @Test
    void shouldServeABucketAgainWhenItCouldNotBeLoadedAndAnOlderSnapshotHasIt() {
        Reprise engine = filled(LoggingMethod.COMMAND, 1);
        engine.call("Transfer", ID, ID + 1, 5L);
        assertThat(engine.snapshot().problem()).isEmpty();
        kill(engine);
        flipBitOfNewestSnapshot();

        try (Reprise again = open(LoggingMethod.COMMAND, 1, true)) {
            long lost = lostAccount(again);
            assertThatThrownBy(() -> again.call("Total"))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("reprise repair --bucket " + bucketOf(again, lost));

            RepairReport report = again.repair(bucketOf(again, lost));

            assertThat(report.problem()).isNull();
            assertThat(again.load().orElseThrow().failed()).isZero();
            assertThat(again.call("Total").longValue()).isEqualTo(100L * ACCOUNTS + (ACCOUNTS - 1L) * ACCOUNTS / 2);
            assertThat(again.call("Balance", ID).longValue()).isEqualTo(102);
        }
    }

    @Test
    void shouldRepairWithoutAnOperatorWhatCouldNotBeLoaded() {
        Reprise engine = filled(LoggingMethod.COMMAND, 1);
        engine.call("Transfer", ID, ID + 1, 5L);
        assertThat(engine.snapshot().problem()).isEmpty();
        long[] before = engine.contentHashes();
        kill(engine);
        flipBitOfNewestSnapshot();

        try (Reprise again = open(LoggingMethod.COMMAND, 1, true)) {
            lostAccount(again);
            for (int i = 0; i < 100_000 && again.load().orElseThrow().failed() > 0; i++) {
                clock.advance(10_000_000);
                again.runSites();
            }

            assertThat(again.load().orElseThrow().failed()).isZero();
            AutomaticRepair.Counts counts = again.automaticRepairs().orElseThrow();
            assertThat(counts.succeeded()).isPositive();
            assertThat(counts.failed() + counts.givenUp()).isZero();
            assertThat(again.contentHashes()).isEqualTo(before);
        }
    }

    private void kill(Reprise engine) {
        disk = disk.kill();
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private void flipBitOfNewestSnapshot() {
        List<String> names = disk.list("snapshot");
        String folder = "snapshot/" + names.getLast();
        String name = disk.list(folder).stream()
                .filter(file -> !file.equals("manifest"))
                .findFirst()
                .orElseThrow();
        try (DataFile file = disk.openReadOnly(folder + "/" + name)) {
            disk.flipBit(folder + "/" + name, file.size() / 2, 3);
        }
    }

    private static long lostAccount(Reprise engine) {
        for (long id = 0; id < ACCOUNTS; id++) {
            try {
                engine.call("Balance", id);
            } catch (ProcedureException e) {
                return id;
            }
        }
        throw new AssertionError("nothing is lost");
    }

    @Test
    void shouldLeaveTheBucketAsItIsWhenTheSchemaHasChangedBehindTheSnapshot() {
        try (Reprise engine = filled(LoggingMethod.COMMAND, 2)) {
            engine.ddl("CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE other ON COLUMN id");
            long[] before = engine.contentHashes();

            RepairReport report = engine.repair(bucketOf(engine, ID));

            assertThat(report.problem()).contains("a change of the schema");
            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.call("Balance", ID).longValue()).isEqualTo(107);
            assertThat(engine.snapshot().problem()).isEmpty();
            assertThat(engine.repair(bucketOf(engine, ID)).problem()).isNull();
        }
    }

    @Test
    void shouldRefuseWhenThereIsNoSnapshot() {
        try (Reprise engine = open(LoggingMethod.COMMAND, 1, false)) {
            engine.call("OpenAccount", 1L, 1L, "a");

            assertThat(engine.repair(0).problem()).contains("no undamaged snapshot");
            assertThatThrownBy(() -> engine.repair(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldLetCallsOfAllKindsWaitOrRunWhileABucketIsRepaired() {
        try (Reprise engine = filled(LoggingMethod.PHYSIOLOGICAL, 2)) {
            CompletableFuture<Reply> total = engine.callAsync("Total");
            CompletableFuture<Reply> transfer = engine.callAsync("Transfer", ID, ID + 1, 1L);

            assertThat(engine.repair(bucketOf(engine, ID)).problem()).isNull();

            CompletableFuture<Reply> balance = engine.callAsync("Balance", ID);
            engine.runSites();
            assertThat(total.join().error()).isNull();
            assertThat(transfer.join().error()).isNull();
            assertThat(balance.join().longValue()).isEqualTo(106);
        }
    }
}

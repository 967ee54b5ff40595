package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.archive.ArchiveSettings;
import io.reprise.archive.ArchiveStats;
import io.reprise.archive.FolderObjects;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine whose disk is lost serves rows from the archive, and has a snapshot of its own again in the end. */
final class ArchivedRowsTest {
    private static final int ACCOUNTS = 300;
    private static final long SEGMENT = 64 << 10;
    private static final long HOUR_NS = 3_600_000_000_000L;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private SimulatedFileStore archive = new SimulatedFileStore(2);
    private LoggingMethod method = LoggingMethod.COMMAND;
    private boolean restores;
    private long balance;

    private FolderObjects objects() {
        return new FolderObjects(archive, "the archive");
    }

    private Options options() {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(SEGMENT))
                        .with(SmallDurability.snapshots(1)))
                .recoverOnDemand(true)
                .files(disk);
    }

    private Reprise open() {
        return options()
                .archive(ArchiveSettings.usual(this::objects)
                        .withTimes(0, HOUR_NS / 1000, 168 * HOUR_NS / 1000)
                        .restoring(restores))
                .open();
    }

    /** An archive with a snapshot, and log behind it up to its end. The directory has a newer snapshot, and log behind that only. */
    private long[] worked() {
        Reprise engine = open();
        engine.call("SetRate", "base", 3);
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        settle(engine);
        for (int i = 0; i < SEGMENT / 20; i++) {
            long from = 2L * i % ACCOUNTS;
            engine.callAsync("Transfer", from, from + 1, 1L);
            if (i % 100 == 0) {
                engine.runSites();
            }
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        for (long id = 0; id < ACCOUNTS; id += 8) {
            engine.call("Transfer", id, id + 1, 5L);
        }
        balance = engine.call("Balance", 9L).longValue();
        settle(engine);
        assertThat(stats(engine).snapshots()).isEqualTo(1);
        assertThat(stats(engine).lagBytes()).isZero();
        long[] hashes = engine.contentHashes();
        disk = disk.kill();
        abandon(engine);
        assertThat(firstSegment()).isPositive();
        return hashes;
    }

    private static void abandon(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private void settle(Reprise engine) {
        for (int i = 0; i < 40; i++) {
            clock.advance(2_000_000_000);
            engine.call("Total");
        }
    }

    private static ArchiveStats stats(Reprise engine) {
        return engine.metrics().durability().orElseThrow().archive().orElseThrow();
    }

    private long firstSegment() {
        return disk.list("log").stream()
                .filter(name -> name.endsWith(".log"))
                .mapToLong(name -> Long.parseLong(name.substring(0, 16), 16))
                .min()
                .orElse(-1);
    }

    private void loseDataDisk() {
        for (String name : disk.list("")) {
            if (!name.equals("log")) {
                lose(name);
            }
        }
    }

    private void lose(String path) {
        if (path.matches("(runs/)?snapshot(/[0-9a-f]+)?|runs")) {
            disk.list(path).forEach(name -> lose(path + "/" + name));
        }
        disk.delete(path);
    }

    private static void load(Reprise engine) {
        engine.call("Total");
        LoadStats loads = engine.load().orElseThrow();
        assertThat(loads.ready()).isEqualTo(loads.buckets());
    }

    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldAnswerFromTheArchiveWhenTheDataDiskIsLost(LoggingMethod logging) {
        method = logging;
        long[] hashes = worked();
        loseDataDisk();

        try (Reprise engine = open()) {
            assertThat(engine.call("Balance", 9L).longValue()).isEqualTo(balance);
            LoadStats loads = engine.load().orElseThrow();
            assertThat(loads.ready()).isBetween(1L, loads.buckets() - 1L);
            load(engine);
            assertThat(engine.contentHashes()).isEqualTo(hashes);
        }
        assertThat(disk.list("snapshot")).isNotEmpty();
        archive = new SimulatedFileStore(3);
        try (Reprise engine = options().open()) {
            load(engine);
            assertThat(engine.contentHashes()).isEqualTo(hashes);
        }
    }

    @Test
    void shouldBeginWithTheArchivesLogWhenAllIsLost() {
        long[] hashes = worked();
        disk = new SimulatedFileStore(4);
        restores = true;

        try (Reprise engine = open()) {
            assertThat(engine.call("Balance", 9L).longValue()).isEqualTo(balance);
            load(engine);
            assertThat(engine.contentHashes()).isEqualTo(hashes);
            engine.call("Transfer", 1L, 2L, 1L);
            settle(engine);
            assertThat(stats(engine).problem()).isEmpty();
            assertThat(stats(engine).lagBytes()).isZero();
            hashes = engine.contentHashes();
        }
        try (Reprise engine = open()) {
            load(engine);
            assertThat(engine.contentHashes()).isEqualTo(hashes);
        }
    }

    @Test
    void shouldMakeANewDatabaseWhenAllIsLostAndNothingIsToBeRestored() {
        worked();
        disk = new SimulatedFileStore(4);

        try (Reprise engine = open()) {
            assertThat(engine.recovery().snapshot()).isEmpty();
            assertThat(ComparedCalls.reply(engine, "Balance", 9L)).contains("no account");
        }
    }

    @Test
    void shouldTellWhatIsMissingWhenTheArchiveHasNoSnapshotEither() {
        worked();
        loseDataDisk();
        archive = new SimulatedFileStore(3);

        assertThatThrownBy(this::open).hasMessageContaining("There is no snapshot that can be used");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRecoverTheSameRowsWhenTheStartIsInterrupted(boolean logIsLost) {
        sweep(logIsLost, 3);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(booleans = {true, false})
    void shouldRecoverTheSameRowsWhenAnyCallOfTheStartIsInterrupted(boolean logIsLost) {
        sweep(logIsLost, Integer.MAX_VALUE);
    }

    /** The power goes at some calls of a start, and the next start has the same rows. */
    private void sweep(boolean logIsLost, int most) {
        long calls = interrupted(logIsLost, 0);
        assertThat(calls).isGreaterThan(20);
        long stride = Math.max(1, calls / most);
        for (long call = 1; call < calls; call += stride) {
            interrupted(logIsLost, call);
        }
    }

    /** Returns the number of the start's calls to the disk. */
    private long interrupted(boolean logIsLost, long call) {
        disk = new SimulatedFileStore(1);
        archive = new SimulatedFileStore(2);
        long[] hashes = worked();
        restores = logIsLost;
        if (logIsLost) {
            disk = new SimulatedFileStore(4);
        } else {
            loseDataDisk();
            disk = disk.kill();
        }
        if (call > 0) {
            disk.faults().powerLossAtCall(call);
        }
        try (Reprise engine = open()) {
            load(engine);
            settle(engine);
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
        long calls = disk.calls();
        disk = disk.crash();
        try (Reprise engine = open()) {
            load(engine);
            assertThat(engine.contentHashes()).as("call " + call).isEqualTo(hashes);
        }
        restores = false;
        return calls;
    }

    @Test
    void shouldUseAnOlderSnapshotWhenTheNewestArchivedOneIsDamaged() {
        long[] hashes = worked();
        try (Reprise engine = open()) {
            load(engine);
            clock.advance(2 * HOUR_NS);
            assertThat(engine.snapshot().problem()).isEmpty();
            settle(engine);
            assertThat(stats(engine).snapshots()).isPositive();
        }
        loseDataDisk();
        String database = archive.list("").getFirst();
        String newest =
                database + "/snapshot/" + archive.list(database + "/snapshot").getLast();
        archive.flipBit(newest + "/manifest", 50, 1);

        try (Reprise engine = open()) {
            load(engine);
            assertThat(engine.contentHashes()).isEqualTo(hashes);
        }
    }

    @Test
    void shouldRefuseABucketWhoseArchivedBlockCannotBeRead() {
        worked();
        loseDataDisk();
        String folder = archive.list("").getFirst() + "/snapshot";
        folder = folder + "/" + archive.list(folder).getFirst();
        String file = folder + "/partition-0.data";
        archive.flipBit(file, size(file) / 2, 3);

        try (Reprise engine = open()) {
            int refused = 0;
            for (long id = 0; id < ACCOUNTS; id++) {
                refused += ComparedCalls.reply(engine, "Balance", id).startsWith("PARTITION_UNAVAILABLE") ? 1 : 0;
            }
            assertThat(refused).isBetween(1, ACCOUNTS / 2);
        }
    }

    private long size(String path) {
        try (DataFile file = archive.openReadOnly(path)) {
            return file.size();
        } catch (StorageException e) {
            throw new AssertionError(e);
        }
    }
}

package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.log.LogDirectory;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.LogRuns;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Partitions are rebuilt and buckets repaired from runs, where the log that these were made of is used again. */
final class SortedLogRebuildTest {
    private static final int ACCOUNTS = 120;
    private static final int STEPS = 300;
    private static final long SEGMENT = 64 << 10;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private LoggingMethod method = LoggingMethod.COMMAND;
    private boolean footprints;
    private boolean storesInLog;

    /** Calls that were answered since the engine was opened; each adds 1 to the sum of all balances. */
    private long answered;

    private Options options(int partitions) {
        Options options = Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .footprints(new FootprintBuffer.Settings(4, 1 << 12, 1 << 10, 1 << 6))
                .durability(Durability.standard()
                        .with(method)
                        .withFootprints(footprints)
                        .with(SmallDurability.logOfSchemas(SEGMENT))
                        .with(SmallDurability.snapshots(2)));
        return storesInLog
                ? options.storeInLog(true).sortedLog(SortedLogSettings.DEFAULTS.withSizes(3000, 8, 2 * SEGMENT))
                : options.sortedLog(SmallDurability.runs(3000)
                        .withSorting(true)
                        .withImages(true)
                        .withReuse(true));
    }

    private Reprise open(int partitions) {
        return options(partitions).files(disk).open();
    }

    private Reprise filled() {
        Reprise engine = open(2);
        engine.call("SetRate", "base", 3);
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        return engine;
    }

    private void work(Reprise engine, SeededRandomness random, int steps) {
        for (int i = 0; i < steps; i++) {
            clock.advance(1_000_000);
            long one = random.nextInt(ACCOUNTS);
            switch (random.nextInt(8)) {
                case 0 -> engine.call("SetRate", "rate " + one % 3, (int) one);
                case 1 -> engine.sql("UPDATE account SET balance = balance + 1 WHERE id = ?", one);
                case 2 -> ComparedCalls.reply(engine, "OpenAccount", ACCOUNTS + one, 5L, "new " + one);
                case 3 -> engine.sql("DELETE FROM account WHERE id = ?", ACCOUNTS + one);
                default -> ComparedCalls.reply(engine, "Transfer", one, (long) random.nextInt(ACCOUNTS), 1L);
            }
        }
    }

    private void workUntilSegmentsAreUsedAgain(Reprise engine, SeededRandomness random) {
        for (int i = 0; firstPosition() <= newestPosition(); i++) {
            work(engine, random, STEPS);
            assertThat(i).isLessThan(50);
        }
    }

    private long firstPosition() {
        return new LogDirectory(disk, "log").positions().getFirst();
    }

    private Manifest newest() {
        SnapshotDirectory snapshots = new SnapshotDirectory(disk);
        return snapshots.manifest(snapshots.list().getFirst());
    }

    private long newestPosition() {
        return newest().origin().logPosition();
    }

    private static void abandon(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    @Test
    void shouldRebuildAPartitionWhenRunsHaveThePlaceOfTheLog() {
        Seeds.forEach(3, seed -> {
            disk = new SimulatedFileStore(seed);
            SeededRandomness random = new SeededRandomness(seed);
            method = seed % 2 == 0 ? LoggingMethod.PHYSIOLOGICAL : LoggingMethod.COMMAND;
            footprints = random.chance(0.5);
            Reprise engine = filled();
            workUntilSegmentsAreUsedAgain(engine, random);
            for (int partition = 0; partition < 2; partition++) {
                long[] before = engine.contentHashes();
                PartitionLosses.spoil(engine, partition, table -> !table.replicated());
                assertThat(engine.contentHashes()).isNotEqualTo(before);

                RebuildReport report = PartitionLosses.run(engine, clock, partition);

                assertThat(engine.contentHashes()).as("seed " + seed).isEqualTo(before);
                assertThat(report.commands() + report.dataRecords())
                        .as("only what is behind the last run comes again")
                        .isLessThan(STEPS);
                work(engine, random, STEPS);
            }
            engine.close();
        });
    }

    /** The former rows stay, because a damaged run is found before they are taken away. */
    @Test
    void shouldKeepTheRowsWhenARunIsDamagedAndTheLogIsGone() {
        Reprise engine = filled();
        workUntilSegmentsAreUsedAgain(engine, new SeededRandomness(1));
        long[] before = engine.contentHashes();
        LogRun run = new LogRuns(disk, newest().identity().database())
                .from(newestPosition())
                .getFirst();
        String path = "runs/" + SnapshotDirectory.path(run.id()) + "/partition-0.data";
        long size;
        try (DataFile file = disk.openReadOnly(path)) {
            size = file.size();
        }
        for (long at = size / 8; at < size / 2; at += 600) {
            disk.flipBit(path, at, 1);
        }

        CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(0);
        PartitionLosses.runToEnd(engine, clock, rebuild);

        assertThat(rebuild).isCompletedExceptionally();
        assertThat(engine.contentHashes()).isEqualTo(before);
        engine.call("Transfer", 0L, 1L, 1L);
        abandon(engine);
    }

    @Test
    void shouldAnswerAsIfNothingHadHappened() {
        Seeds.forEach(4, this::compare);
    }

    @Test
    @Tag("long")
    void shouldAnswerAsIfNothingHadHappenedForManySeeds() {
        Seeds.forEach(60, this::compare);
    }

    /** Every reply is compared; partitions are spoilt and rebuilt, buckets repaired, and the engine is killed, also meanwhile. */
    private void compare(long seed) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        method = random.chance(0.6) ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
        footprints = random.chance(0.5);
        storesInLog = random.chance(0.5);
        List<String> story = new ArrayList<>();
        int rebuilds = 0;
        try (Reprise oracle = Options.create()
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .ddl(Bank.DDL)
                .open()) {
            Reprise engine = open(3);
            CompletableFuture<RebuildReport> rebuild = null;
            for (int i = 0; i < 4 * STEPS; i++) {
                clock.advance(1_000_000);
                int dice = random.nextInt(200);
                if (rebuild != null && rebuild.isDone()) {
                    assertThat(rebuild)
                            .as("seed " + seed + "\n" + String.join("\n", story))
                            .isCompleted();
                    rebuilds++;
                    rebuild = null;
                }
                if (dice < 2) {
                    story.add("killed");
                    disk = disk.kill();
                    abandon(engine);
                    rebuild = null;
                    engine = open(1 + random.nextInt(3));
                } else if (dice < 4) {
                    story.add("snapshot");
                    assertThat(engine.snapshot().problem()).isEmpty();
                } else if (dice < 8 && rebuild == null && isLoaded(engine)) {
                    int partition = random.nextInt(engine.stores().size());
                    story.add("rebuild " + partition);
                    rebuild = engine.rebuildAsync(partition);
                    PartitionLosses.runToFence(engine);
                    PartitionLosses.spoil(engine, partition, table -> !table.replicated());
                } else if (dice < 12 && rebuild == null && newestSnapshot() && isLoaded(engine)) {
                    int bucket = engine.buckets().buckets().of((long) random.nextInt(40));
                    story.add("repair " + bucket);
                    RepairReport report = engine.repair(bucket);
                    assertThat(report.problem())
                            .as("seed " + seed + "\n" + String.join("\n", story))
                            .isNull();
                } else {
                    Object[] call = ComparedCalls.random(random, 40);
                    String name = (String) call[0];
                    Object[] arguments = Arrays.copyOfRange(call, 1, call.length);
                    story.add(Arrays.toString(call));
                    assertThat(ComparedCalls.reply(engine, name, arguments))
                            .as("seed " + seed + "\n" + String.join("\n", story))
                            .isEqualTo(ComparedCalls.reply(oracle, name, arguments));
                }
            }
            assertThat(Dump.of(engine)).as("seed " + seed).isEqualTo(Dump.of(oracle));
            engine.close();
        }
        assertThat(rebuilds).as("seed " + seed).isPositive();
    }

    private boolean newestSnapshot() {
        return disk.exists("snapshot") && !new SnapshotDirectory(disk).list().isEmpty();
    }

    /** The call that touches all buckets fails while there is no account: then its sum is NULL. */
    private static boolean isLoaded(Reprise engine) {
        ComparedCalls.reply(engine, "Total");
        return engine.load().map(loads -> loads.ready() == loads.buckets()).orElse(true);
    }

    @Test
    void shouldHaveWhatWasAnsweredWhenThePowerGoesInRebuildAndRepairTwice() {
        sweep(10);
    }

    @Test
    @Tag("long")
    void shouldHaveWhatWasAnsweredWhereverThePowerGoesInRebuildAndRepair() {
        sweep(Integer.MAX_VALUE);
    }

    /** The power goes at a call to the disk while a partition and a bucket come again and calls go on; and once more in the next life. */
    private void sweep(int most) {
        long[] calls = new long[1];
        interrupted(0, calls);
        long all = calls[0];
        assertThat(all).isGreaterThan(50);
        long stride = Math.max(1, all / most);
        for (long call = 1; call < all; call += stride) {
            interrupted(call, calls);
        }
    }

    private void interrupted(long call, long[] calls) {
        disk = new SimulatedFileStore(1 + call);
        storesInLog = call % 2 == 1;
        SeededRandomness random = new SeededRandomness(1 + call);
        Reprise engine = filled();
        workUntilSegmentsAreUsedAgain(engine, random);
        long total = engine.call("Total").longValue();
        for (int life = 0; life < 2; life++) {
            long before = disk.calls();
            if (call > 0) {
                disk.faults().powerLossAtCall(before + call);
            }
            answered = 0;
            try {
                rebuildAndRepair(engine);
            } catch (RuntimeException | SimulatedPowerLoss e) {
                assertThat(call).isPositive();
            }
            calls[0] = disk.calls() - before;
            disk = disk.crash();
            abandon(engine);
            engine = open(2);
            long now = engine.call("Total").longValue();
            assertThat(now).as("call %d, life %d", call, life).isBetween(total + answered, total + answered + 1);
            total = now;
        }
        long[] hashes = engine.contentHashes();
        PartitionLosses.run(engine, clock, 0);
        PartitionLosses.run(engine, clock, 1);
        assertThat(engine.contentHashes()).as("call " + call).isEqualTo(hashes);
        abandon(engine);
    }

    private void rebuildAndRepair(Reprise engine) {
        isLoaded(engine);
        CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(1);
        PartitionLosses.runToFence(engine);
        PartitionLosses.spoil(engine, 1, table -> !table.replicated());
        addOnes(engine);
        PartitionLosses.runToEnd(engine, clock, rebuild);
        for (long id = 0; id < 3; id++) {
            engine.repair(engine.buckets().buckets().of(id));
            addOnes(engine);
        }
    }

    private void addOnes(Reprise engine) {
        for (long id = 0; id < 40; id++) {
            clock.advance(1_000_000);
            engine.sql("UPDATE account SET balance = balance + 1 WHERE id = ?", id);
            answered++;
        }
    }
}

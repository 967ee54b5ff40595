package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A partition that is rebuilt while the others serve has what it had, and no call is lost, repeated or answered from a wrong moment. */
final class RebuildTest {
    private static final int ACCOUNTS = 300;
    private static final int STEPS = 300;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Options options(LoggingMethod method, boolean footprints, int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .footprints(new FootprintBuffer.Settings(4, 1 << 12, 1 << 10, 1 << 6))
                .durability(Durability.standard()
                        .with(method)
                        .withFootprints(footprints)
                        .with(AdaptiveSettings.random(0.5))
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(2)));
    }

    private Reprise open(LoggingMethod method, boolean footprints, int partitions) {
        return options(method, footprints, partitions).files(disk).open();
    }

    private Reprise filled(int partitions) {
        Reprise engine = open(LoggingMethod.COMMAND, true, partitions);
        engine.call("SetRate", "base", 3);
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }
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

    @Test
    void shouldHaveItsRowsAgainWhenItsContentWasSpoilt() {
        try (Reprise engine = filled(3)) {
            assertThat(engine.snapshot().problem()).isEmpty();
            for (long id = 0; id + 1 < ACCOUNTS; id += 10) {
                engine.call("Transfer", id, id + 1, 7L);
            }
            long[] before = engine.contentHashes();
            PartitionLosses.spoil(engine, 1, table -> true);
            assertThat(engine.contentHashes()).isNotEqualTo(before);

            RebuildReport report = PartitionLosses.run(engine, clock, 1);

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(report.transactions()).isEqualTo(30);
            assertThat(report.commands()).isBetween(1L, 29L);
            assertThat(report.rows()).isBetween((long) ACCOUNTS / 5, (long) ACCOUNTS / 2);
            assertThat(ComparedCalls.reply(engine, "Total")).isEqualTo(String.valueOf(total()));
        }
    }

    private static long total() {
        return 100L * ACCOUNTS + (ACCOUNTS - 1L) * ACCOUNTS / 2;
    }

    /** The snapshot that was newest at the fence is removed when the next one ends. */
    @Test
    void shouldRebuildFromASnapshotThatEndsBehindTheFence() {
        for (int cycles = 0; cycles < 60; cycles += 3) {
            disk = new SimulatedFileStore(1);
            Options one = options(LoggingMethod.COMMAND, true, 2).files(disk);
            one.durability(one.durability.with(SmallDurability.snapshots(1)));
            try (Reprise engine = one.open()) {
                engine.call("SetRate", "base", 3);
                for (long id = 0; id < ACCOUNTS; id++) {
                    engine.call("OpenAccount", id, 100 + id, "owner " + id);
                }
                assertThat(engine.snapshot().problem()).isEmpty();
                engine.call("Transfer", 1L, 2L, 7L);
                long[] before = engine.contentHashes();
                CompletableFuture<SnapshotReport> next = engine.requestSnapshot();
                for (int i = 0; i < cycles; i++) {
                    engine.agents().forEach(agent -> agent.doWork(clock.nanoTime()));
                }

                CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(1);
                PartitionLosses.runToEnd(engine, clock, rebuild);

                assertThat(rebuild)
                        .as("asked %d cycles behind the snapshot", cycles)
                        .isCompleted();
                assertThat(next).isDone();
                assertThat(engine.contentHashes()).isEqualTo(before);
            }
        }
    }

    @Test
    void shouldRebuildFromTheWholeLogWhenThereIsNoSnapshot() {
        try (Reprise engine = filled(2)) {
            long[] before = engine.contentHashes();
            PartitionLosses.spoil(engine, 0, table -> true);

            RebuildReport report = PartitionLosses.run(engine, clock, 0);

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(report.rows()).isZero();
            assertThat(report.foreignRows()).isZero();
            assertThat(report.commands()).isBetween(ACCOUNTS / 3L, ACCOUNTS * 2L / 3);
        }
    }

    @Test
    void shouldServeOtherPartitionsAndTheAskedBucketFirstWhileOneIsRebuilt() {
        try (Reprise engine = filled(2)) {
            assertThat(engine.snapshot().problem()).isEmpty();
            long inside = idOf(engine, 1);
            long outside = idOf(engine, 0);
            CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(1);
            RebuildStats stats = engine.rebuildStats().orElseThrow();
            PartitionLosses.runToFence(engine);

            assertThat(ComparedCalls.reply(engine, "Balance", outside)).isEqualTo(String.valueOf(100 + outside));
            assertThat(rebuild).isNotDone();
            assertThat(ComparedCalls.reply(engine, "Balance", inside)).isEqualTo(String.valueOf(100 + inside));

            assertThat(rebuild).isNotDone();
            assertThat(stats.present().orElseThrow().open()).isBetween(1, 4);
            assertThat(ComparedCalls.reply(engine, "Total")).isEqualTo(String.valueOf(total()));
            assertThat(rebuild).isDone();
            assertThat(rebuild.join().batches()).isEqualTo(2);
            assertThat(stats.present()).isEmpty();
            assertThat(stats.rebuilds()).isEqualTo(1);
        }
    }

    /** Columns that share a word: a data record that changes one of them does not give the other. */
    private static final String PAIRS = """
            CREATE TABLE pair (id BIGINT NOT NULL PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL);
            PARTITION TABLE pair ON COLUMN id;
            CREATE PROCEDURE Add PARTITION ON TABLE pair COLUMN id AS INSERT INTO pair VALUES (?, 0, 0);
            CREATE PROCEDURE SetA PARTITION ON TABLE pair COLUMN id PARAMETER 1 LOGGED AS DATA
              AS UPDATE pair SET a = ? WHERE id = ?;
            CREATE PROCEDURE SetB PARTITION ON TABLE pair COLUMN id PARAMETER 1 LOGGED AS COMMAND
              AS UPDATE pair SET b = ? WHERE id = ?;
            CREATE PROCEDURE Copy PARTITION ON TABLE pair COLUMN id PARAMETER 0
              AND ON TABLE pair COLUMN id PARAMETER 1 LOGGED AS COMMAND FROM CLASS io.reprise.engine.RebuildTest$Copy;
            """;

    /** Copies both numbers of a row to another one. */
    public static final class Copy extends Procedure {
        private final Statement read = sql("SELECT a, b FROM pair WHERE id = ?");
        private final Statement write = sql("UPDATE pair SET a = ?, b = ? WHERE id = ?");

        /** Returns nothing. */
        public void run(long from, long to) {
            read.set(0, from).first();
            long a = read.rows().longAt(0);
            long b = read.rows().longAt(1);
            write.set(0, a).set(1, b).set(2, to).update();
        }
    }

    @Test
    void shouldRebuildWhatWasCopiedFromARowThatIsLoggedInBothForms() {
        try (Reprise engine =
                options(LoggingMethod.COMMAND, true, 2).ddl(PAIRS).files(disk).open()) {
            for (long id = 0; id < 20; id++) {
                engine.call("Add", id);
            }
            assertThat(engine.snapshot().problem()).isEmpty();
            long from = pairOf(engine, 0);
            long to = pairOf(engine, 1);
            engine.call("SetB", 7, from);
            engine.call("SetA", 8, from);
            engine.call("Copy", from, to);
            long[] before = engine.contentHashes();
            PartitionLosses.spoil(engine, 1, table -> true);

            RebuildReport report = PartitionLosses.run(engine, clock, 1);

            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(report.commands()).isEqualTo(2);
            assertThat(report.dataRecords()).isEqualTo(1);
        }
    }

    private static long pairOf(Reprise engine, int partition) {
        for (long id = 0; id < 20; id++) {
            if (engine.partitionOf("SELECT a FROM pair WHERE id = ?", id) == partition) {
                return id;
            }
        }
        throw new AssertionError();
    }

    private static long idOf(Reprise engine, int partition) {
        for (long id = 0; id < ACCOUNTS; id++) {
            if (engine.partitionOf("SELECT balance FROM account WHERE id = ?", id) == partition) {
                return id;
            }
        }
        throw new AssertionError();
    }

    @Test
    void shouldAnswerAsIfNothingHadHappenedWhenCommandsAreLogged() {
        Seeds.forEach(3, seed -> compare(seed, LoggingMethod.COMMAND, true));
    }

    @Test
    void shouldAnswerAsIfNothingHadHappenedWithoutFootprints() {
        Seeds.forEach(2, seed -> compare(seed, LoggingMethod.COMMAND, false));
    }

    @Test
    void shouldAnswerAsIfNothingHadHappenedWhenRowsAreLogged() {
        Seeds.forEach(2, seed -> compare(seed, LoggingMethod.PHYSIOLOGICAL, true));
    }

    @Test
    void shouldAnswerAsIfNothingHadHappenedWhenFormsAreMixed() {
        Seeds.forEach(3, seed -> compare(seed, LoggingMethod.ADAPTIVE, true));
    }

    @Test
    void shouldAnswerAsIfNothingHadHappenedWhenBoundariesAreLogged() {
        Seeds.forEach(3, seed -> compare(seed, LoggingMethod.BOUNDARY, true));
    }

    /** Every reply is compared; partitions are spoilt and rebuilt, and the engine is killed, often during a rebuild. */
    private void compare(long seed, LoggingMethod method, boolean footprints) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        List<String> story = new ArrayList<>();
        int rebuilds = 0;
        try (Reprise oracle = options(method, footprints, 2).open()) {
            Reprise engine = open(method, footprints, 3);
            CompletableFuture<RebuildReport> rebuild = null;
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                int dice = random.nextInt(100);
                if (rebuild != null && rebuild.isDone()) {
                    rebuild.join();
                    rebuilds++;
                    rebuild = null;
                }
                if (dice < 3) {
                    kill(engine);
                    rebuild = null;
                    engine = open(method, footprints, 1 + random.nextInt(3));
                    story.add("killed");
                } else if (dice < 6) {
                    story.add("snapshot");
                    assertThat(engine.snapshot().problem()).isEmpty();
                } else if (dice < 14 && rebuild == null) {
                    int partition = random.nextInt(engine.stores().size());
                    story.add("rebuild " + partition);
                    rebuild = engine.rebuildAsync(partition);
                    PartitionLosses.runToFence(engine);
                    PartitionLosses.spoil(engine, partition, table -> true);
                } else {
                    Object[] call = ComparedCalls.random(random, 40);
                    String name = (String) call[0];
                    Object[] arguments = java.util.Arrays.copyOfRange(call, 1, call.length);
                    story.add(java.util.Arrays.toString(call));
                    assertThat(ComparedCalls.reply(engine, name, arguments))
                            .as("seed " + seed + "\n" + String.join("\n", story))
                            .isEqualTo(ComparedCalls.reply(oracle, name, arguments));
                }
            }
            assertThat(Dump.of(engine)).as("seed " + seed).isEqualTo(Dump.of(oracle));
            engine.close();
        }
        assertThat(rebuilds).isPositive();
    }
}

package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.footprint.FootprintBuffer;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Faults while a partition is rebuilt: crashes one after the other, a disk that takes no writes, and reads that fail. */
final class RebuildFaultsTest {
    private static final int ACCOUNTS = 60;
    private static final int PARTITION = 1;
    private static final int CRASHES = 6;
    private static final int ROUNDS = 10_000;

    /** More duty cycles than a rebuild of these rows takes. */
    private static final int MOST_CYCLES = 6_000;

    /** More reads than a rebuild of these rows makes. */
    private static final int MOST_READS = 40;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open() {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .footprints(new FootprintBuffer.Settings(4, 1 << 12, 1 << 10, 1 << 6))
                .durability(SmallDurability.withFootprints())
                .files(disk)
                .open();
    }

    private Reprise filled() {
        Reprise engine = open();
        engine.call("SetRate", "base", 3);
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100L, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        transfer(engine);
        return engine;
    }

    private static void transfer(Reprise engine) {
        for (long id = 0; id + 1 < ACCOUNTS; id += 4) {
            engine.call("Transfer", id, id + 1, 1L);
        }
    }

    private void crash(Reprise engine) {
        disk = disk.crash();
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private void run(Reprise engine, CompletableFuture<RebuildReport> rebuild) {
        for (int i = 0; i < ROUNDS && !rebuild.isDone(); i++) {
            clock.advance(1_000_000);
            engine.runSites();
        }
        assertThat(rebuild).isDone();
    }

    @Test
    void shouldHaveAllRowsWhenThePowerFailsInOneRebuildAfterAnother() {
        int[] reached = new int[2];
        Seeds.forEach(3, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            disk = new SimulatedFileStore(seed);
            Reprise engine = filled();
            for (int i = 0; i < CRASHES; i++) {
                long[] before = engine.contentHashes();
                CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(PARTITION);
                RebuildStats stats = engine.rebuildStats().orElseThrow();
                for (int cycles = random.nextInt(MOST_CYCLES); cycles > 0 && !rebuild.isDone(); cycles--) {
                    clock.advance(100_000);
                    engine.agents().forEach(agent -> agent.doWork(clock.nanoTime()));
                }
                reached[0] += stats.present().map(RebuildStats.State::fenced).orElse(false) ? 1 : 0;
                reached[1] += rebuild.isDone() ? 1 : 0;
                crash(engine);
                engine = open();
                assertThat(engine.contentHashes()).as("seed " + seed).isEqualTo(before);
                transfer(engine);
            }
            engine.close();
        });

        assertThat(reached[0]).as("crashes behind the fence").isPositive();
        assertThat(reached[1]).as("crashes behind a rebuild").isPositive();
    }

    @Test
    void shouldWaitForTheLogAndServeOthersWhileTheDiskTakesNoWrites() {
        try (Reprise engine = filled()) {
            long[] before = engine.contentHashes();
            long outside = 0;
            while (engine.partitionOf("SELECT balance FROM account WHERE id = ?", outside) == PARTITION) {
                outside++;
            }
            disk.faults().readOnly(true);

            CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(PARTITION);
            for (int i = 0; i < 100; i++) {
                clock.advance(1_000_000);
                engine.runSites();
            }

            assertThat(rebuild).isNotDone();
            assertThat(engine.call("Balance", outside).longValue()).isPositive();
            disk.faults().readOnly(false);
            run(engine, rebuild);
            assertThat(rebuild.join().rows()).isPositive();
            assertThat(engine.contentHashes()).isEqualTo(before);
            transfer(engine);
        }
    }

    @Test
    void shouldServeTheFormerRowsOrSayWhatIsMissingWhenAReadFails() {
        try (Reprise engine = filled()) {
            long[] before = engine.contentHashes();
            int failed = 0;
            for (int read = 1; read <= MOST_READS; read++) {
                disk.faults().fail(FileCall.READ, read);
                CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(PARTITION);
                run(engine, rebuild);
                disk.faults().none();
                if (rebuild.isCompletedExceptionally()) {
                    failed++;
                    RebuildStats stats = engine.rebuildStats().orElseThrow();
                    assertThat(stats.problem()).isPresent();
                    if (stats.present().isPresent()) {
                        // The partition had been emptied: its buckets reject calls until another rebuild succeeds.
                        assertThatThrownBy(() -> engine.call("Total")).isInstanceOf(ProcedureException.class);
                        CompletableFuture<RebuildReport> again = engine.rebuildAsync(PARTITION);
                        run(engine, again);
                        assertThat(again).isCompleted();
                    }
                }
                assertThat(engine.contentHashes()).as("failed read " + read).isEqualTo(before);
            }
            assertThat(failed).isPositive();
        }
    }
}

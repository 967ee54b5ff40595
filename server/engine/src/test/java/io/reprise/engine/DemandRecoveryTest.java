package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An engine that opens before its rows are loaded answers as one that has never stopped. */
final class DemandRecoveryTest {
    private static final int ACCOUNTS = 600;
    private static final int STEPS = 400;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Options options(LoggingMethod method, int partitions) {
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
                .recoverOnDemand(true);
    }

    private Reprise open(LoggingMethod method, int partitions) {
        return options(method, partitions).files(disk).open();
    }

    private Reprise filled(LoggingMethod method, int partitions) {
        Reprise engine = open(method, partitions);
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

    @Test
    void shouldAnswerFromOneBucketBeforeOthersAreLoaded() {
        Reprise engine = filled(LoggingMethod.COMMAND, 2);
        engine.call("Transfer", 7L, 8L, 5L);
        kill(engine);

        try (Reprise again = open(LoggingMethod.COMMAND, 2)) {
            assertThat(again.load()).isPresent();
            assertThat(again.load().orElseThrow().ready()).isZero();
            assertThat(again.call("Balance", 7L).longValue()).isEqualTo(102);

            LoadStats loads = again.load().orElseThrow();
            assertThat(loads.ready()).isBetween(1L, loads.buckets() - 1L);
            assertThat(loads.onDemand()).isEqualTo(1);
            assertThat(pct(again)).isEqualTo("3");
        }
    }

    @Test
    void shouldWaitForAllRowsWhenACallIsNotConfined() {
        kill(filled(LoggingMethod.PHYSIOLOGICAL, 3));

        try (Reprise again = open(LoggingMethod.PHYSIOLOGICAL, 2)) {
            assertThat(again.call("Total").longValue()).isEqualTo(total());

            LoadStats loads = again.load().orElseThrow();
            assertThat(loads.ready()).isEqualTo(loads.buckets());
            assertThat(loads.rows()).isEqualTo(ACCOUNTS);
        }
    }

    @Test
    void shouldRefuseWaitingCallsWhenItClosesBeforeAllRowsAreLoaded() {
        kill(filled(LoggingMethod.COMMAND, 2));

        Reprise again = open(LoggingMethod.COMMAND, 2);
        CompletableFuture<Reply> waiting = again.callAsync("Total");
        again.close();

        assertThat(waiting.join().error()).isEqualTo(ErrorCode.SHUTTING_DOWN);
        assertThat(again.load().orElseThrow().isOver()).isFalse();
    }

    private static String pct(Reprise engine) {
        return ComparedCalls.reply(engine, "GetRate", "base");
    }

    @Test
    void shouldRefuseOnlyTheBucketWhoseBlockIsDamaged() {
        kill(filled(LoggingMethod.COMMAND, 1));
        String folder = "snapshot/" + disk.list("snapshot").getFirst();
        String name = disk.list(folder).stream()
                .filter(file -> !file.equals("manifest"))
                .findFirst()
                .orElseThrow();
        String path = folder + "/" + name;
        disk.flipBit(path, size(path) / 2, 3);

        try (Reprise again = open(LoggingMethod.COMMAND, 1)) {
            int refused = 0;
            for (long id = 0; id < ACCOUNTS; id++) {
                String reply = ComparedCalls.reply(again, "Balance", id);
                refused += reply.startsWith("PARTITION_UNAVAILABLE") ? 1 : 0;
                assertThat(reply).matches(String.valueOf(100 + id) + "|PARTITION_UNAVAILABLE(.|\n)*is damaged(.|\n)*");
            }
            assertThat(refused).isBetween(1, ACCOUNTS / 100);
            assertThat(ComparedCalls.reply(again, "Total")).startsWith("PARTITION_UNAVAILABLE");
            assertThat(again.load().orElseThrow().failed()).isEqualTo(1);
        }
    }

    private long size(String path) {
        try (DataFile file = disk.openReadOnly(path)) {
            return file.size();
        }
    }

    private static long total() {
        return 100L * ACCOUNTS + (ACCOUNTS - 1L) * ACCOUNTS / 2;
    }

    @Test
    void shouldAnswerAsIfItHadNeverStoppedWhenCommandsAreLogged() {
        Seeds.forEach(2, seed -> compare(seed, LoggingMethod.COMMAND));
    }

    @Test
    void shouldAnswerAsIfItHadNeverStoppedWhenRowsAreLogged() {
        Seeds.forEach(2, seed -> compare(seed, LoggingMethod.PHYSIOLOGICAL));
    }

    /** Every reply is compared, and the engine is killed again and again, often while it loads. */
    @Test
    void shouldAnswerAsIfItHadNeverStoppedWhenFormsAreMixed() {
        Seeds.forEach(2, seed -> compare(seed, LoggingMethod.ADAPTIVE));
    }

    private void compare(long seed, LoggingMethod method) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        List<String> story = new ArrayList<>();
        Options inMemory = options(method, 2);
        try (Reprise oracle = inMemory.open()) {
            Reprise engine = open(method, 2);
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                int dice = random.nextInt(100);
                if (dice < 8) {
                    kill(engine);
                    engine = open(method, 1 + random.nextInt(3));
                    story.add("killed; opened on demand: " + engine.load().isPresent());
                } else if (dice < 11) {
                    story.add("snapshot");
                    assertThat(engine.snapshot().problem()).isEmpty();
                } else {
                    Object[] call = ComparedCalls.random(random, 30);
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
            assertThat(story).contains("killed; opened on demand: true");
        }
    }
}

package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Commands and data records alternate in a log, while rows of data records are written ahead to the places where they stay: a command begins
 * when no place is away.
 */
final class MixedReplayTest {
    private static final int ROWS = 30_000;
    private static final int AT_ONCE = 500;
    private static final String DDL = """
            CREATE TABLE entry (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE entry ON COLUMN id;
            CREATE PROCEDURE Add PARTITION ON TABLE entry COLUMN id AS INSERT INTO entry VALUES (?, ?);
            """;

    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open(Options.Threads threads) {
        return Options.create()
                .partitions(1)
                .threads(threads)
                .clock(new SimulatedClock())
                .memoryPerPartition(256 << 20)
                .ddl(DDL)
                .files(disk)
                .replay(new ReplaySettings(1))
                .durability(Durability.standard()
                        .with(LoggingMethod.ADAPTIVE)
                        .with(AdaptiveSettings.random(0.9))
                        .with(SmallDurability.logOfSchemas(16 << 20)))
                .open();
    }

    @ParameterizedTest
    @EnumSource(Options.Threads.class)
    void shouldRecoverALogInWhichFormsAlternate(Options.Threads threads) {
        long[] hashes = fill();

        try (Reprise again = open(threads)) {
            assertThat(again.contentHashes()).isEqualTo(hashes);
            assertThat(again.recovery().commands()).isBetween(1L, (long) ROWS - 1);
        }
    }

    private long[] fill() {
        try (Reprise engine = open(Options.Threads.CALLER)) {
            for (int from = 0; from < ROWS; from += AT_ONCE) {
                List<CompletableFuture<Reply>> replies = new ArrayList<>();
                for (long id = from; id < from + AT_ONCE; id++) {
                    replies.add(engine.callAsync("Add", id, 3 * id));
                }
                engine.runSites();
                replies.forEach(reply -> assertThat(reply.join().error()).isNull());
            }
            long[] hashes = engine.contentHashes();
            disk = disk.kill();
            kill(engine);
            return hashes;
        }
    }

    private static void kill(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }
}

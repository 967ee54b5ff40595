package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.execution.durable.adaptive.LoggingStats;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;

final class AdaptiveLoggingTest {
    private static final String DDL = """
            CREATE TABLE counter (id INT NOT NULL PRIMARY KEY, hits BIGINT NOT NULL, text VARCHAR(40) NOT NULL);
            PARTITION TABLE counter ON COLUMN id;
            CREATE TABLE event (id INT NOT NULL PRIMARY KEY, what VARCHAR(40) NOT NULL);
            PARTITION TABLE event ON COLUMN id;
            CREATE PROCEDURE create_counter PARTITION ON TABLE counter COLUMN id
                AS INSERT INTO counter VALUES (?, 0, 'none');
            CREATE PROCEDURE hit PARTITION ON TABLE counter COLUMN id PARAMETER 0
                AS UPDATE counter SET hits = hits + 1 WHERE id = ?;
            CREATE PROCEDURE pinned PARTITION ON TABLE counter COLUMN id PARAMETER 0 LOGGED AS COMMAND
                AS UPDATE counter SET hits = hits + 1 WHERE id = ?;
            CREATE PROCEDURE record PARTITION ON TABLE event COLUMN id
                AS INSERT INTO event VALUES (?, 'something that happened');
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore files = new SimulatedFileStore(5);

    private Reprise open(AdaptiveSettings settings) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(32 << 20)
                .ddl(DDL)
                .files(files)
                .durability(Durability.standard().with(LoggingMethod.ADAPTIVE).with(settings))
                .open();
    }

    @Test
    void shouldReportTheLongestChainOfARecovery() {
        AdaptiveSettings commandsOnly = AdaptiveSettings.random(0);
        Reprise engine = open(commandsOnly);
        engine.call("create_counter", 1);
        engine.call("create_counter", 2);
        for (int i = 0; i < 3; i++) {
            engine.call("hit", 1);
        }
        engine.call("hit", 2);
        engine.contentHashes();
        files = files.kill();

        try (Reprise again = open(commandsOnly)) {
            assertThat(again.recovery().commands()).isEqualTo(6);
            assertThat(again.recovery().criticalPath())
                    .as("a counter and its three hits")
                    .isEqualTo(4);
        }
    }

    @Test
    void shouldRecoverALogOfBothFormsAndKeepPinnedProceduresAsCommands() {
        long[] hashes;
        Reprise engine = open(AdaptiveSettings.random(0.5));
        for (int id = 0; id < 10; id++) {
            engine.call("create_counter", id);
        }
        for (int i = 0; i < 400; i++) {
            engine.call(i % 4 == 0 ? "pinned" : "hit", i % 10);
        }
        LoggingStats hit = engine.loggingStats("hit", false).orElseThrow();
        LoggingStats pinned = engine.loggingStats("pinned", false).orElseThrow();
        hashes = engine.contentHashes();
        files = files.kill();

        try (Reprise again = open(AdaptiveSettings.DEFAULTS)) {
            assertThat(again.contentHashes()).isEqualTo(hashes);
        }
        assertThat(hit.data()).isBetween(100L, 200L);
        assertThat(hit.commands() + hit.data()).isEqualTo(300);
        assertThat(pinned.data()).isZero();
        assertThat(pinned.commands()).isEqualTo(100);
    }
}

package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Bank;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snapshot at a node's end is left out as long as rows are missing. */
final class LastSnapshotTest {
    private static final int ACCOUNTS = 200;

    @TempDir
    private Path directory;

    private Reprise open() {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(16 << 20)
                .ddl(Bank.DDL)
                .directory(directory)
                .recoverOnDemand(true)
                .open();
    }

    private static long snapshots(Reprise engine) {
        return engine.durabilityStats().orElseThrow().snapshots().now().completed();
    }

    @Test
    void shouldMakeNoSnapshotWhenTheNodeStopsBeforeAllRowsAreLoaded() {
        try (Reprise engine = open()) {
            for (long id = 0; id < ACCOUNTS; id++) {
                engine.call("OpenAccount", id, 10L, "owner");
            }
            new LastSnapshot("alpha", engine).make();
            assertThat(snapshots(engine)).isOne();
        }

        try (Reprise engine = open()) {
            assertThat(engine.load()).isPresent();
            assertThat(engine.call("Balance", 7L).longValue()).isEqualTo(10);
            new LastSnapshot("alpha", engine).make();
            assertThat(snapshots(engine)).isZero();
            assertThat(engine.load().orElseThrow().isOver()).isFalse();
        }

        try (Reprise engine = open()) {
            assertThat(engine.call("Total").longValue()).isEqualTo(10L * ACCOUNTS);
            new LastSnapshot("alpha", engine).make();
            assertThat(snapshots(engine)).isOne();
        }
    }
}

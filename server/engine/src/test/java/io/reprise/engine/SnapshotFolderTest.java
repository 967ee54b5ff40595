package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Rows;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;

/** The place of snapshots has a name, too, which has to be durable before the log is removed for what is in it. */
final class SnapshotFolderTest {
    private final SimulatedClock clock = new SimulatedClock();

    @Test
    void shouldKeepSnapshotsWhenTheForceOfTheirFoldersNameHasFailedOnce() {
        for (long seed = 1; seed <= 10; seed++) {
            SimulatedFileStore disk = new SimulatedFileStore(seed);
            disk.faults().fail(FileCall.FORCE_DIRECTORY, 1);
            try {
                open(disk).close();
            } catch (StorageException expected) {
                // The operator starts it again.
            }
            SimulatedFileStore again = disk.kill();
            try (Reprise engine = open(again)) {
                for (int id = 0; id < 300; id++) {
                    engine.sql("INSERT INTO note VALUES (?, ?)", id, "text ".repeat(20));
                    if (id % 100 == 99) {
                        assertThat(engine.snapshot().succeeded()).isTrue();
                    }
                }
            }

            try (Reprise after = open(again.crash())) {
                Rows rows = after.sql("SELECT COUNT(*) FROM note").rows();
                rows.next();
                assertThat(rows.longAt(0)).as("seed %d", seed).isEqualTo(300);
            }
        }
    }

    private Reprise open(SimulatedFileStore disk) {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, body VARCHAR(100));"
                        + " PARTITION TABLE note ON COLUMN id;")
                .files(disk)
                .durability(Durability.standard()
                        .with(SmallDurability.log(16 << 10))
                        .with(SmallDurability.snapshots(1)))
                .open();
    }
}

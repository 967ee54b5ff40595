package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A force failed, and the process was started again. The system takes for written what the disk does not have, shows
 * it, and may forget it at any moment of the opening. The content found by the opening is there from then on.
 */
final class ForgottenPagesTest {
    private final SimulatedClock clock = new SimulatedClock();

    private Reprise open(SimulatedFileStore disk) {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl("""
                        CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
                        CREATE PROCEDURE Put AS UPSERT INTO note (id, text) VALUES (?, ?);
                        """)
                .files(disk)
                .durability(Durability.standard()
                        .with(SmallDurability.log(64 << 10))
                        .with(SmallDurability.snapshots(1)))
                .open();
    }

    private static TreeMap<Long, String> read(Reprise engine) {
        TreeMap<Long, String> found = new TreeMap<>();
        var rows = engine.sql("SELECT id, text FROM note").rows();
        while (rows.next()) {
            found.put(rows.longAt(0), rows.textAt(1).toString());
        }
        return found;
    }

    /** A database of which the last call's force has failed; the process has ended, and the machine goes on. */
    private SimulatedFileStore afterAFailedForce(long seed) {
        SimulatedFileStore disk = new SimulatedFileStore(seed);
        Reprise engine = open(disk);
        engine.call("Put", 1L, "in the snapshot");
        assertThat(engine.snapshot().problem()).isEmpty();
        engine.call("Put", 2L, "in the log");
        disk.faults().fail(FileCall.FORCE, 1);
        assertThatThrownBy(() -> engine.call("Put", 3L, "in doubt".repeat(30))).isInstanceOf(ProcedureException.class);
        SimulatedFileStore next = disk.kill();
        endWithoutItsDisk(engine);
        return next;
    }

    private static void endWithoutItsDisk(Reprise engine) {
        try {
            engine.close();
        } catch (IllegalStateException | SimulatedPowerLoss expected) {
            // Its memory is given back.
        }
    }

    @Test
    void shouldKeepWhatItHasFoundWheneverTheSystemForgetsWhatTheDiskDoesNotHave() {
        int[] kept = new int[1];
        Seeds.forEach(6, seed -> {
            long calls = Long.MAX_VALUE;
            for (long n = 1; n <= calls; n++) {
                SimulatedFileStore disk = afterAFailedForce(seed);
                disk.faults().forgetCleanPagesAtCall(n);
                Reprise engine = open(disk);
                calls = disk.calls();
                TreeMap<Long, String> found = read(engine);
                assertThat(found).as("call %d", n).containsKeys(1L, 2L);
                kept[0] += found.containsKey(3L) ? 1 : 0;
                engine.call("Put", 4L, "afterwards");
                found.put(4L, "afterwards");
                SimulatedFileStore crashed = disk.crash();
                endWithoutItsDisk(engine);

                try (Reprise again = open(crashed)) {
                    assertThat(read(again)).as("call %d", n).isEqualTo(found);
                }
            }
        });
        assertThat(kept[0]).as("some forces leave what they lose in the cache").isPositive();
    }
}

package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.api.Test;

/** With an asynchronous log replies don't wait, and a power failure loses no more than the setting says. */
final class AsynchronousLogTest {
    private static final long FORCE_EVERY_NS = 20_000_000;
    private static final long STEP_NS = 1_000_000;
    private static final LogSettings LOG = LogSettings.DEFAULTS
            .withSizes(2048, 4096, 1 << 16, 32 << 10)
            .withSegmentBytes(128 << 10)
            .asynchronous(FORCE_EVERY_NS);

    private final SimulatedClock clock = new SimulatedClock();

    @Test
    void shouldAnswerBeforeAnythingIsForced() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        Reprise engine = open(disk);
        settle(engine);
        long durable = engine.durabilityStats().orElseThrow().log().durable();

        engine.call("OpenAccount", 1, 1000, "owner");

        assertThat(engine.durabilityStats().orElseThrow().log().durable()).isEqualTo(durable);
        assertThat(engine.call("Balance", 1).longValue()).isEqualTo(1000);
    }

    @Test
    void shouldLoseAtMostWhatWasAnsweredSinceTheTimeSetWhenThePowerFails() {
        int lost = 0;
        for (int calls = 1; calls <= 60; calls += 7) {
            SimulatedFileStore disk = new SimulatedFileStore(calls);
            Reprise engine = open(disk);
            settle(engine);
            for (int i = 0; i < calls; i++) {
                engine.call("OpenAccount", i, 1000, "owner");
                engine.runSites();
                clock.advance(STEP_NS);
            }

            try (Reprise again = open(disk.crash())) {
                int found = 0;
                while (found < calls && again.call("Find", found).rows().next()) {
                    found++;
                }
                int later = found;
                while (later < calls) {
                    assertThat(again.call("Find", later).rows().next())
                            .as("%d is there, but %d is not", later, found)
                            .isFalse();
                    later++;
                }
                // A force is due when the time has passed, and comes with the next batch: one step more.
                assertThat(calls - found).isLessThanOrEqualTo((int) (FORCE_EVERY_NS / STEP_NS) + 1);
                lost += calls - found;
            }
        }
        assertThat(lost).as("the test has to see something lost").isPositive();
    }

    @Test
    void shouldSayWhatASnapshotWaitsForWhenNobodyElseRunsTheEngine() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (Reprise engine = open(disk)) {
            settle(engine);
            engine.call("OpenAccount", 1, 1000, "forced just now");
            engine.runSites();

            assertThatThrownBy(engine::snapshot)
                    .isInstanceOf(ProcedureException.class)
                    .hasMessage("the snapshot has no answer yet, because the engine waits for time to pass, and no"
                            + " thread runs it. It may still take effect when the engine is run again (by runSites, or"
                            + " the next call)")
                    .extracting("code")
                    .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);

            settle(engine);
            DurabilityStats stats = engine.durabilityStats().orElseThrow();
            assertThat(stats.snapshots().last().orElseThrow().succeeded()).isTrue();
        }
    }

    /** Lets the time pass that a force needs at most. */
    private void settle(Reprise engine) {
        for (int i = 0; i < 5; i++) {
            clock.advance(2 * FORCE_EVERY_NS);
            engine.runSites();
        }
    }

    private Reprise open(SimulatedFileStore disk) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(Bank.DDL)
                .files(disk)
                .durability(Durability.standard().with(LOG).with(SmallDurability.snapshots(2)))
                .open();
    }
}

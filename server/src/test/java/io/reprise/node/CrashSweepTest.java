package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotSettings;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The engine over a disk that fails, or loses its power, at each call in turn: what was acknowledged is there after
 * recovery, what was not is there as a whole or not at all, and a second crash during recovery changes nothing about it.
 */
final class CrashSweepTest {
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, owner VARCHAR(80));
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE Put AS UPSERT INTO account (id, balance, owner) VALUES (?, ?, ?);
            CREATE PROCEDURE Remove AS DELETE FROM account WHERE id = ?;
            CREATE PROCEDURE Raise AS UPDATE account SET balance = balance + ?;
            CREATE PROCEDURE Transfer PARTITION ON TABLE account COLUMN id PARAMETER 0
              AND ON TABLE account COLUMN id PARAMETER 1 FROM CLASS io.reprise.node.Bank$Transfer;
            """;

    private static final SnapshotSettings SNAPSHOTS =
            new SnapshotSettings(0, 0, 2, 1, 1, 50_000, 1024, 2, 1 << 20, 1 << 20, 0);

    private static final int STEPS = 24;
    private static final long KEYS = 6;

    /** What accounts hold: the database as it should be. */
    private record Model(TreeMap<Long, Long> balances) {
        Model() {
            this(new TreeMap<>());
        }

        Model copy() {
            return new Model(new TreeMap<>(balances));
        }
    }

    /** One run on one disk, crashes included. */
    private static final class Scenario {
        private final LoggingMethod method;
        private final long seed;
        private SimulatedFileStore disk;
        private final SimulatedClock clock = new SimulatedClock();
        private Model acknowledged = new Model();

        /** What the database holds if the call that was not answered has happened all the same. */
        private Model inDoubt;

        private int steps;

        Scenario(LoggingMethod method, long seed) {
            this.method = method;
            this.seed = seed;
            disk = new SimulatedFileStore(seed);
        }

        Reprise open() {
            return Options.create()
                    .partitions(2)
                    .threads(Options.Threads.CALLER)
                    .clock(clock)
                    .memoryPerPartition(16 << 20)
                    .ddl(DDL)
                    .files(disk)
                    .durability(Durability.standard()
                            .with(method)
                            .with(LogSettings.DEFAULTS
                                    .withSizes(2048, 4096, 1 << 15, 8192)
                                    .withSegmentBytes(16 << 10))
                            .with(SNAPSHOTS))
                    .open();
        }

        /** Works until everything is done or the disk has ended the engine; returns whether all was done. */
        boolean work() {
            try (Reprise engine = open()) {
                SeededRandomness random = new SeededRandomness(seed);
                for (int i = 0; i < steps; i++) {
                    step(random, i, null);
                }
                while (steps < STEPS) {
                    inDoubt = acknowledged.copy();
                    step(random, steps, engine);
                    acknowledged = inDoubt;
                    steps++;
                }
                return true;
            } catch (ProcedureException e) {
                assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.SHUTTING_DOWN);
                return false;
            } catch (IllegalStateException | StorageException | SimulatedPowerLoss e) {
                return false;
            }
        }

        /** One call, and what it does to the model; without an engine only the random numbers are drawn. */
        private void step(SeededRandomness random, int number, Reprise engine) {
            long id = random.nextInt((int) KEYS);
            long other = random.nextInt((int) KEYS);
            int what = random.nextInt(8);
            if (engine == null) {
                return;
            }
            TreeMap<Long, Long> balances = inDoubt.balances;
            clock.advance(1_000_000);
            if (number == STEPS / 2) {
                engine.ddl("ALTER TABLE account ADD COLUMN note VARCHAR(10) DEFAULT 'x'");
            }
            if (number % 9 == 5) {
                // Whether it succeeds is another test's; here it is one more reason for calls that fail.
                engine.snapshot();
            }
            switch (what) {
                case 0, 1, 2 -> {
                    balances.put(id, 100L + number);
                    engine.call("Put", id, 100 + number, "owner".repeat(number % 16));
                }
                case 3 -> {
                    balances.remove(id);
                    engine.call("Remove", id);
                }
                case 4 -> {
                    balances.replaceAll((key, value) -> value + number);
                    engine.call("Raise", number);
                }
                default -> transfer(engine, id, other, number);
            }
        }

        private void transfer(Reprise engine, long id, long other, int amount) {
            boolean both = inDoubt.balances.containsKey(id) && inDoubt.balances.containsKey(other);
            if (both) {
                inDoubt.balances.merge(id, (long) -amount, Long::sum);
                inDoubt.balances.merge(other, (long) amount, Long::sum);
            }
            try {
                engine.call("Transfer", id, other, amount);
                assertThat(both).isTrue();
            } catch (ProcedureException e) {
                if (both || e.code() == ErrorCode.SHUTTING_DOWN) {
                    throw e;
                }
            }
        }

        /** Opens on what the crash has left, and compares. */
        void check() {
            try (Reprise engine = open()) {
                TreeMap<Long, Long> found = new TreeMap<>();
                Rows rows = engine.sql("SELECT id, balance FROM account ORDER BY id")
                        .rows();
                while (rows.next()) {
                    found.put(rows.longAt(0), rows.longAt(1));
                }
                if (inDoubt != null && found.equals(inDoubt.balances)) {
                    return;
                }
                assertThat(found).isEqualTo(acknowledged.balances);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenThePowerIsLost(LoggingMethod method) {
        sweep(method, 7, scenario -> scenario.disk = scenario.disk.crash());
    }

    /** An I/O error may end the engine or only cost a snapshot; then the process dies, or the power is lost. */
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenACallFails(LoggingMethod method) {
        Scenario whole = new Scenario(method, 1);
        assertThat(whole.work()).isTrue();
        int stopped = 0;
        for (long call = 1; call <= whole.disk.calls(); call += 7) {
            Scenario scenario = new Scenario(method, call);
            scenario.disk.faults().failCall(call);
            stopped += scenario.work() ? 0 : 1;
            scenario.disk = call % 2 == 0 ? scenario.disk.crash() : scenario.disk.kill();
            scenario.check();
        }
        assertThat(stopped).isPositive();
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenThePowerIsLostAtAnyCall(LoggingMethod method) {
        sweep(method, 1, scenario -> scenario.disk = scenario.disk.crash());
    }

    @Test
    void shouldDoAllWorkWhenNothingFails() {
        Scenario scenario = new Scenario(LoggingMethod.COMMAND, 1);

        assertThat(scenario.work()).isTrue();
        scenario.check();
    }

    private static void sweep(LoggingMethod method, int stride, Consumer<Scenario> crash) {
        Scenario whole = new Scenario(method, 1);
        assertThat(whole.work()).isTrue();
        long calls = whole.disk.calls();
        for (long call = 1; call <= calls; call += stride) {
            Scenario scenario = new Scenario(method, call);
            scenario.disk.faults().powerLossAtCall(call);
            boolean done = scenario.work();
            if (done) {
                // Another seed is another scenario, which may need fewer calls.
                assertThat(scenario.disk.calls())
                        .as("power loss at call %d of %d", call, calls)
                        .isLessThan(call);
                continue;
            }
            crash.accept(scenario);
            secondCrash(scenario, call);
            scenario.check();
        }
    }

    /** The power is lost again while the engine recovers. */
    private static void secondCrash(Scenario scenario, long call) {
        scenario.disk.faults().powerLossAtCall(1 + call % 11);
        try (Reprise engine = scenario.open()) {
            assertThat(engine.catalog()).isNotNull();
        } catch (IllegalStateException | ProcedureException | StorageException | SimulatedPowerLoss expected) {
            // It was early enough to hit the recovery.
        }
        scenario.disk = scenario.disk.crash();
    }
}

package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotSettings;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The engine over a disk that fails, or loses its power, at each call in turn: what was acknowledged is there after
 * recovery, what was not is there as a whole or not at all; and so it is when the same happens again during the recovery, or
 * during the work and the snapshots behind it.
 *
 * <p>A build tries some calls, {@code -Plong} all of them; {@code -Dreprise.seeds=N} tries other scenarios.
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

    private static final long KEYS = 6;

    /** How a scenario is laid out; in the second one, segments of the log are used again. */
    enum Shape {
        USUAL(24, 16 << 10, 2, 9),
        REUSING(72, 21 * 512, 1, 5);

        private final int steps;
        private final LogSettings log;
        private final SnapshotSettings snapshots;
        private final int stepsToASnapshot;

        Shape(int steps, long segmentBytes, int keptSnapshots, int stepsToASnapshot) {
            this.steps = steps;
            log = SmallDurability.log(segmentBytes);
            snapshots = SmallDurability.snapshots(keptSnapshots);
            this.stepsToASnapshot = stepsToASnapshot;
        }
    }

    /** What accounts hold: the database as it should be. */
    private record Model(TreeMap<Long, Long> balances) {
        Model() {
            this(new TreeMap<>());
        }

        Model copy() {
            return new Model(new TreeMap<>(balances));
        }
    }

    /** What happens at a call to the disk, and then to the process. */
    enum Fault {
        POWER_LOSS,
        ERROR_THEN_POWER_LOSS,
        ERROR_THEN_KILL;

        void order(SimulatedFileStore disk, long call) {
            if (this == POWER_LOSS) {
                disk.faults().powerLossAtCall(call);
            } else {
                disk.faults().failCall(call);
            }
        }

        SimulatedFileStore next(SimulatedFileStore disk) {
            return this == ERROR_THEN_KILL ? disk.kill() : disk.crash();
        }
    }

    /** One run on one disk, crashes included. */
    private static final class Scenario {
        private final Shape shape;
        private final LoggingMethod method;
        private final long seed;
        private SimulatedFileStore disk;
        private final SimulatedClock clock = new SimulatedClock();
        private Model acknowledged = new Model();

        /** What the database holds if the call that was not answered has happened all the same. */
        private Model inDoubt;

        private int steps;
        private long reusedSegments;

        Scenario(Shape shape, LoggingMethod method, long seed, long diskSeed) {
            this.shape = shape;
            this.method = method;
            this.seed = seed;
            disk = new SimulatedFileStore(diskSeed);
        }

        Reprise open() {
            return Options.create()
                    .partitions(2)
                    .threads(Options.Threads.CALLER)
                    .clock(clock)
                    .memoryPerPartition(16 << 20)
                    .replay(SmallDurability.replay())
                    .ddl(DDL)
                    .files(disk)
                    .durability(
                            Durability.standard().with(method).with(shape.log).with(shape.snapshots))
                    .open();
        }

        /** Works until everything is done or the disk has ended the engine; returns whether all was done. */
        boolean work() {
            try (Reprise engine = open()) {
                settle(engine);
                SeededRandomness random = new SeededRandomness(seed);
                for (int i = 0; i < steps; i++) {
                    step(random, i, null);
                }
                while (steps < shape.steps) {
                    inDoubt = acknowledged.copy();
                    step(random, steps, engine);
                    acknowledged = inDoubt;
                    inDoubt = null;
                    steps++;
                }
                reusedSegments = engine.durabilityStats().orElseThrow().log().reusedSegments();
                return true;
            } catch (ProcedureException e) {
                assertThat(e.code()).as(e.getMessage()).isIn(ErrorCode.SHUTTING_DOWN, ErrorCode.OUTCOME_UNKNOWN);
                return false;
            } catch (IllegalStateException | StorageException | SimulatedPowerLoss e) {
                return false;
            }
        }

        /** Works with the fault ordered at a call; then the process ends, and the disk is as the next one finds it. */
        boolean workUntil(Fault fault, long call) {
            fault.order(disk, call);
            boolean done = work();
            disk = fault.next(disk);
            return done;
        }

        /** Finds out whether the call that was not answered has happened; and that nothing else has. */
        private void settle(Reprise engine) {
            TreeMap<Long, Long> found = balances(engine);
            if (inDoubt != null && found.equals(inDoubt.balances)) {
                acknowledged = inDoubt;
                steps++;
            }
            inDoubt = null;
            assertThat(found).isEqualTo(acknowledged.balances);
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
            if (number == shape.steps / 2
                    && engine.catalog().table("ACCOUNT").orElseThrow().columns().size() == 3) {
                engine.ddl("ALTER TABLE account ADD COLUMN note VARCHAR(10) DEFAULT 'x'");
            }
            if (number % shape.stepsToASnapshot == shape.stepsToASnapshot / 2 + 1) {
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
            TreeMap<Long, Long> balances = inDoubt.balances;
            boolean both = balances.containsKey(id) && balances.containsKey(other);
            boolean moves = both && (id == other || balances.get(id) >= amount);
            if (moves) {
                balances.merge(id, (long) -amount, Long::sum);
                balances.merge(other, (long) amount, Long::sum);
            }
            try {
                engine.call("Transfer", id, other, amount);
                assertThat(moves).isTrue();
            } catch (ProcedureException e) {
                if (moves || e.code() == ErrorCode.SHUTTING_DOWN || e.code() == ErrorCode.OUTCOME_UNKNOWN) {
                    throw e;
                }
            }
        }

        /**
         * Opens on what the crash has left, without further faults, and compares; then does what is left to do. Whatever failed
         * before, the power may go then.
         */
        void check() {
            assertThat(work()).isTrue();
            disk = disk.crash();
            try (Reprise engine = open()) {
                settle(engine);
            }
        }

        private static TreeMap<Long, Long> balances(Reprise engine) {
            TreeMap<Long, Long> found = new TreeMap<>();
            Rows rows =
                    engine.sql("SELECT id, balance FROM account ORDER BY id").rows();
            while (rows.next()) {
                found.put(rows.longAt(0), rows.longAt(1));
            }
            return found;
        }
    }

    @Test
    void shouldDoAllWorkWhenNothingFails() {
        Scenario scenario = new Scenario(Shape.USUAL, LoggingMethod.COMMAND, 1, 1);

        assertThat(scenario.work()).isTrue();
        scenario.check();
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenThePowerIsLost(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.USUAL, method, Fault.POWER_LOSS, seed, 31));
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenACallFailsAndThePowerIsLost(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.USUAL, method, Fault.ERROR_THEN_POWER_LOSS, seed, 41));
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenACallFailsAndTheProcessIsKilled(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.USUAL, method, Fault.ERROR_THEN_KILL, seed, 41));
    }

    @Test
    void shouldUseSegmentsAgainWhenSnapshotsAreMadeOften() {
        Scenario scenario = new Scenario(Shape.REUSING, LoggingMethod.COMMAND, 1, 1);

        assertThat(scenario.work()).isTrue();

        assertThat(scenario.reusedSegments).isGreaterThan(1);
        scenario.check();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldKeepWhatWasAcknowledgedWhenSegmentsAreUsedAgain(Fault fault) {
        Seeds.forEach(1, seed -> sweep(Shape.REUSING, LoggingMethod.PHYSIOLOGICAL, fault, seed, 97));
    }

    /** Each call of the scenario in turn; and each time something happens to a call of the next boot too. */
    private static void sweep(Shape shape, LoggingMethod method, Fault fault, long seed, int stride) {
        long calls = callsOf(shape, method, seed);
        int stopped = 0;
        for (long call = 1; call <= calls; call += stride) {
            Scenario scenario = new Scenario(shape, method, seed, seed + call);
            String what = fault + " at call " + call + " of " + calls;
            try {
                stopped += scenario.workUntil(fault, call) ? 0 : 1;
                // Mostly the recovery, sometimes the work and the snapshots behind it.
                long again = 1 + call * 31 % (call % 3 == 0 ? calls : 40);
                what += ", and again at call " + again;
                scenario.workUntil(fault, again);
                scenario.check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(what + ": " + e, e);
            }
        }
        assertThat(stopped).isPositive();
    }

    private static long callsOf(Shape shape, LoggingMethod method, long seed) {
        Scenario whole = new Scenario(shape, method, seed, seed);
        assertThat(whole.work()).isTrue();
        return whole.disk.calls();
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldKeepWhatWasAcknowledgedWhateverCallItIs(Fault fault) {
        for (LoggingMethod method : LoggingMethod.values()) {
            Seeds.forEach(1, seed -> sweep(Shape.USUAL, method, fault, seed, 1));
            Seeds.forEach(1, seed -> sweep(Shape.REUSING, method, fault, seed, 7));
        }
    }

    /** The second crash at each call of the boot that follows the first: of its recovery, its work and its snapshots. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldKeepWhatWasAcknowledgedWhateverCallOfTheNextBootItIs(Fault fault) {
        for (LoggingMethod method : LoggingMethod.values()) {
            Seeds.forEach(1, seed -> {
                long calls = callsOf(Shape.USUAL, method, seed);
                for (long call = 1; call <= calls; call += calls / 5) {
                    sweepSecond(method, fault, seed, call);
                }
            });
        }
    }

    private static void sweepSecond(LoggingMethod method, Fault fault, long seed, long call) {
        boolean done = false;
        for (long again = 1; !done; again++) {
            Scenario scenario = new Scenario(Shape.USUAL, method, seed, seed + again);
            try {
                scenario.workUntil(fault, call);
                long before = scenario.disk.calls();
                assertThat(before).isZero();
                Fault second = again % 2 == 0 ? Fault.POWER_LOSS : fault;
                second.order(scenario.disk, again);
                scenario.work();
                done = scenario.disk.calls() < again;
                scenario.disk = second.next(scenario.disk);
                scenario.workUntil(fault, 1 + again * 7 % 50);
                scenario.check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(fault + " at call " + call + ", and again at call " + again + ": " + e, e);
            }
        }
    }
}

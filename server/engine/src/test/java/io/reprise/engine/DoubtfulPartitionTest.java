package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.footprint.FootprintBuffer;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.WriteObserver;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A change of a row that fails half-way leaves a partition in doubt, which is rebuilt without an operator; no other partition notices. */
final class DoubtfulPartitionTest {
    private static final int ACCOUNTS = 60;
    private static final int MANY = 2_000;
    private static final int ROUNDS = 10_000;
    private static final int STEPS = 150;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    /** Fails the next change of a row, in the middle of it. */
    private static final class Fault implements WriteObserver {
        private final PartitionStore store;
        private boolean failed;

        private Fault(PartitionStore store) {
            this.store = store;
            store.observeWrites(this);
        }

        private void fail() {
            store.stopObserving(this);
            failed = true;
            throw new InternalError("a fault of the memory");
        }

        @Override
        public void inserted(TableStore table, long row) {
            fail();
        }

        @Override
        public void beforeChange(TableStore table, long row) {
            fail();
        }

        @Override
        public boolean keeps(TableStore table, long firstPlace, Runnable freeRows) {
            return false;
        }
    }

    private Options options(int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .footprints(new FootprintBuffer.Settings(4, 1 << 12, 1 << 10, 1 << 6))
                .durability(SmallDurability.withFootprints());
    }

    private Reprise filled(int partitions) {
        Reprise engine = options(partitions).files(disk).open();
        engine.call("SetRate", "base", 3);
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100L, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        return engine;
    }

    private static long idAt(Reprise engine, int partition, int skipped) {
        int left = skipped;
        for (long id = 0; id < ACCOUNTS; id++) {
            if (engine.partitionOf("SELECT balance FROM account WHERE id = ?", id) == partition && left-- == 0) {
                return id;
            }
        }
        throw new AssertionError();
    }

    private void runUntilTrusted(Reprise engine) {
        for (int i = 0; i < ROUNDS && isInDoubt(engine); i++) {
            clock.advance(20_000_000);
            engine.runSites();
        }
        assertThat(isInDoubt(engine)).isFalse();
    }

    private static boolean isInDoubt(Reprise engine) {
        return engine.automaticRebuilds().orElseThrow().inDoubt() > 0
                || engine.rebuildStats().orElseThrow().present().isPresent();
    }

    @Test
    void shouldRebuildAPartitionWithoutAnOperatorWhenAChangeFailsHalfWay() {
        try (Reprise engine = filled(2)) {
            long[] before = engine.contentHashes();
            long inside = idAt(engine, 1, 0);
            Fault fault = new Fault(engine.stores().get(1));

            assertThatThrownBy(() -> engine.call("Transfer", inside, idAt(engine, 1, 1), 5L))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROCEDURE_FAILURE));

            assertThat(fault.failed).isTrue();
            runUntilTrusted(engine);
            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.automaticRebuilds()).contains(new AutomaticRebuild.Counts(1, 0, 0, 0));
            assertThat(engine.call("Balance", inside).longValue()).isEqualTo(100);
        }
    }

    @Test
    void shouldRebuildAllPartitionsOfATransactionWhenNoneIsInTheMiddleOfAChange() {
        try (Reprise engine = filled(3)) {
            long[] before = engine.contentHashes();
            Fault fault = new Fault(engine.stores().get(1));

            assertThatThrownBy(() -> engine.call("Transfer", idAt(engine, 0, 0), idAt(engine, 1, 0), 5L))
                    .isInstanceOf(ProcedureException.class);

            assertThat(fault.failed).isTrue();
            assertThat(engine.automaticRebuilds().orElseThrow().inDoubt()).isEqualTo(2);
            assertThat(engine.call("Balance", idAt(engine, 2, 0)).longValue()).isEqualTo(100);
            runUntilTrusted(engine);
            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.automaticRebuilds()).contains(new AutomaticRebuild.Counts(2, 0, 0, 0));
        }
    }

    @Test
    void shouldRefuseCallsAndGiveUpForAnHourWhenItBreaksAgainAndAgain() {
        try (Reprise engine = filled(2)) {
            long[] before = engine.contentHashes();
            long inside = idAt(engine, 1, 0);
            for (int i = 0; i < 3; i++) {
                assertThat(new Fault(engine.stores().get(1)).failed).isFalse();
                assertThatThrownBy(() -> engine.call("Transfer", inside, idAt(engine, 1, 1), 5L))
                        .isInstanceOf(ProcedureException.class);
                runUntilTrusted(engine);
            }
            assertThat(new Fault(engine.stores().get(1)).failed).isFalse();
            assertThatThrownBy(() -> engine.call("Transfer", inside, idAt(engine, 1, 1), 5L))
                    .isInstanceOf(ProcedureException.class);
            clock.advance(1_000_000_000_000L);
            engine.runSites();

            assertThat(engine.automaticRebuilds()).contains(new AutomaticRebuild.Counts(3, 0, 1, 1));
            assertThatThrownBy(() -> engine.call("Balance", inside))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_UNAVAILABLE));
            assertThat(engine.call("Balance", idAt(engine, 0, 0)).longValue()).isEqualTo(100);
            assertThat(engine.snapshot().problem()).contains("in doubt");

            clock.advance(3_600_000_000_000L);
            runUntilTrusted(engine);
            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(engine.automaticRebuilds()).contains(new AutomaticRebuild.Counts(4, 0, 0, 0));
        }
    }

    @Test
    void shouldGiveUpASnapshotThatIsUnderWay() {
        try (Reprise engine = filled(2)) {
            long from = idAt(engine, 1, 0);
            long to = idAt(engine, 1, 1);
            for (long id = ACCOUNTS; id < MANY; id++) {
                engine.call("OpenAccount", id, 100L, "one of many, so that the sweep waits");
            }
            engine.change(new RunningSettings(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(1), 0));
            PartitionStore store = engine.stores().get(1);
            for (int i = 0; i < ROUNDS && !store.isObserved(); i++) {
                clock.advance(100_000_000);
                engine.agents().forEach(agent -> agent.doWork(clock.nanoTime()));
            }
            assertThat(store.isObserved()).isTrue();
            engine.change(new RunningSettings(Duration.ZERO, Duration.ZERO, Duration.ZERO, 0));
            assertThat(new Fault(store).failed).isFalse();
            assertThat(engine.callAsync("Transfer", from, to, 5L)).isNotNull();
            for (int i = 0; i < ROUNDS && !isInDoubt(engine); i++) {
                engine.agents().forEach(agent -> agent.doWork(clock.nanoTime()));
            }

            runUntilTrusted(engine);
            assertThat(engine.durabilityStats()
                            .orElseThrow()
                            .snapshots()
                            .last()
                            .orElseThrow()
                            .problem())
                    .contains("in doubt");
            assertThat(engine.call("Balance", from).longValue()).isEqualTo(100);
        }
    }

    /** Faults at random moments, some behind others, and power cuts while partitions are rebuilt. */
    @Test
    void shouldLoseAndRepeatNoCallWhenFaultsAndCrashesComeAtRandom() {
        int[] rebuilt = new int[1];
        Seeds.forEach(4, seed -> {
            disk = new SimulatedFileStore(seed);
            SeededRandomness random = new SeededRandomness(seed);
            try (Reprise oracle = options(2).open()) {
                Reprise engine = options(3).files(disk).open();
                for (int i = 0; i < STEPS; i++) {
                    clock.advance(1_000_000);
                    int dice = random.nextInt(100);
                    if (dice < 4) {
                        disk = disk.crash();
                        try {
                            engine.close();
                        } catch (RuntimeException | SimulatedPowerLoss e) {
                            // It has lost its disk.
                        }
                        engine = options(1 + random.nextInt(3)).files(disk).open();
                    } else if (dice < 12) {
                        breakSometimes(engine, random);
                        rebuilt[0] +=
                                (int) engine.automaticRebuilds().orElseThrow().inDoubt();
                    } else {
                        Object[] call = ComparedCalls.random(random, 40);
                        String name = (String) call[0];
                        Object[] arguments = Arrays.copyOfRange(call, 1, call.length);
                        if (isInDoubt(engine)) {
                            clock.advance(4_000_000_000_000L);
                            runUntilTrusted(engine);
                        }
                        assertThat(ComparedCalls.reply(engine, name, arguments))
                                .as("seed " + seed + " " + Arrays.toString(call))
                                .isEqualTo(ComparedCalls.reply(oracle, name, arguments));
                    }
                }
                clock.advance(4_000_000_000_000L);
                runUntilTrusted(engine);
                assertThat(Dump.of(engine)).as("seed " + seed).isEqualTo(Dump.of(oracle));
                engine.close();
            }
        });
        assertThat(rebuilt[0]).isPositive();
    }

    /** A call that fails in the middle, and so is rolled back: the oracle never sees it. */
    private static void breakSometimes(Reprise engine, SeededRandomness random) {
        int partition = random.nextInt(engine.stores().size());
        PartitionStore store = engine.stores().get(partition);
        long id = 1_000_000L + random.nextInt(1000);
        while (engine.partitionOf("SELECT balance FROM account WHERE id = ?", id) != partition) {
            id++;
        }
        Fault fault = new Fault(store);
        try {
            engine.call("OpenAccount", id, 1L, "breaks");
            throw new AssertionError("the fault was not met");
        } catch (ProcedureException e) {
            // A partition in doubt has refused the call if there was no fault.
            store.stopObserving(fault);
        }
    }
}

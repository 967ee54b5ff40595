package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.run.LogRuns;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A loss of power at any call to the disk while runs are merged into longer ones, and snapshots or bases from runs and log, leaves the rows of an
 * oracle. It comes twice: the second one meets the opening after the first one too.
 */
final class MergeCrashTest {
    private static final int ACCOUNTS = 24;
    private static final int STEPS = 40;

    /** Inputs of merges are removed after a minute. */
    private static final long REMOVAL_NS = 61_000_000_000L;

    private static final long RETRY_NS = 11_000_000_000L;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk;
    private Way way;
    private Reprise oracle;

    /** The call that has not been answered; null: all have. */
    private Object[] unanswered;

    /** The merges of a database. */
    enum Way {
        /** Snapshots are merged from the log. */
        SNAPSHOTS,
        /** Runs of data records are merged. */
        RUNS,
        /** Runs of commands are merged. */
        COMMANDS,
        /** Runs with images of commands take the log's place, and snapshots are merged from them. */
        IMAGES,
        /** Bases are merged from runs, which are the only storage. */
        STORAGE
    }

    private Options options() {
        boolean rows = way == Way.SNAPSHOTS || way == Way.RUNS;
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(32 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(rows ? LoggingMethod.PHYSIOLOGICAL : LoggingMethod.COMMAND)
                        .with(SmallDurability.logOfSchemas(48 << 10))
                        .with(SmallDurability.snapshots(2)))
                .mergeSnapshots(way == Way.SNAPSHOTS || way == Way.IMAGES)
                .mergeBytes(1000)
                .recoverOnDemand(way != Way.SNAPSHOTS)
                .sortedLog(SortedLogSettings.DEFAULTS
                        .withImages(way == Way.IMAGES)
                        .withReuse(way == Way.IMAGES)
                        .withSizes(1500, 2, 8_000))
                .storeInLog(way == Way.STORAGE)
                .files(disk);
    }

    private Reprise opened() {
        return options().open();
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAllRowsWhenThePowerGoesTwiceDuringMerges(Way of) {
        sweep(of, 8);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void shouldKeepAllRowsWhereverThePowerGoesTwiceDuringMerges(Way of) {
        sweep(of, 400);
    }

    private void sweep(Way of, int most) {
        way = of;
        long calls = interrupted(0);
        long stride = Math.max(1, calls / most);
        for (long call = 1; call < calls; call += stride) {
            interrupted(call);
        }
    }

    /** Returns the calls to the disk of one life. */
    private long interrupted(long call) {
        disk = new SimulatedFileStore(1 + call);
        SeededRandomness random = new SeededRandomness(1 + call);
        long calls = 0;
        try (Reprise undisturbed = Options.create()
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .ddl(Bank.DDL)
                .open()) {
            oracle = undisturbed;
            Reprise engine = filled();
            for (int life = 0; life < 2; life++) {
                long before = disk.calls();
                if (call > 0) {
                    disk.faults().powerLossAtCall(before + call);
                }
                try {
                    engine = engine == null ? opened() : engine;
                    work(engine, random);
                } catch (RuntimeException | SimulatedPowerLoss e) {
                    assertThat(call).isPositive();
                }
                calls = Math.max(calls, disk.calls() - before);
                if (call == 0) {
                    assertMerged();
                }
                disk = disk.crash();
                abandon(engine);
                engine = null;
            }
            check("call " + call + " of " + way, random);
        }
        return calls;
    }

    private Reprise filled() {
        Reprise engine = opened();
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 1000L, "owner " + id);
            oracle.call("OpenAccount", id, 1000L, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        return engine;
    }

    /** The same rows as the oracle's, however often it is opened; it goes on, and makes a snapshot. */
    private void check(String what, SeededRandomness random) {
        settle(what);
        Reprise engine = opened();
        assertThat(Dump.of(engine)).as(what + ", opened again").isEqualTo(Dump.of(oracle));
        work(engine, random);
        assertThat(Dump.of(engine)).as(what + ", later").isEqualTo(Dump.of(oracle));
        disk = disk.kill();
        abandon(engine);
        try (Reprise again = options().recoverOnDemand(false).open()) {
            assertThat(Dump.of(again)).as(what + ", all rows first").isEqualTo(Dump.of(oracle));
            assertThat(snapshot(again).problem()).as(what).isEmpty();
        }
    }

    /** The call that was interrupted has run, or it has not. */
    private void settle(String what) {
        Map<String, List<String>> found;
        Reprise engine = opened();
        found = Dump.of(engine);
        disk = disk.kill();
        abandon(engine);
        if (unanswered != null && !found.equals(Dump.of(oracle))) {
            run(oracle, unanswered);
        }
        unanswered = null;
        assertThat(found).as(what).isEqualTo(Dump.of(oracle));
    }

    private static void abandon(Reprise engine) {
        try {
            if (engine != null) {
                engine.close();
            }
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    /** Calls, snapshots between them, and the removal of what merges have made needless. */
    private void work(Reprise engine, SeededRandomness random) {
        settleWith(engine);
        for (int i = 1; i <= 2 * STEPS; i++) {
            clock.advance(1_000_000);
            unanswered = call(random);
            run(engine, unanswered);
            run(oracle, unanswered);
            unanswered = null;
            if (i % STEPS == 0 && way != Way.STORAGE) {
                assertThat(snapshot(engine).problem()).isEmpty();
            }
        }
        clock.advance(REMOVAL_NS);
        for (int i = 0; i < 20; i++) {
            clock.advance(1_000_000);
            engine.runSites();
        }
    }

    /** The same before anything else is called. */
    private void settleWith(Reprise engine) {
        if (unanswered == null) {
            return;
        }
        Map<String, List<String>> found = Dump.of(engine);
        if (!found.equals(Dump.of(oracle))) {
            run(oracle, unanswered);
            assertThat(found).isEqualTo(Dump.of(oracle));
        }
        unanswered = null;
    }

    private static Object[] call(SeededRandomness random) {
        long one = random.nextInt(ACCOUNTS);
        long other = random.nextInt(ACCOUNTS);
        return switch (random.nextInt(8)) {
            case 0 -> new Object[] {"UPSERT INTO rate (name, pct) VALUES (?, ?)", "rate " + one % 3, (int) other};
            case 1 -> new Object[] {"INSERT INTO account (id, balance, owner) VALUES (?, 7, 'new')", ACCOUNTS + one};
            case 2 -> new Object[] {"DELETE FROM account WHERE id = ?", ACCOUNTS + one};
            case 3 -> new Object[] {"UPDATE account SET owner = 'one of ' || balance WHERE balance > ?", 1000L + other};
            default -> new Object[] {"Transfer", one, other, 1L};
        };
    }

    /** A call that fails for its data fails in the oracle too. */
    private static void run(Reprise engine, Object[] call) {
        Object[] arguments = List.of(call).subList(1, call.length).toArray();
        String name = (String) call[0];
        try {
            if (name.equals("Transfer")) {
                engine.call(name, arguments);
            } else {
                engine.sql(name, arguments);
            }
        } catch (ProcedureException e) {
            if (e.code() != ErrorCode.USER_ABORT && e.code() != ErrorCode.CONSTRAINT_VIOLATION) {
                throw e;
            }
        }
    }

    /** A merge waits for runs, and these wait after a failure. */
    private SnapshotReport snapshot(Reprise engine) {
        for (int i = 0; i < 5; i++) {
            try {
                return engine.snapshot();
            } catch (ProcedureException e) {
                clock.advance(RETRY_NS);
                engine.runSites();
            }
        }
        return engine.snapshot();
    }

    /** The sweep meets what it is about. */
    private void assertMerged() {
        SnapshotDirectory snapshots = new SnapshotDirectory(disk);
        assertThat(snapshots.list()).hasSizeBetween(1, 2);
        if (way == Way.SNAPSHOTS) {
            assertThat(disk.exists("runs")).isFalse();
            return;
        }
        Manifest manifest = snapshots.manifest(snapshots.list().getLast());
        LogRuns runs = new LogRuns(disk, manifest.identity().database());
        assertThat(runs.from(manifest.origin().logPosition()))
                .as("runs behind the older snapshot")
                .anyMatch(run -> run.level() > 0);
    }
}

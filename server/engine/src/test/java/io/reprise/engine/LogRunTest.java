package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Callers.Answer;
import io.reprise.engine.Callers.Call;
import io.reprise.execution.Outcomes;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.LogRuns;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A restart that reads runs has the rows of one that reads the log, whatever happens to the runs. */
final class LogRunTest {
    private static final int ACCOUNTS = 200;
    private static final int STEPS = 300;
    private static final long RUN = 3000;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private int fan = 8;

    private Options options(LoggingMethod method, boolean runs) {
        return options(method, runs, RUN);
    }

    private Options options(LoggingMethod method, boolean runs, long runBytes) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(64 << 10))
                        .with(SmallDurability.snapshots(2)))
                .recoverOnDemand(true)
                .sortedLog(SmallDurability.runs(runBytes, fan).withSorting(runs))
                .files(disk);
    }

    private Reprise filled(LoggingMethod method) {
        return filled(options(method, true));
    }

    private static Reprise filled(Options options) {
        Reprise engine = options.open();
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        return engine;
    }

    private void work(Reprise engine, SeededRandomness random, int steps) {
        for (int i = 0; i < steps; i++) {
            clock.advance(1_000_000);
            long one = random.nextInt(ACCOUNTS);
            switch (random.nextInt(6)) {
                case 0 -> engine.call("SetRate", "rate " + one % 3, (int) one);
                case 1 -> engine.sql("UPDATE account SET balance = balance + 1 WHERE id = ?", one);
                case 2 -> ComparedCalls.reply(engine, "OpenAccount", ACCOUNTS + one, 5L, "new " + one);
                default -> engine.call("Transfer", one, one ^ 1, 1L);
            }
        }
    }

    /** Returns the runs that a restart uses. */
    private List<LogRun> kill(Reprise engine) {
        disk = disk.kill();
        abandon(engine);
        SnapshotDirectory snapshots = new SnapshotDirectory(disk);
        var manifest = snapshots.manifest(snapshots.list().getFirst());
        return new LogRuns(disk, manifest.identity().database())
                .from(manifest.origin().logPosition());
    }

    private static void abandon(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private static long[] loaded(Reprise engine) {
        engine.call("Total");
        LoadStats loads = engine.load().orElseThrow();
        assertThat(loads.ready()).isEqualTo(loads.buckets());
        return engine.contentHashes();
    }

    @Test
    void shouldRecoverTheSameRowsFromRuns() {
        Seeds.forEach(3, this::compare);
    }

    private void compare(long seed) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        LoggingMethod method = random.chance(0.5) ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
        fan = 2 + random.nextInt(7);
        Reprise engine = filled(method);
        for (int round = 0; round < 3; round++) {
            work(engine, random, STEPS / 2 + random.nextInt(STEPS));
            if (round == 1 && random.chance(0.5)) {
                assertThat(engine.snapshot().problem()).isEmpty();
                work(engine, random, STEPS);
            }
            long[] hashes = engine.contentHashes();
            List<LogRun> runs = kill(engine);
            assertThat(runs).as("seed " + seed).isNotEmpty();
            assertThat(runs.stream().mapToInt(LogRun::records).sum()).isPositive();

            disk = disk.kill();
            try (Reprise whole = options(method, false).recoverOnDemand(false).open()) {
                assertThat(whole.contentHashes()).as("seed " + seed).isEqualTo(hashes);
            }
            disk = disk.kill();
            engine = options(method, true).open();
            long one = random.nextInt(ACCOUNTS / 2) * 2L;
            assertThat(ComparedCalls.reply(engine, "Transfer", one, one + 1, 0L))
                    .isNotEmpty();
            assertThat(engine.load().orElseThrow().ready())
                    .isLessThan(engine.load().orElseThrow().buckets());
            work(engine, random, 20);
        }
        abandon(engine);
    }

    /** The records of numbered calls are in runs alone: each comes again before its bucket is loaded, and is not run again. */
    @ParameterizedTest
    @EnumSource(
            value = LoggingMethod.class,
            names = {"COMMAND", "PHYSIOLOGICAL"})
    void shouldNotRunNumberedCallsAgainThatRunsHave(LoggingMethod method) {
        Callers callers = new Callers();
        Reprise engine = filled(options(method, true).siteAgent(callers::at));
        List<Call> calls = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        for (int i = 1; i <= STEPS; i++) {
            clock.advance(1_000_000);
            long from = 7L * i % ACCOUNTS;
            Call call = i % 10 == 0
                    ? new Call(i, 5 + i % 2, i, 1, "SetRate", "rate " + i, i)
                    : new Call(i, 5 + i % 2, i, 1, "Transfer", from, i % 2 == 0 ? from ^ 1 : (from + 2) % ACCOUNTS, 1L);
            calls.add(call);
            answers.addAll(callers.run(engine, List.of(call)));
        }
        assertThat(answers).allMatch(Answer::wrote);
        work(engine, new SeededRandomness(1), STEPS);
        long[] hashes = engine.contentHashes();
        assertThat(kill(engine)).hasSizeGreaterThan(2);

        try (Reprise again = options(method, false).siteAgent(callers::at).open()) {
            assertThat(again.load().orElseThrow().ready()).isZero();
            for (int i = 0; i < calls.size(); i++) {
                assertThat(callers.run(again, List.of(calls.get(i))).getFirst().shown())
                        .as("%s", calls.get(i))
                        .isEqualTo(answers.get(i).again());
            }
            assertThat(loaded(again)).isEqualTo(hashes);
        }
    }

    /** Records of many runs lie in few, in the same order. */
    @Test
    void shouldMergeRunsIntoLongerOnes() {
        fan = 3;
        Reprise engine = filled(LoggingMethod.PHYSIOLOGICAL);
        work(engine, new SeededRandomness(1), 6 * STEPS);
        long[] hashes = engine.contentHashes();
        int all = disk.list("runs/snapshot").size();

        List<LogRun> runs = kill(engine);

        assertThat(runs).hasSizeLessThan(all / 3);
        assertThat(runs).anyMatch(run -> run.level() == 2);
        for (int i = 1; i < runs.size(); i++) {
            assertThat(runs.get(i).begin()).isEqualTo(runs.get(i - 1).end());
        }
        engine = options(LoggingMethod.PHYSIOLOGICAL, true).open();
        assertThat(loaded(engine)).isEqualTo(hashes);
        engine.runSites();
        assertThat(disk.list("runs/snapshot")).as("inputs are gone").hasSizeBetween(runs.size(), runs.size() + 2);
        clock.advance(1_000_000_000);
        work(engine, new SeededRandomness(2), 6 * STEPS);
        clock.advance(100_000_000_000L);
        work(engine, new SeededRandomness(3), 20);
        hashes = engine.contentHashes();
        int left = disk.list("runs/snapshot").size();
        assertThat(left).as("inputs are gone").isLessThanOrEqualTo(kill(engine).size() + 3);
        try (Reprise again = options(LoggingMethod.PHYSIOLOGICAL, false).open()) {
            assertThat(loaded(again)).isEqualTo(hashes);
        }
    }

    /** A flipped bit in a run costs time only. */
    @Test
    void shouldRecoverTheSameRowsWhenARunIsDamaged() {
        fan = Integer.MAX_VALUE;
        damage(499);
        disk = new SimulatedFileStore(1);
        fan = 2;
        damage(499);
    }

    @Test
    @Tag("long")
    void shouldRecoverTheSameRowsWhereverARunIsDamaged() {
        damage(13);
        disk = new SimulatedFileStore(1);
        fan = 2;
        damage(13);
    }

    private void damage(long stride) {
        Reprise engine = filled(LoggingMethod.COMMAND);
        work(engine, new SeededRandomness(1), STEPS);
        long[] hashes = engine.contentHashes();
        List<LogRun> runs = kill(engine);
        assertThat(runs.getFirst().level() > 0).isEqualTo(fan == 2);
        String folder = "runs/" + SnapshotDirectory.path(runs.getFirst().id());
        for (String file : disk.list(folder)) {
            String path = folder + "/" + file;
            long size = size(path);
            for (long at = 0; at < size; at += stride) {
                disk.flipBit(path, at, (int) (at % 8));
                Reprise again = options(LoggingMethod.COMMAND, false).open();
                assertThat(loaded(again)).as(path + " " + at).isEqualTo(hashes);
                disk = disk.kill();
                abandon(again);
                disk.flipBit(path, at, (int) (at % 8));
            }
        }
    }

    private long size(String path) {
        try (DataFile file = disk.openReadOnly(path)) {
            return file.size();
        }
    }

    /** A run's blocks and the log that it was made of are damaged: the bucket is refused, and others answer. */
    @Test
    void shouldRefuseABucketWhoseRecordsAreDamagedInRunAndLog() {
        Reprise engine = filled(LoggingMethod.COMMAND);
        // The first run has to be of an earlier segment than the log's end, which is checked before anything is opened.
        for (int i = 0; i < 8 * STEPS; i++) {
            clock.advance(1_000_000);
            engine.sql("UPDATE account SET balance = balance + 1 WHERE id = ?", (long) i % ACCOUNTS);
        }
        List<LogRun> runs = kill(engine);
        assertThat(runs).hasSizeGreaterThan(2);
        Manifest run = runs.getFirst().manifest();
        flip(
                "runs/" + SnapshotDirectory.path(run.identity().transactionId()) + "/partition-0.data",
                run.files().getFirst().indexPosition() / 2);
        String segment = disk.list("log").stream()
                .filter(name -> name.endsWith(".log"))
                .filter(name -> Long.parseLong(name.substring(0, 16), 16)
                        <= runs.getFirst().begin())
                .reduce((first, second) -> second)
                .orElseThrow();
        flip("log/" + segment, runs.getFirst().begin() - Long.parseLong(segment.substring(0, 16), 16) + 100);

        try (Reprise again = options(LoggingMethod.COMMAND, false).open()) {
            int refused = 0;
            for (long id = 0; id < ACCOUNTS; id++) {
                refused += ComparedCalls.reply(again, "Balance", id).startsWith("PARTITION_UNAVAILABLE") ? 1 : 0;
            }
            assertThat(refused).isBetween(1, ACCOUNTS - 1);
        }
    }

    private void flip(String path, long at) {
        disk.flipBit(path, at, 3);
    }

    /** Runs that are newer than the log are left out: the log's end was lost, and others wrote in its place. */
    @Test
    void shouldNotUseARunBehindTheEndOfTheLog() {
        Reprise engine = filled(LoggingMethod.PHYSIOLOGICAL);
        work(engine, new SeededRandomness(1), STEPS / 2);
        assertThat(kill(engine)).isNotEmpty();
        SimulatedFileStore old = new SimulatedFileStore(7);
        copy(disk, "log", old);
        copy(disk, "snapshot", old);
        disk = disk.kill();
        engine = options(LoggingMethod.PHYSIOLOGICAL, true).open();
        long[] hashes = loaded(engine);
        work(engine, new SeededRandomness(2), STEPS);
        List<LogRun> newer = kill(engine);
        copy(disk, "runs", old);
        disk = old;

        engine = options(LoggingMethod.PHYSIOLOGICAL, true).open();
        assertThat(loaded(engine)).isEqualTo(hashes);
        work(engine, new SeededRandomness(3), 3 * STEPS);
        hashes = engine.contentHashes();
        List<LogRun> runs = kill(engine);
        assertThat(runs).hasSizeGreaterThan(newer.size());
        try (Reprise again = options(LoggingMethod.PHYSIOLOGICAL, true).open()) {
            assertThat(loaded(again)).isEqualTo(hashes);
        }
    }

    /** An older copy of the directory comes back, other transactions run, and runs of the former ones are there still. */
    @Test
    void shouldNotUseRunsOfALogThatWasReplaced() {
        Reprise engine = filled(LoggingMethod.PHYSIOLOGICAL);
        disk = disk.kill();
        abandon(engine);
        SimulatedFileStore old = new SimulatedFileStore(7);
        copy(disk, "log", old);
        copy(disk, "snapshot", old);
        engine = options(LoggingMethod.PHYSIOLOGICAL, true).open();
        work(engine, new SeededRandomness(1), STEPS);
        List<LogRun> runs = kill(engine);
        assertThat(runs).hasSizeGreaterThan(1);
        copy(disk, "runs", old);
        disk = old;
        engine = options(LoggingMethod.PHYSIOLOGICAL, false)
                .recoverOnDemand(false)
                .open();
        clock.advance(1_000_000_000);
        work(engine, new SeededRandomness(2), 3 * STEPS);
        long[] hashes = engine.contentHashes();
        assertThat(kill(engine)).hasSize(runs.size());

        try (Reprise again = options(LoggingMethod.PHYSIOLOGICAL, true).open()) {
            assertThat(loaded(again)).isEqualTo(hashes);
        }
    }

    private static void copy(SimulatedFileStore from, String path, SimulatedFileStore to) {
        boolean isFile = path.contains(".") || path.endsWith("manifest");
        if (!isFile) {
            to.createDirectory(path);
            from.list(path).forEach(name -> copy(from, path + "/" + name, to));
            return;
        }
        try (DataFile source = from.openReadOnly(path);
                DataFile target = to.create(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(0, bytes);
            target.write(0, bytes.flip());
        }
    }

    @Test
    void shouldReadTheLogWhenRunsAreMissing() {
        Reprise engine = filled(LoggingMethod.COMMAND);
        work(engine, new SeededRandomness(1), STEPS);
        long[] hashes = engine.contentHashes();
        List<LogRun> runs = kill(engine);
        assertThat(runs).hasSizeGreaterThan(2);
        String second = "runs/snapshot/" + SnapshotDirectory.name(runs.get(1).id());
        disk.list(second).forEach(file -> disk.delete(second + "/" + file));
        disk.delete(second);

        try (Reprise again = options(LoggingMethod.COMMAND, true).open()) {
            assertThat(loaded(again)).isEqualTo(hashes);
        }
    }

    /** Runs, or their files only, change places. A merged run has the place of a run of the log, too. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/manifest", "/partition-0.data"})
    void shouldReadTheLogWhenRunsChangePlaces(String file) {
        fan = 3;
        Reprise engine = filled(LoggingMethod.PHYSIOLOGICAL);
        work(engine, new SeededRandomness(1), 2 * STEPS);
        long[] hashes = engine.contentHashes();
        List<LogRun> runs = kill(engine);
        assertThat(runs).hasSizeGreaterThan(2);
        assertThat(runs.getFirst().level()).isPositive();
        for (int other = 1; other < runs.size(); other++) {
            String one = "runs/" + SnapshotDirectory.path(runs.getFirst().id()) + file;
            String two = "runs/" + SnapshotDirectory.path(runs.get(other).id()) + file;
            swap(one, two);

            Reprise again = options(LoggingMethod.PHYSIOLOGICAL, false).open();
            assertThat(loaded(again)).as("run " + other).isEqualTo(hashes);

            disk = disk.kill();
            abandon(again);
            swap(one, two);
        }
    }

    private void swap(String one, String two) {
        String aside = "runs/aside" + one.length();
        disk.rename(one, aside);
        disk.rename(two, one);
        disk.rename(aside, two);
    }

    @Test
    void shouldRecoverEverythingFirstWhenARunHasAChangeOfTheSchema() {
        Reprise engine = filled(LoggingMethod.COMMAND);
        work(engine, new SeededRandomness(1), STEPS);
        engine.ddl("CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY)");
        work(engine, new SeededRandomness(2), STEPS);
        long[] hashes = engine.contentHashes();
        assertThat(kill(engine)).anyMatch(run -> run.unfit() >= 0);

        try (Reprise again = options(LoggingMethod.COMMAND, true).open()) {
            assertThat(again.load()).isEmpty();
            assertThat(again.contentHashes()).isEqualTo(hashes);
        }
    }

    /** Such a run is used from a later snapshot on, which has the earlier calls; or has not those that a recovery has discarded. */
    @Test
    void shouldRememberCallsBehindAChangeOfTheSchemaOnly() {
        Callers callers = new Callers();
        Reprise engine = filled(options(LoggingMethod.COMMAND, true, 1 << 30).siteAgent(callers::at));
        for (int i = 1; i <= 10; i++) {
            if (i == 6) {
                engine.ddl("CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY)");
            }
            assertThat(callers.run(engine, List.of(new Call(0, 5, i, 1, "Transfer", 0L, 1L, 1L))))
                    .allMatch(Answer::wrote);
        }
        kill(engine);
        engine = options(LoggingMethod.COMMAND, true, 1).open();
        engine.runSites();

        LogRun run = kill(engine).getFirst();

        assertThat(run.unfit()).isPositive();
        Outcomes outcomes = new Outcomes();
        run.manifest().origin().outcomes().forEach(outcomes::decode);
        for (int i = 1; i <= 10; i++) {
            assertThat(outcomes.find(5, i, 1))
                    .as("call %s", i)
                    .isEqualTo(i < 6 ? Outcomes.Finding.NEW : Outcomes.Finding.COMMITTED);
        }
    }

    @Test
    void shouldRecoverTheSameRowsWhenTheMakingOfRunsIsInterrupted() {
        sweep(6);
    }

    @Test
    @Tag("long")
    void shouldRecoverTheSameRowsWhereverTheMakingOfRunsIsInterrupted() {
        sweep(Integer.MAX_VALUE);
    }

    /** The power goes at some calls to the disk after a snapshot; what was answered is there afterwards. */
    private void sweep(int most) {
        long calls = interrupted(0);
        long stride = Math.max(1, calls / most);
        for (long call = 1; call < calls; call += stride) {
            interrupted(call);
        }
    }

    private long interrupted(long call) {
        disk = new SimulatedFileStore(1 + call);
        Reprise engine = filled(LoggingMethod.COMMAND);
        long before = disk.calls();
        if (call > 0) {
            disk.faults().powerLossAtCall(before + call);
        }
        long answered = 0;
        try {
            for (int i = 0; i < STEPS; i++) {
                clock.advance(1_000_000);
                engine.call("Transfer", 2L * i % ACCOUNTS, 2L * i % ACCOUNTS + 1, 1L);
                answered++;
            }
        } catch (RuntimeException | SimulatedPowerLoss e) {
            assertThat(call).isPositive();
        }
        long calls = disk.calls() - before;
        disk = disk.crash();
        abandon(engine);
        try (Reprise again = options(LoggingMethod.COMMAND, true).open()) {
            long missing = 0;
            for (long id = 0; id < ACCOUNTS; id += 2) {
                missing += 100 + id - again.call("Balance", id).longValue();
            }
            assertThat(missing).as("call " + call).isBetween(answered, answered + 1);
        }
        return calls;
    }
}

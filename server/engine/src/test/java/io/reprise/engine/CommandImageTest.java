package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogDirectory;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.LogRuns;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs with images of commands, and a log that is used again behind them, lead to the rows of the whole log. */
final class CommandImageTest {
    private static final int ACCOUNTS = 200;
    private static final int STEPS = 300;
    private static final long RUN = 6000;
    private static final long SEGMENT = 64 << 10;
    private static final List<LoggingMethod> METHODS =
            List.of(LoggingMethod.COMMAND, LoggingMethod.BOUNDARY, LoggingMethod.ADAPTIVE);

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private long imageBytes = 1 << 20;
    private boolean reuse;
    private boolean merges;
    private LoggingMethod method = LoggingMethod.COMMAND;
    private int partitions = 2;
    private long runBytes = RUN;
    private long leastBaseBytes = 2 * SEGMENT;
    private int fan = 8;
    private boolean pinned;
    private boolean keepsImages = true;

    private Options options(boolean images) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(SEGMENT))
                        .with(SmallDurability.snapshots(2)))
                .recoverOnDemand(images)
                .sortedLog(SortedLogSettings.DEFAULTS
                        .withSorting(images)
                        .withSizes(runBytes, fan, leastBaseBytes)
                        .withImages(images && keepsImages)
                        .withImageBytes(imageBytes)
                        .withReuse(reuse))
                .mergeSnapshots(merges)
                .files(disk);
    }

    private Reprise filled(boolean images) {
        Reprise engine = options(images).open();
        if (pinned) {
            engine.ddl("ALTER TABLE account LOGGED AS COMMAND");
        }
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
            switch (random.nextInt(8)) {
                case 0 -> engine.call("SetRate", "rate " + one % 3, (int) one);
                case 1 -> engine.sql("UPDATE account SET balance = balance + 1 WHERE id = ?", one);
                case 2 -> ComparedCalls.reply(engine, "OpenAccount", ACCOUNTS + one, 5L, "new " + one);
                case 3 -> engine.sql("DELETE FROM account WHERE id = ?", ACCOUNTS + one);
                case 4 -> engine.sql("UPDATE account SET owner = 'one of ' || balance WHERE balance = ?", one);
                default -> ComparedCalls.reply(engine, "Transfer", one, (long) random.nextInt(ACCOUNTS), 1L);
            }
        }
    }

    /** Returns the runs that a restart uses. */
    private List<LogRun> kill(Reprise engine) {
        disk = disk.kill();
        abandon(engine);
        Manifest manifest = newest();
        return new LogRuns(disk, manifest.identity().database())
                .from(manifest.origin().logPosition());
    }

    private Manifest newest() {
        SnapshotDirectory snapshots = new SnapshotDirectory(disk);
        return snapshots.manifest(snapshots.list().getFirst());
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
        engine.load().ifPresent(loads -> assertThat(loads.ready()).isEqualTo(loads.buckets()));
        return engine.contentHashes();
    }

    @Test
    void shouldHaveRowsInsteadOfAllCommandsInRuns() {
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), STEPS);
        SortedLogStats sorted = engine.sortedLog().orElseThrow();
        assertThat(sorted.imagesMissed()).isZero();
        assertThat(sorted.sorted()).isPositive();

        List<LogRun> runs = kill(engine);

        assertThat(runs).hasSizeGreaterThan(2).allMatch(LogRun::isData);
        assertThat(runs.stream().mapToInt(LogRun::records).sum()).isGreaterThan(STEPS / 4);
    }

    @Test
    void shouldLogRowsWhereImagesHaveNoRoom() {
        imageBytes = 1 << 4;
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), STEPS);
        SortedLogStats sorted = engine.sortedLog().orElseThrow();
        assertThat(sorted.imagesLogged()).isGreaterThan(STEPS / 4);
        assertThat(sorted.imagesMissed()).as("calls that changed nothing").isLessThan(STEPS / 4);
        assertThat(sorted.commands()).isLessThanOrEqualTo(sorted.imagesMissed());

        assertThat(kill(engine).stream().mapToInt(LogRun::records).sum()).isGreaterThan(STEPS / 4);
    }

    @Test
    void shouldHaveCommandsInRunsWhoseProceduresArePinnedToThem() {
        imageBytes = 1 << 4;
        pinned = true;
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), STEPS);
        assertThat(engine.sortedLog().orElseThrow().imagesMissed()).isGreaterThan(STEPS / 4);
        assertThat(engine.sortedLog().orElseThrow().commands()).isGreaterThan(STEPS / 4);

        assertThat(kill(engine)).anyMatch(run -> !run.isData());
    }

    @Test
    void shouldRecoverTheSameRowsWithImages() {
        Seeds.forEach(6, this::compare);
    }

    private void compare(long seed) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        partitions = 1 + random.nextInt(3);
        method = METHODS.get(random.nextInt(METHODS.size()));
        imageBytes = random.chance(0.5) ? 1 << 10 : 1 << 20;
        reuse = random.chance(0.3);
        merges = random.chance(0.5);
        fan = 2 + random.nextInt(7);
        Reprise engine = filled(true);
        for (int round = 0; round < 3; round++) {
            work(engine, random, STEPS / 2 + random.nextInt(STEPS));
            if (random.chance(0.5)) {
                assertThat(engine.snapshot().problem()).isEmpty();
                work(engine, random, STEPS / 2);
            }
            long[] hashes = engine.contentHashes();
            kill(engine);
            if (!reuse) {
                try (Reprise whole = options(false).open()) {
                    assertThat(whole.contentHashes()).as("seed " + seed).isEqualTo(hashes);
                }
                disk = disk.kill();
            }
            try (Reprise first = options(true).recoverOnDemand(false).open()) {
                assertThat(first.contentHashes()).as("seed " + seed).isEqualTo(hashes);
            }
            disk = disk.kill();
            engine = options(true).open();
            assertThat(loaded(engine)).as("seed " + seed).isEqualTo(hashes);
        }
        abandon(engine);
    }

    /** Commands that a start has run again are rows in the runs that are made of them, so the log is used again without a snapshot. */
    @Test
    void shouldHaveRowsInsteadOfCommandsThatAStartHasRunAgain() {
        reuse = true;
        Reprise engine = filled(true);
        long snapshot = newest().origin().logPosition();
        for (int round = 0; round < 3; round++) {
            work(engine, new SeededRandomness(round), 20);
            long[] hashes = engine.contentHashes();
            kill(engine);
            engine = options(true).open();
            assertThat(loaded(engine)).isEqualTo(hashes);
        }
        work(engine, new SeededRandomness(4), 14 * STEPS);
        assertThat(engine.sortedLog().orElseThrow().commands()).isZero();
        assertThat(firstPosition()).isGreaterThan(snapshot + SEGMENT);
        long[] hashes = engine.contentHashes();

        assertThat(kill(engine)).allMatch(LogRun::isData);
        for (boolean onDemand : new boolean[] {false, true}) {
            try (Reprise again = options(true).recoverOnDemand(onDemand).open()) {
                assertThat(loaded(again)).isEqualTo(hashes);
            }
            disk = disk.kill();
        }
    }

    /** A call over two partitions is logged with the answers from the other one, and is rows in a run. */
    @Test
    void shouldHaveRowsInsteadOfBoundaryRecordsInRuns() {
        method = LoggingMethod.BOUNDARY;
        Reprise engine = filled(true);
        for (int i = 0; i < STEPS; i++) {
            clock.advance(1_000_000);
            engine.call("Transfer", (long) i % ACCOUNTS, (7L * i + 3) % ACCOUNTS, 1L);
        }
        assertThat(engine.sortedLog().orElseThrow().commands()).isZero();
        long[] hashes = engine.contentHashes();

        assertThat(kill(engine)).isNotEmpty().allMatch(LogRun::isData);
        try (Reprise again = options(true).open()) {
            assertThat(loaded(again)).isEqualTo(hashes);
        }
    }

    /** Money went around between all accounts, but a bucket's rows are loaded without those of others. */
    @Test
    void shouldLoadABucketWithoutThoseThatCommandsTiedToIt() {
        long with = rowsForABalance(true);
        long without = rowsForABalance(false);

        assertThat(with).isLessThan(ACCOUNTS / 4);
        assertThat(without).isEqualTo(ACCOUNTS);
    }

    private long rowsForABalance(boolean images) {
        disk = new SimulatedFileStore(1);
        keepsImages = images;
        Reprise engine = filled(true);
        for (int round = 0; round < 2; round++) {
            for (long id = 0; id < ACCOUNTS; id++) {
                clock.advance(1_000_000);
                engine.call("Transfer", id, (id + 1) % ACCOUNTS, 1L);
            }
        }
        for (int i = 0; i < 40; i++) {
            // The last commands are behind the last run, and tie few buckets together.
            clock.advance(1_000_000);
            engine.call("Transfer", 0L, 1L, 0L);
        }
        kill(engine);
        try (Reprise again = options(true).open()) {
            assertThat(again.call("Balance", 0L).longValue()).isEqualTo(100);
            return again.load().orElseThrow().rows();
        }
    }

    @Test
    void shouldMergeSnapshotsFromImages() {
        merges = true;
        Reprise engine = filled(true);
        SeededRandomness random = new SeededRandomness(3);
        for (int round = 0; round < 3; round++) {
            work(engine, random, STEPS);
            SnapshotReport merged = engine.snapshot();
            assertThat(merged.problem()).isEmpty();
            assertThat(merged.rowsSaved()).isZero();
            long[] hashes = engine.contentHashes();
            List<LogRun> runs = kill(engine);
            assertThat(runs).as("the snapshot has all that is sorted").isEmpty();
            assertThat(newest().identity().transactionId()).isEqualTo(merged.transactionId());
            try (Reprise again = options(false).open()) {
                assertThat(again.contentHashes()).isEqualTo(hashes);
            }
            disk = disk.kill();
            engine = options(true).open();
            loaded(engine);
        }
        abandon(engine);
    }

    @Test
    void shouldUseSegmentsAgainWithoutASnapshot() {
        reuse = true;
        Reprise engine = filled(true);
        long snapshot = newest().origin().logPosition();
        work(engine, new SeededRandomness(1), 14 * STEPS);
        long first = firstPosition();
        long[] hashes = engine.contentHashes();
        assertThat(first).isGreaterThan(snapshot + SEGMENT);
        kill(engine);

        for (boolean onDemand : new boolean[] {false, true}) {
            try (Reprise again = options(true).recoverOnDemand(onDemand).open()) {
                assertThat(loaded(again)).isEqualTo(hashes);
            }
            disk = disk.kill();
        }
        List<String> lines = new ArrayList<>();
        assertThat(new Verification(DataDirectory.of(disk), lines::add).run())
                .as(lines.toString())
                .isTrue();
        assertThat(lines).anyMatch(line -> line.contains("good runs have the log from there"));
        countClosures();
        String path = "runs/snapshot/" + disk.list("runs/snapshot").getFirst() + "/partition-0.data";
        disk.flipBit(path, size(path) / 2, 1);
        assertThat(new Verification(DataDirectory.of(disk), lines::add).run()).isFalse();
        assertThat(lines).anyMatch(line -> line.contains("a run that the log was used again for is DAMAGED"));
    }

    @Test
    void shouldPrintRunsThatStandInThePlaceOfLogBeforeTheLog() {
        reuse = true;
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), 14 * STEPS);
        kill(engine);
        long first = firstPosition();
        List<String> lines = new ArrayList<>();

        LogPrinting.print(DataDirectory.of(disk), LogPrinting.Range.all(), lines::add);

        int frames = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("frame "))
                .findFirst()
                .orElseThrow());
        List<String> sorted = lines.subList(0, frames);
        assertThat(sorted.getFirst()).startsWith("sorted log 0x").contains("of them of commands");
        List<Long> positions = sorted.stream()
                .filter(line -> line.startsWith("  "))
                .map(line -> Long.decode(line.strip().split(" ", 2)[0]))
                .toList();
        assertThat(positions).isSorted().hasSizeGreaterThan(STEPS).allMatch(position -> position < first);
        assertThat(positions.getFirst())
                .isGreaterThanOrEqualTo(newest().origin().logPosition());
        assertThat(sorted).anyMatch(line -> line.contains(" DATA ") && line.contains("ACCOUNT"));
        String one = sorted.get(1);
        List<String> ofOne = new ArrayList<>();
        LogPrinting.print(
                DataDirectory.of(disk),
                new LogPrinting.Range(
                        0, 1, OptionalLong.of(Long.parseLong(one.strip().split(" ", 5)[3]))),
                ofOne::add);
        assertThat(ofOne).containsExactly(sorted.getFirst(), one);
    }

    /** The sorted log counts where the log was used again. */
    private void countClosures() {
        LogClosure closure = new LogClosure(DataDirectory.of(disk));
        LogClosure.Report all = closure.ofPartition(0, 1);
        assertThat(all.stored()).isGreaterThan(STEPS);
        assertThat(all.transactions()).isGreaterThanOrEqualTo(all.stored() + all.reexecuted());
        assertThat(all.transactions()).isGreaterThan(5 * STEPS);
        assertThat(closure.ofBucket(7).transactions()).isEqualTo(all.transactions());
        assertThat(closure.ofBucket(7).stored()).isBetween(1L, all.stored());
    }

    private long firstPosition() {
        return new LogDirectory(disk, "log").positions().getFirst();
    }

    /** The schema changes behind the log's beginning: everything is recovered first, from runs and log. */
    @Test
    void shouldRecoverAChangeOfTheSchemaBehindRuns() {
        reuse = true;
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), 14 * STEPS);
        assertThat(firstPosition()).isPositive();
        engine.ddl("CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY)");
        work(engine, new SeededRandomness(2), 14 * STEPS);
        long first = firstPosition();
        work(engine, new SeededRandomness(3), 10 * STEPS);
        assertThat(firstPosition()).as("the schema is in the log only").isEqualTo(first);
        long[] hashes = engine.contentHashes();
        kill(engine);

        try (Reprise again = options(true).open()) {
            assertThat(again.contentHashes()).isEqualTo(hashes);
        }
    }

    /** An older snapshot takes the place of a damaged one, though the log does not reach back to it. */
    @Test
    void shouldRecoverFromTheOlderSnapshotAndRuns() {
        reuse = true;
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), 14 * STEPS);
        assertThat(engine.snapshot().problem()).isEmpty();
        work(engine, new SeededRandomness(2), 14 * STEPS);
        long[] hashes = engine.contentHashes();
        assertThat(firstPosition()).isGreaterThan(newest().origin().logPosition());
        kill(engine);
        String folder = "snapshot/" + disk.list("snapshot").getLast();
        disk.flipBit(folder + "/manifest", 100, 1);

        try (Reprise again = options(true).open()) {
            assertThat(loaded(again)).isEqualTo(hashes);
        }
    }

    /** A snapshot was made behind the last run. The next start must not take the older snapshot's runs away, which have the log's place. */
    @Test
    void shouldKeepRunsThatOnlyAnOlderSnapshotNeeds() {
        Seeds.forEach(4, this::keepRuns);
    }

    private void keepRuns(long seed) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        reuse = true;
        method = seed % 2 == 0 ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
        fan = 2 + random.nextInt(7);
        Reprise engine = filled(true);
        work(engine, random, 14 * STEPS);
        assertThat(firstPosition()).isGreaterThan(newest().origin().logPosition());
        kill(engine);
        runBytes = 1 << 30;
        engine = options(true).open();
        work(engine, random, STEPS);
        assertThat(engine.snapshot().problem()).isEmpty();
        work(engine, random, STEPS);
        kill(engine);
        runBytes = RUN;
        reuse = random.chance(0.5);
        engine = options(true).open();
        work(engine, random, 14 * STEPS);
        long[] hashes = engine.contentHashes();
        kill(engine);
        assertThat(new SnapshotDirectory(disk).list()).hasSize(2);
        disk.flipBit("snapshot/" + disk.list("snapshot").getLast() + "/manifest", 100, 1);

        try (Reprise again = options(true).recoverOnDemand(false).open()) {
            assertThat(again.contentHashes()).as("seed " + seed).isEqualTo(hashes);
        }
    }

    /** A change of settings makes no snapshots where bases are merged from the log. */
    @Test
    void shouldMakeNoSnapshotsByTheClockWhereTheLogIsTheStorage() {
        leastBaseBytes = 1 << 30;
        Reprise engine = options(true).storeInLog(true).open();
        engine.change(new RunningSettings(Duration.ofSeconds(1), Duration.ZERO, Duration.ofSeconds(1), 1000));

        for (long id = 0; id < ACCOUNTS; id++) {
            clock.advance(1_000_000_000);
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }

        assertThat(engine.durabilityStats().orElseThrow().snapshots().now().completed())
                .as("the first base is copied")
                .isLessThanOrEqualTo(1);
        abandon(engine);
    }

    /** The log has commands where a run has their images, so it can't give the records of one bucket; but all of them. */
    @Test
    void shouldReplayTheLogWhereARunWithImagesIsDamaged() {
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), 10 * STEPS);
        long[] hashes = engine.contentHashes();
        List<LogRun> runs = kill(engine);
        String path = "runs/" + SnapshotDirectory.path(runs.get(1).id()) + "/partition-0.data";
        disk.flipBit(path, size(path) / 3, 1);

        try (Reprise again = options(true).recoverOnDemand(false).open()) {
            assertThat(again.contentHashes()).isEqualTo(hashes);
            assertThat(again.recovery().damagedSnapshots()).isZero();
        }
    }

    /** On demand the buckets are refused that the damaged block had records of; a repair takes them from the log. */
    @Test
    void shouldRepairABucketWhoseImagesAreDamaged() {
        Reprise engine = filled(true);
        for (int i = 0; i < 3 * STEPS; i++) {
            clock.advance(1_000_000);
            long one = 2L * i % ACCOUNTS;
            engine.call("Transfer", one, one + 1, 1L);
            engine.sql("UPDATE account SET balance = balance + ? WHERE id = ?", i % 7, one + 1);
        }
        long[] hashes = engine.contentHashes();
        List<String> balances = balances(engine);
        List<LogRun> runs = kill(engine);
        String path = "runs/" + SnapshotDirectory.path(runs.get(1).id()) + "/partition-0.data";
        disk.flipBit(path, size(path) / 3, 1);

        try (Reprise again = options(true).open()) {
            List<String> found = balances(again);
            int refused = 0;
            for (long id = 0; id < ACCOUNTS; id++) {
                if (found.get((int) id).startsWith("PARTITION_UNAVAILABLE")) {
                    refused++;
                    RepairReport report = again.repair(again.buckets().buckets().of(id));
                    assertThat(report.succeeded()).as(report.problem()).isTrue();
                }
            }
            assertThat(refused).isBetween(1, ACCOUNTS / 2);
            assertThat(balances(again)).isEqualTo(balances);
            assertThat(again.contentHashes()).isEqualTo(hashes);
        }
    }

    /** A flipped bit in a run whose log is gone costs the bucket, and gives no wrong answer. */
    @Test
    void shouldRefuseOrAnswerRightWhereARunIsDamaged() {
        damage(151, true);
        damage(397, false);
    }

    @Test
    @Tag("long")
    void shouldRefuseOrAnswerRightWhereverARunIsDamaged() {
        damage(37, true);
        damage(37, false);
    }

    private void damage(long stride, boolean reuses) {
        disk = new SimulatedFileStore(1);
        reuse = reuses;
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), 10 * STEPS);
        List<String> balances = balances(engine);
        List<LogRun> runs = kill(engine);
        String path = "runs/" + SnapshotDirectory.path(runs.getFirst().id()) + "/partition-0.data";
        long size = size(path);
        int refused = 0;
        for (long at = 0; at < size; at += stride) {
            disk.flipBit(path, at, (int) (at % 8));
            try (Reprise again = options(true).open()) {
                List<String> found = balances(again);
                for (int i = 0; i < found.size(); i++) {
                    boolean isRefused = found.get(i).startsWith("PARTITION_UNAVAILABLE");
                    refused += isRefused ? 1 : 0;
                    if (!isRefused) {
                        assertThat(found.get(i)).as("byte " + at).isEqualTo(balances.get(i));
                    }
                }
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("needs the log");
                refused++;
            }
            disk = disk.kill();
            disk.flipBit(path, at, (int) (at % 8));
        }
        assertThat(refused).isPositive();
    }

    private static List<String> balances(Reprise engine) {
        List<String> balances = new ArrayList<>();
        for (long id = 0; id < ACCOUNTS; id++) {
            balances.add(ComparedCalls.reply(engine, "Balance", id));
        }
        return balances;
    }

    private long size(String path) {
        try (DataFile file = disk.openReadOnly(path)) {
            return file.size();
        }
    }

    @Test
    void shouldRecoverWhatWasAnsweredWhenRunsReplaceTheLogAndThePowerGoes() {
        sweep(12);
        imageBytes = 1 << 10;
        sweep(6);
    }

    @Test
    @Tag("long")
    void shouldRecoverWhatWasAnsweredWhereverThePowerGoes() {
        sweep(Integer.MAX_VALUE);
        imageBytes = 1 << 10;
        sweep(Integer.MAX_VALUE);
    }

    private void sweep(int most) {
        reuse = true;
        long calls = interrupted(0);
        long stride = Math.max(1, calls / most);
        for (long call = 1; call < calls; call += stride) {
            interrupted(call);
        }
    }

    private long interrupted(long call) {
        disk = new SimulatedFileStore(1 + call);
        Reprise engine = filled(true);
        long before = disk.calls();
        if (call > 0) {
            disk.faults().powerLossAtCall(before + call);
        }
        long answered = 0;
        try {
            for (int i = 0; i < 10 * STEPS; i++) {
                clock.advance(1_000_000);
                engine.call("Transfer", 2L * i % ACCOUNTS, 2L * i % ACCOUNTS + 1, 1L);
                answered++;
            }
        } catch (RuntimeException | SimulatedPowerLoss e) {
            assertThat(call).isPositive();
        }
        if (call == 0) {
            assertThat(firstPosition()).isGreaterThan(newest().origin().logPosition());
        }
        long calls = disk.calls() - before;
        disk = disk.crash();
        abandon(engine);
        try (Reprise again = options(true).open()) {
            long missing = 0;
            for (long id = 0; id < ACCOUNTS; id += 2) {
                missing += 100 + id - again.call("Balance", id).longValue();
            }
            assertThat(missing).as("call " + call).isBetween(answered, answered + 1);
        }
        return calls;
    }

    /** Bases are merged from runs, and the log stays short; rows are copied for the first base only. */
    @Test
    void shouldKeepRowsInTheSortedLogAlone() {
        Seeds.forEach(2, this::keepInLog);
    }

    private void keepInLog(long seed) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        method = random.chance(0.5) ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
        Reprise engine = stored();
        for (int round = 0; round < 2; round++) {
            for (long id = 0; id < ACCOUNTS; id++) {
                ComparedCalls.reply(engine, "OpenAccount", id, 100 + id, "owner " + id);
            }
            for (int i = 0; i < 5; i++) {
                work(engine, random, 2 * STEPS);
                long end = engine.logStats().orElseThrow().position();
                assertThat(end - firstPosition()).as("seed " + seed).isLessThan(12 * SEGMENT);
            }
            assertThat(new SnapshotDirectory(disk).list()).hasSizeBetween(1, 2);
            long[] hashes = engine.contentHashes();
            kill(engine);
            engine = stored();
            assertThat(loaded(engine)).as("seed " + seed).isEqualTo(hashes);
        }
        abandon(engine);
    }

    private Reprise stored() {
        return options(true).storeInLog(true).open();
    }

    @Test
    void shouldRepairABucketFromRunsWhenTheLogIsGone() {
        reuse = true;
        Reprise engine = filled(true);
        work(engine, new SeededRandomness(1), 14 * STEPS);
        assertThat(firstPosition()).isGreaterThan(newest().origin().logPosition());
        long[] hashes = engine.contentHashes();

        RepairReport report = engine.repair(engine.buckets().buckets().of(1L));

        assertThat(report.succeeded()).as(report.problem()).isTrue();
        assertThat(engine.contentHashes()).isEqualTo(hashes);
        abandon(engine);
    }
}

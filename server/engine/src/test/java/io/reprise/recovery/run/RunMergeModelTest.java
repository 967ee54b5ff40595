package io.reprise.recovery.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Bank;
import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.engine.SmallDurability;
import io.reprise.engine.SortedLogSettings;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.file.BlockReader;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DataFileEntry;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotBuffers;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs of any boundaries, merged in any order, have the records of the first ones in the same order, and an engine that reads them has the rows of a
 * replay of the log.
 */
final class RunMergeModelTest {
    private static final int ACCOUNTS = 60;
    private static final int STEPS = 400;
    private static final int HIGHEST = 3;

    /** So little that a bucket has several blocks. */
    private static final long WAITING_BYTES = 2 << 10;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk;
    private LoggingMethod method;
    private boolean images;
    private int runBytes;
    private int buckets = 1024;
    private int steps = STEPS;
    private int accounts = ACCOUNTS;
    private Manifest snapshot;
    private LogRuns runs;

    /** The log's end. */
    private long end;

    private Options options(boolean sorts) {
        return Options.create()
                .partitions(2)
                .buckets(buckets)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Bank.DDL)
                .durability(durability())
                .recoverOnDemand(sorts)
                .sortedLog(SortedLogSettings.DEFAULTS
                        .withSorting(sorts)
                        .withImages(sorts && images)
                        .withSizes(runBytes, Integer.MAX_VALUE, 1 << 30))
                .files(disk);
    }

    private Durability durability() {
        return Durability.standard()
                .with(method)
                .with(SmallDurability.logOfSchemas(1 << 20))
                .with(SmallDurability.snapshots(2));
    }

    private LogSettings log() {
        return durability().log();
    }

    @Test
    void shouldHaveTheRecordsAndRowsOfTheLogWhateverIsMerged() {
        Seeds.forEach(6, this::merge);
    }

    @Test
    @Tag("long")
    void shouldHaveTheRecordsAndRowsOfTheLogWhateverIsMergedForManySeeds() {
        Seeds.forEach(150, this::merge);
    }

    private void merge(long seed) {
        SeededRandomness random = new SeededRandomness(seed);
        disk = new SimulatedFileStore(seed);
        method = random.chance(0.5) ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
        images = method == LoggingMethod.COMMAND && random.chance(0.6);
        runBytes = 500 + random.nextInt(3000);
        long[] hashes = fill(random);
        List<LogRun> chain = images ? runs.from(position()) : cut(random);
        assertThat(chain).as("seed " + seed).hasSizeGreaterThan(2);
        Map<Integer, List<String>> records = records(chain);

        int merges = mergeSome(chain, random);

        assertThat(merges).isPositive();
        assertThat(records(chain)).as("seed " + seed).isEqualTo(records);
        assertThat(ids(runs.from(position()))).as("seed " + seed).isEqualTo(ids(chain));
        chain.forEach(runs::verify);
        for (int opening = 0; opening < 3; opening++) {
            disk = disk.kill();
            Reprise again = options(opening < 2).recoverOnDemand(opening == 0).open();
            again.sql("SELECT COUNT(*) FROM account");
            assertThat(again.contentHashes())
                    .as("seed %d, opening %d", seed, opening)
                    .isEqualTo(hashes);
            kill(again);
        }
    }

    /** A database with a snapshot and a log behind it. Returns the hashes of its rows. */
    private long[] fill(SeededRandomness random) {
        Reprise engine = options(images).open();
        for (long id = 0; id < accounts; id++) {
            engine.call("OpenAccount", id, 1000L, "owner " + id);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
        for (int i = 0; i < steps; i++) {
            clock.advance(1_000_000);
            call(engine, random);
        }
        long[] hashes = engine.contentHashes();
        end = engine.logStats().orElseThrow().position();
        kill(engine);
        SnapshotDirectory snapshots = new SnapshotDirectory(disk);
        snapshot = snapshots.manifest(snapshots.list().getFirst());
        runs = new LogRuns(disk, snapshot.identity().database());
        if (!images) {
            runs.removeAllBut(List.of());
        }
        return hashes;
    }

    private void kill(Reprise engine) {
        disk = disk.kill();
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private void call(Reprise engine, SeededRandomness random) {
        long one = random.nextInt(accounts);
        try {
            switch (random.nextInt(8)) {
                case 0 -> engine.call("SetRate", "rate " + one % 3, (int) one);
                case 1 -> engine.sql("UPDATE account SET owner = 'one of ' || balance WHERE balance > ?", 990 + one);
                case 2 -> engine.call("OpenAccount", accounts + one, 5L, "new " + one);
                case 3 -> engine.sql("DELETE FROM account WHERE id = ?", accounts + one);
                case 4, 5 ->
                    engine.sql(
                            "UPDATE account SET balance = balance + 1, owner = ? WHERE id = ?",
                            "an owner with a long name, number " + random.nextInt(1000),
                            one);
                default -> engine.call("Transfer", one, (long) random.nextInt(accounts), 1L);
            }
        } catch (ProcedureException e) {
            // There is such an account already.
        }
    }

    private long position() {
        return snapshot.origin().logPosition();
    }

    /** Runs of the log behind the snapshot, between frames at random. */
    private List<LogRun> cut(SeededRandomness random) {
        List<Long> frames = new ArrayList<>();
        try (LogReader reader = LogReader.upTo(disk, log(), runs.database(), position(), end);
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                frames.add(frame.endPosition());
            }
        }
        List<LogRun> chain = new ArrayList<>();
        long begin = position();
        for (int i = 0; i < frames.size(); i++) {
            if (random.nextInt(12) == 0 || i == frames.size() - 1) {
                chain.add(make(begin, frames.get(i)));
                begin = frames.get(i);
            }
        }
        return chain;
    }

    private LogRun make(long begin, long end) {
        LogRecords records = new LogRecords();
        try (SnapshotBuffers buffers = new SnapshotBuffers(WAITING_BYTES);
                LogRunWriter writer = new LogRunWriter(runs, begin, end, buffers, null);
                LogReader reader = LogReader.upTo(disk, log(), runs.database(), begin, end);
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    writer.add(records);
                }
            }
            return writer.publish(1);
        }
    }

    /** Merges neighbours at random, and changes the list of runs accordingly. Returns the number of merges. */
    private int mergeSome(List<LogRun> chain, SeededRandomness random) {
        int merges = 0;
        for (int i = 0; i < 12 && chain.size() > 1; i++) {
            int first = random.nextInt(chain.size() - 1);
            int last = first + 2 + random.nextInt(Math.min(4, chain.size() - first - 1));
            List<LogRun> inputs = List.copyOf(chain.subList(first, last));
            if (inputs.getLast().level() == HIGHEST || random.chance(0.1)) {
                giveUp(inputs, random);
                continue;
            }
            LogRun merged = merged(inputs);
            merges++;
            chain.subList(first, last).clear();
            chain.add(first, merged);
            // Inputs that are there still do not count.
            inputs.stream().filter(_ -> random.chance(0.7)).forEach(runs::remove);
        }
        return merges;
    }

    private static List<Long> ids(List<LogRun> of) {
        return of.stream().map(LogRun::id).toList();
    }

    private LogRun merged(List<LogRun> inputs) {
        try (SnapshotBuffers buffers = new SnapshotBuffers(WAITING_BYTES);
                RunMerge merge = new RunMerge(runs, disk, log(), inputs, buffers)) {
            try {
                while (merge.step()) {
                    Thread.onSpinWait();
                }
                return merge.publish(1);
            } catch (DamagedSnapshotException | DamagedRunException e) {
                merge.discard();
                throw e;
            }
        }
    }

    private void giveUp(List<LogRun> inputs, SeededRandomness random) {
        try (SnapshotBuffers buffers = new SnapshotBuffers(WAITING_BYTES);
                RunMerge merge = new RunMerge(runs, disk, log(), inputs, buffers)) {
            for (int i = random.nextInt(4); i > 0 && merge.step(); i--) {
                Thread.onSpinWait();
            }
            merge.discard();
        }
    }

    /** The records of runs by bucket, in order; -1: those of several buckets or none. */
    private Map<Integer, List<String>> records(List<LogRun> chain) {
        Map<Integer, List<String>> records = new TreeMap<>();
        int base = 0;
        for (LogRun run : chain) {
            int first = base;
            try (RunRecords opened = new RunRecords(runs, disk, log(), run)) {
                opened.shared((number, position, memory, address, length) ->
                        add(records, -1, first + number, position, memory, address, length));
                for (int bucket = 0; bucket < runs.database().buckets().count(); bucket++) {
                    int of = bucket;
                    opened.of(
                            bucket,
                            (number, position, memory, address, length) ->
                                    add(records, of, first + number, position, memory, address, length));
                }
            }
            base += run.records();
        }
        return records;
    }

    private static void add(
            Map<Integer, List<String>> records,
            int bucket,
            long number,
            long position,
            Memory memory,
            long address,
            int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = memory.getByte(address + i);
        }
        records.computeIfAbsent(bucket, _ -> new ArrayList<>())
                .add(number + " at " + position + ": " + Arrays.toString(bytes));
    }

    /** Each block of an input is damaged in turn: its records come from the log, once, or the merge is given up. */
    @Test
    void shouldHaveEachRecordOnceWhenABlockOfAnInputIsDamaged() {
        SeededRandomness random = new SeededRandomness(1);
        disk = new SimulatedFileStore(1);
        method = LoggingMethod.PHYSIOLOGICAL;
        runBytes = 2000;
        buckets = 64;
        steps = 10 * STEPS;
        accounts = 2;
        fill(random);
        List<LogRun> chain = cut(random);
        long middle = chain.get(chain.size() / 2).end();
        runs.removeAllBut(List.of());
        LogRun first = make(position(), middle);
        List<LogRun> inputs = List.of(first, make(middle, end));
        Map<Integer, List<String>> records = records(inputs);
        assertThat(blocks(first)).as("several of each bucket").isGreaterThan(2 * accounts);
        String path = "runs/" + SnapshotDirectory.path(first.id()) + "/partition-0.data";
        int made = 0;
        for (long at = 0; at < size(path); at += 401) {
            disk.flipBit(path, at, (int) (at % 8));
            try {
                LogRun merged = merged(inputs);
                made++;
                assertThat(records(List.of(merged))).as("byte " + at).isEqualTo(records);
                runs.remove(merged);
            } catch (DamagedSnapshotException | DamagedRunException e) {
                assertThat(ids(runs.from(position()))).as("byte " + at).isEqualTo(ids(inputs));
            }
            disk.flipBit(path, at, (int) (at % 8));
        }
        assertThat(made).isPositive();
    }

    /** The number of blocks with records of one bucket. */
    private int blocks(LogRun run) {
        int count = 0;
        try (BlockReader reader = new BlockReader(runs.files(), run.manifest())) {
            for (DataFileEntry file : run.manifest().files()) {
                reader.open(file);
                for (int i = 0; i < reader.blocks(); i++) {
                    count += reader.bucket(i) < 0 ? 0 : 1;
                }
            }
        }
        return count;
    }

    private long size(String path) {
        try (DataFile file = disk.openReadOnly(path)) {
            return file.size();
        }
    }
}

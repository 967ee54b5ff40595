package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.FileStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The history of a database with a log, over any number of crashes: transactions by partition, in order, and those
 * that were acknowledged. Runs random transactions, and checks the content of a log that is opened again.
 */
final class LogHistory {
    private LogSettings settings;
    private final int partitions;
    private final Randomness random;
    private final double snapshotChance;
    private final double removalChance;
    private final List<List<Ran>> order = new ArrayList<>();
    private long lastTransaction = 1_000_000;
    private long snapshotPosition;
    private long snapshotTransaction;
    private long reusedSegments;

    /** A transaction that ran. */
    private static final class Ran {
        final long id;
        final String payload;
        final int[] partitions;
        long ringPosition;
        boolean acknowledged;

        Ran(long id, String payload, int[] partitions) {
            this.id = id;
            this.payload = payload;
            this.partitions = partitions;
        }

        boolean isOn(int partition) {
            return Arrays.stream(partitions).anyMatch(p -> p == partition);
        }
    }

    LogHistory(LogSettings settings, int partitions, long seed) {
        this(settings, partitions, seed, 0.03, 0.05);
    }

    /** A database that makes snapshots so often that most segments are used again and again. */
    static LogHistory withManySnapshots(LogSettings settings, int partitions, long seed) {
        return new LogHistory(settings, partitions, seed, 0.1, 0.2);
    }

    private LogHistory(LogSettings settings, int partitions, long seed, double snapshotChance, double removalChance) {
        this.settings = settings;
        this.partitions = partitions;
        this.snapshotChance = snapshotChance;
        this.removalChance = removalChance;
        this.random = new SeededRandomness(seed);
        for (int i = 0; i < partitions; i++) {
            order.add(new ArrayList<>());
        }
    }

    /** Opens the log and checks it; then runs so many transactions and stops cleanly, unless the disk fails. */
    void boot(FileStore store, int transactions, boolean cleanStop) {
        if (LogTail.exists(store, settings)) {
            check(store);
        } else {
            assertThat(acknowledged())
                    .as("acknowledged transactions, but no log")
                    .isEmpty();
            forget();
        }
        try (LogFixture log = new LogFixture(settings, partitions)) {
            log.open(store, snapshotPosition);
            expose();
            LogStats stats = log.writer.stats();
            try {
                for (int i = 0; i < transactions; i++) {
                    step(log, store);
                }
                if (cleanStop) {
                    log.stop();
                }
            } finally {
                acknowledge(log);
                reusedSegments += stats.reusedSegments();
            }
        }
    }

    /** The same database, opened with other settings from now on. */
    void settings(LogSettings newSettings) {
        settings = newSettings;
    }

    /** The number of segments used again in all boots. */
    long reusedSegments() {
        return reusedSegments;
    }

    private void step(LogFixture log, FileStore store) {
        if (random.chance(snapshotChance)) {
            runSnapshot(log);
        } else if (random.chance(0.2)) {
            run(log, some());
        } else {
            run(log, random.nextInt(partitions));
        }
        if (random.chance(0.1)) {
            log.clock.advance(random.nextLong(100_000_000));
        }
        if (random.chance(0.5)) {
            log.writer.doWork(log.clock.nanoTime());
            acknowledge(log);
        }
        if (random.chance(removalChance) && snapshotPosition > 0) {
            new LogDirectory(store, settings.directory()).removeBelow(snapshotPosition, settings.spareSegments());
        }
        while (!Arrays.stream(log.logs).allMatch(PartitionLog::hasRoom)) {
            log.run();
            acknowledge(log);
        }
    }

    private void run(LogFixture log, int... on) {
        byte[] bytes = new byte[random.chance(0.1) ? random.nextInt(1400) : random.nextInt(60)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextLong();
        }
        Ran ran = new Ran(++lastTransaction, HexFormat.of().formatHex(bytes), on);
        ran.ringPosition =
                on.length == 1 ? log.append(on[0], ran.id, ran.payload) : log.appendJoined(ran.id, ran.payload, on);
        add(ran);
    }

    private void runSnapshot(LogFixture log) {
        int[] all = new int[partitions];
        Arrays.setAll(all, i -> i);
        Ran ran = new Ran(++lastTransaction, "", all);
        ran.ringPosition =
                log.logs[0].begin(RecordKind.SNAPSHOT_BEGIN, ran.id, -1, 0).end(log.logs, partitions);
        add(ran);
    }

    private void add(Ran ran) {
        for (int partition : ran.partitions) {
            order.get(partition).add(ran);
        }
    }

    private int[] some() {
        int first = random.nextInt(partitions);
        int second = (first + 1 + random.nextInt(partitions - 1)) % partitions;
        return new int[] {first, second};
    }

    private void acknowledge(LogFixture log) {
        for (int p = 0; p < partitions; p++) {
            for (Ran ran : order.get(p)) {
                if (ran.partitions[0] == p && ran.ringPosition <= log.logs[p].durable()) {
                    ran.acknowledged = true;
                }
            }
        }
        for (long[] snapshot : log.snapshots) {
            snapshotTransaction = snapshot[0];
            snapshotPosition = snapshot[1];
        }
        log.snapshots.clear();
    }

    private List<Long> acknowledged() {
        List<Long> ids = new ArrayList<>();
        order.forEach(ran -> ran.stream().filter(r -> r.acknowledged).forEach(r -> ids.add(r.id)));
        return ids;
    }

    /** Opens the log without changing it, and checks it. */
    void check(FileStore store) {
        check(LogTail.find(store, settings, snapshotPosition));
    }

    /** Compares the log with the transactions run; missing ones are forgotten if they were never acknowledged. */
    private void check(LogTail tail) {
        List<LoggedRecord> records = LoggedRecord.read(tail.read(snapshotPosition));
        for (int p = 0; p < partitions; p++) {
            List<Ran> ran = order.get(p);
            ran.removeIf(r -> r.id <= snapshotTransaction);
            int found = 0;
            for (LoggedRecord record : records) {
                Ran expected = found < ran.size() ? ran.get(found) : null;
                if (record.partition() == p || record.partition() < 0 && isOn(record, p)) {
                    assertThat(expected)
                            .as("%s is in the log, but ran never", record)
                            .isNotNull();
                    assertThat(record.transactionId()).isEqualTo(expected.id);
                    assertThat(record.payload()).isEqualTo(expected.payload);
                    found++;
                }
            }
            for (Ran missing : ran.subList(found, ran.size())) {
                assertThat(missing.acknowledged)
                        .as("transaction %d of partition %d was acknowledged and is not in the log", missing.id, p)
                        .isFalse();
            }
            ran.subList(found, ran.size()).clear();
        }
    }

    private boolean isOn(LoggedRecord record, int partition) {
        for (List<Ran> all : order) {
            for (Ran ran : all) {
                if (ran.id == record.transactionId()) {
                    return ran.isOn(partition);
                }
            }
        }
        throw new AssertionError(record + " is in the log, but never ran");
    }

    /** The database is open: whatever the log gave back may be seen by clients, and must not vanish any more. */
    private void expose() {
        order.forEach(ran -> ran.forEach(r -> {
            r.acknowledged = true;
            r.ringPosition = Long.MAX_VALUE;
        }));
    }

    private void forget() {
        order.forEach(List::clear);
    }
}

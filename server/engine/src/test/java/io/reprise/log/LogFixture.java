package io.reprise.log;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.simulation.SimulatedClock;
import java.util.ArrayList;
import java.util.List;

/** A log on a disk with some partitions in front of it, driven by hand. */
final class LogFixture implements AutoCloseable {
    static final DatabaseId DATABASE = new DatabaseId(0x0123456789ABCDEFL, 0x112233445566770AL);

    /** Segments of a few frames each, so that small tests see many of them. */
    static final LogSettings SMALL = LogSettings.DEFAULTS
            .withSizes(256, 1024, 4096, 1500)
            .withSegmentBytes(4096)
            .withMaxDelayNs(0)
            .withCompression(Compression.NONE);

    final SimulatedClock clock = new SimulatedClock();
    final LogSettings settings;
    final PartitionLog[] logs;
    final List<long[]> snapshots = new ArrayList<>();
    LogWriter writer;

    /** The log's folder, as all threads of an engine have it. */
    LogDirectory directory;

    /** Makes segments, if it is to be driven apart from the writer. */
    SegmentAhead ahead;

    private boolean attended;
    private DatabaseId database = DATABASE;

    LogFixture(LogSettings settings, int partitions) {
        this.settings = settings;
        this.logs = new PartitionLog[partitions];
        for (int i = 0; i < partitions; i++) {
            logs[i] = new PartitionLog(i, i, settings, new Waker());
        }
    }

    /** From the next opening on somebody else than the writer makes segments: {@link #ahead}. */
    LogFixture attended() {
        attended = true;
        return this;
    }

    /** A log that is made is one of this database. */
    LogFixture ofDatabase(DatabaseId other) {
        database = other;
        return this;
    }

    /** Opens the log, which is made if there is none, and starts the writer. */
    LogFixture open(FileStore store) {
        return open(store, 0);
    }

    /** The same for a log of which what is below the position may have been removed. */
    LogFixture open(FileStore store, long from) {
        LogTail tail = LogTail.exists(store, settings)
                ? LogTail.find(store, settings, from)
                : LogTail.create(store, settings, database);
        directory = tail.directory();
        writer = new LogWriter(
                tail,
                settings,
                logs,
                new Waker[0],
                clock,
                (transaction, position) -> snapshots.add(new long[] {transaction, position}));
        if (attended) {
            ahead = writer.segmentsAhead(new Waker());
        }
        writer.onStart();
        return this;
    }

    /** Logs bytes for a transaction of one partition. Returns the position in the partition's log. */
    long append(int partition, long transaction, String payload) {
        return begin(partition, transaction, payload).end();
    }

    /** Logs bytes for a transaction over all the given partitions, run by the first. */
    long appendJoined(long transaction, String payload, int... partitions) {
        PartitionLog[] participants = participants(partitions);
        return begin(partitions[0], transaction, payload).end(participants, participants.length);
    }

    private PartitionLog[] participants(int... partitions) {
        PartitionLog[] participants = new PartitionLog[partitions.length];
        for (int i = 0; i < partitions.length; i++) {
            participants[i] = logs[partitions[i]];
        }
        return participants;
    }

    private RecordBuilder begin(int partition, long transaction, String payload) {
        RecordBuilder record = logs[partition].begin(
                RecordKind.COMMAND, transaction, (int) transaction & 1023, (int) (transaction * 31));
        return record.putBytes(java.util.HexFormat.of().parseHex(payload));
    }

    /** Runs the writer until it finds nothing more to do. */
    void run() {
        while (writer.doWork(clock.nanoTime()) > 0) {
            continue;
        }
    }

    /** Ends the writer as a clean stop does. */
    void stop() {
        writer.onClose();
        writer = null;
    }

    @Override
    public void close() {
        for (PartitionLog log : logs) {
            log.close();
        }
    }
}

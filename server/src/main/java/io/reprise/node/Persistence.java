package io.reprise.node;

import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.durable.DurableGate;
import io.reprise.execution.work.StatementCollector;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogTail;
import io.reprise.log.LogWriter;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.SnapshotMark;
import io.reprise.log.physiological.DataCollector;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What keeps an engine's data beyond its end: the data directory, the log with its writer, and the gates through which
 * transactions pass to it.
 *
 * <pre>
 *  open: lock the directory, find the log's end
 *    -> {@link Recovery}: what was there is there again
 *    -> the log's writer starts, then the sites do
 *  close: the sites end, the log's writer writes the rest and ends, the directory is free again
 * </pre>
 */
final class Persistence implements AutoCloseable {
    private final FileStore files;
    private final Durability durability;
    private final BucketMap buckets;
    private final LogTail tail;
    private final boolean isNew;
    private final Waker writerWaker = new Waker();
    private final PartitionLog[] logs;

    private Persistence(FileStore files, Durability durability, BucketMap buckets, LogTail tail, boolean isNew) {
        this.files = files;
        this.durability = durability;
        this.buckets = buckets;
        this.tail = tail;
        this.isNew = isNew;
        logs = new PartitionLog[buckets.partitions()];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = new PartitionLog(i, durability.log(), writerWaker);
        }
    }

    /** Takes the directory, and finds out what is in it. */
    static Persistence open(FileStore files, Durability durability, BucketMap buckets) {
        files.lock();
        try {
            boolean isNew = !LogTail.exists(files, durability.log());
            LogTail tail = isNew
                    ? LogTail.create(files, durability.log(), newDatabaseId())
                    : LogTail.find(files, durability.log(), 0);
            return new Persistence(files, durability, buckets, tail, isNew);
        } catch (RuntimeException | Error failure) {
            files.close();
            throw failure;
        }
    }

    private static DatabaseId newDatabaseId() {
        SeededRandomness random = SeededRandomness.unpredictable();
        return new DatabaseId(random.nextLong() | 1, random.nextLong());
    }

    /** Brings back what was there. */
    Recovered recover(Options options, List<Partition> partitions, StatementCollector statements) {
        if (isNew) {
            return Recovered.nothing();
        }
        return new Recovery(options, buckets, partitions, statements, tail).run();
    }

    /** A gate for each site. */
    List<CommitGate> gates(List<Partition> partitions) {
        DataCollector[] collectors = partitions.stream()
                .map(partition -> new DataCollector(partition.store(), durability.differential()))
                .toArray(DataCollector[]::new);
        List<CommitGate> gates = new ArrayList<>();
        for (int i = 0; i < logs.length; i++) {
            gates.add(new DurableGate(
                    i,
                    logs,
                    durability.method(),
                    collectors,
                    durability.log().synchronous(),
                    durability.waitingReplies()));
        }
        return gates;
    }

    /** Logs a change that was made before any transaction runs; it is durable before their replies are. */
    void log(SchemaRecord record, long transactionId) {
        RecordBuilder builder = logs[0].begin(RecordKind.CATALOG, transactionId, -1, 0);
        builder.putBytes(record.encode());
        builder.end(logs, logs.length);
    }

    /** What a schema change may have. */
    void checkSize(SchemaRecord record) {
        int bytes = record.encode().length;
        if (bytes > durability.log().maxRecordBytes()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the change of the schema, with its classes, takes " + bytes
                            + " bytes of log, and a log record has at"
                            + " most " + durability.log().maxRecordBytes()
                            + "; deploy smaller jars, or allow larger records");
        }
    }

    /** The log's writer, for a thread of its own. */
    LogWriter writer(Waker[] sites, Clock clock) {
        Waker[] present = Arrays.stream(sites).filter(Objects::nonNull).toArray(Waker[]::new);
        return new LogWriter(tail, durability.log(), logs, present, clock, SnapshotMark.NONE);
    }

    /** What wakes the log's writer. */
    Waker writerWaker() {
        return writerWaker;
    }

    /** Gives the directory up; the writer and the sites have ended. */
    @Override
    public void close() {
        for (PartitionLog log : logs) {
            log.close();
        }
        files.close();
    }
}

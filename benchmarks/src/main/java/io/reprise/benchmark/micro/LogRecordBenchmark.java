package io.reprise.benchmark.micro;

import io.reprise.benchmark.Folders;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.LogWriter;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.SnapshotMark;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The executor's cost of a command record of about 100 bytes (New-Order's): building it in the ring and publishing
 * it. {@code written} has the log writer in the same thread besides, with one write and force for 4,096 records.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LogRecordBenchmark {
    private static final int RECORDS = 4096;

    private Path directory;
    private SystemFileStore store;
    private PartitionLog log;
    private LogWriter writer;
    private long transaction = 1L << 40;

    @Setup
    public void open() throws IOException {
        directory = Files.createTempDirectory("reprise-log");
        store = SystemFileStore.open(directory);
        LogSettings settings = LogSettings.DEFAULTS;
        log = new PartitionLog(0, 0, settings, new Waker());
        LogTail tail = LogTail.create(store, settings, new DatabaseId(1, 10));
        writer = new LogWriter(
                tail, settings, new PartitionLog[] {log}, new Waker[0], SystemClock.INSTANCE, SnapshotMark.NONE);
        writer.onStart();
    }

    /** Empties the ring, outside of what is measured. */
    @Setup(Level.Invocation)
    public void drain() {
        while (!log.isAllDurable()) {
            writer.doWork(System.nanoTime());
        }
    }

    @TearDown
    public void close() throws IOException {
        writer.onClose();
        log.close();
        store.close();
        Folders.remove(directory);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long handedOver() {
        long position = 0;
        for (int i = 0; i < RECORDS; i++) {
            position = logOne(i);
        }
        return position;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long written() {
        for (int i = 0; i < RECORDS; i++) {
            logOne(i);
        }
        drain();
        return log.durable();
    }

    private long logOne(int i) {
        transaction += 4096;
        RecordBuilder record = log.begin(RecordKind.COMMAND, transaction, 17, i);
        NewOrderRecord.put(record, i, transaction);
        return record.end();
    }
}

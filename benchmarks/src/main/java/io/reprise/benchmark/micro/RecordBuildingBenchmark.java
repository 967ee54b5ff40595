package io.reprise.benchmark.micro;

import io.reprise.log.LogSettings;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.record.command.CommandWriter;
import io.reprise.runtime.agent.Waker;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Building a command record like New-Order's, some 50 numbers in 100 bytes: the log's own builder against Chronicle-Bytes,
 * unchecked and checked. All end with the bytes in the partition's ring, where ours are built and the others' are copied; none
 * publishes them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RecordBuildingBenchmark {
    private static final int LINES = NewOrderRecord.LINES;
    private static final int MOST_BYTES = 1 << 12;
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final CommandWriter command = new CommandWriter();
    private final int[] items = new int[LINES];
    private final int[] warehouses = new int[LINES];
    private final int[] quantities = new int[LINES];
    private PartitionLog log;
    private Bytes<?> unchecked;
    private Bytes<?> checked;
    private long transaction = 1L << 40;
    private int number;

    /** Makes the ring and the buffers. */
    @Setup
    public void open() {
        log = new PartitionLog(0, 0, LogSettings.DEFAULTS, new Waker());
        checked = Bytes.allocateDirect(MOST_BYTES);
        unchecked = Bytes.allocateDirect(MOST_BYTES).unchecked(true);
    }

    /** Gives their memory back. */
    @TearDown
    public void close() {
        log.close();
        checked.releaseLast();
        unchecked.releaseLast();
    }

    /** The log's builder. */
    @Benchmark
    public long ours() {
        int i = number++;
        transaction += 4096;
        RecordBuilder record = log.begin(RecordKind.COMMAND, transaction, 17, i);
        NewOrderRecord.put(record, i, transaction);
        long bytes = record.payloadBytes();
        record.abandon();
        return bytes;
    }

    /** The ways of writing commands: an array on the heap, copied into the ring. */
    @Benchmark
    public long oursByArray() {
        int i = number++;
        transaction += 4096;
        for (int line = 0; line < LINES; line++) {
            items[line] = i * 31 + line & 0x1FFFF;
            warehouses[line] = i & 63;
            quantities[line] = line % 10;
        }
        command.begin(12);
        command.putInteger(i & 63);
        command.putInteger(i & 7);
        command.putInteger(i % 3000);
        command.putInteger(transaction);
        command.putInts(items);
        command.putInts(warehouses);
        command.putInts(quantities);
        RecordBuilder record = log.begin(RecordKind.COMMAND, transaction, 17, i);
        record.putBytes(command.segment(), 0, command.length());
        long bytes = record.payloadBytes();
        record.abandon();
        return bytes;
    }

    /** Chronicle-Bytes without bounds checks. */
    @Benchmark
    public long chronicleUnchecked() {
        return build(unchecked);
    }

    /** Chronicle-Bytes as it comes. */
    @Benchmark
    public long chronicleChecked() {
        return build(checked);
    }

    private long build(Bytes<?> bytes) {
        int i = number++;
        transaction += 4096;
        bytes.clear();
        bytes.writeStopBit(12L).writeByte((byte) 8);
        bytes.writeStopBit(zigzag(i & 63)).writeStopBit(zigzag(i & 7)).writeStopBit(zigzag(i % 3000));
        bytes.writeLong(transaction);
        bytes.writeByte((byte) LINES);
        for (int line = 0; line < LINES; line++) {
            bytes.writeStopBit(zigzag(i * 31 + line & 0x1FFFF));
        }
        bytes.writeByte((byte) LINES);
        for (int line = 0; line < LINES; line++) {
            bytes.writeStopBit(zigzag(i & 63));
        }
        bytes.writeByte((byte) LINES);
        for (int line = 0; line < LINES; line++) {
            bytes.writeStopBit(zigzag(line % 10));
        }
        return inRing(bytes, i);
    }

    /** The log writer takes records from the ring. */
    private long inRing(Bytes<?> bytes, int i) {
        RecordBuilder record = log.begin(RecordKind.COMMAND, transaction, 17, i);
        record.putBytes(MEMORY, bytes.addressForRead(0), bytes.writePosition());
        long length = record.payloadBytes();
        record.abandon();
        return length;
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }
}

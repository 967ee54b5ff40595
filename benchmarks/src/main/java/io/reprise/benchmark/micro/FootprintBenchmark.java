package io.reprise.benchmark.micro;

import io.reprise.footprint.AccessTable;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintChunk;
import io.reprise.footprint.FootprintEncoder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A footprint like New-Order's, ten lines: its rows told by the partition's thread, and its bytes made by the footprint agent. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class FootprintBenchmark {
    private static final int COUNT = 64;
    private static final int LINES = 10;
    private static final int STOCKS = 100_000;
    private static final int CUSTOMERS = 30_000;
    private static final int DISTRICTS = 10;
    private static final int BUCKET_SHIFT = 44;
    private static final long ID = 1L << 40;
    private static final long TICKS = 40_000;

    private final FootprintBuffer buffer = new FootprintBuffer(FootprintBuffer.Settings.DEFAULTS);
    private final FootprintEncoder encoder = new FootprintEncoder();

    private final long warehouse = buffer.access(1, 0, 5, 0);
    private final long district = buffer.access(2, 0, 5, 0);
    private final long districtFound = buffer.access(2, 0, 9, 0);
    private final long districtChanged = buffer.access(2, AccessTable.UPDATE, 9, 8);
    private final long customer = buffer.access(3, 0, 5, 0);
    private final long stock = buffer.access(4, 0, 5, 0);
    private final long stockFound = buffer.access(4, 0, 9, 0);
    private final long stockChanged = buffer.access(4, AccessTable.UPDATE, 9, 8);
    private final long order = buffer.access(5, AccessTable.INSERT, 0, -1);
    private final long newOrder = buffer.access(6, AccessTable.INSERT, 0, -1);
    private final long line = buffer.access(7, AccessTable.INSERT, 0, -1);

    private FootprintChunk chunk;
    private long number;

    /** Makes a chunk to be encoded. */
    @Setup
    public void fill() {
        buffer.turnOn();
        for (int i = 0; i < COUNT; i++) {
            tellNewOrder();
        }
        buffer.passOn();
        chunk = buffer.poll();
    }

    private static long row(long of) {
        return 77L << BUCKET_SHIFT | of;
    }

    private long drawn(int i, int of) {
        return Math.floorMod((number * LINES + i) * 0x9E3779B97F4A7C15L >>> 20, of);
    }

    private void tellNewOrder() {
        number++;
        buffer.begin();
        buffer.touch(warehouse, row(0));
        buffer.touch(district, row(number % DISTRICTS));
        buffer.touch(customer, row(drawn(0, CUSTOMERS)));
        buffer.touch(districtFound, row(number % DISTRICTS));
        for (int i = 0; i < LINES; i++) {
            buffer.touch(stock, row(drawn(i, STOCKS)));
            buffer.touch(stockFound, row(drawn(i, STOCKS)));
        }
        buffer.touch(districtChanged, row(number % DISTRICTS));
        buffer.touch(order, row(number));
        buffer.touch(newOrder, row(number));
        for (int i = 0; i < LINES; i++) {
            buffer.touch(stockChanged, row(drawn(i, STOCKS)));
            buffer.touch(line, row(number * LINES + i));
        }
        buffer.commit(ID + number * TICKS, 1, false, false, false);
    }

    /** The partition's thread. */
    @Benchmark
    public void tell() {
        tellNewOrder();
        FootprintChunk full = buffer.poll();
        if (full != null) {
            buffer.giveBack(full);
        }
    }

    /** The agent. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int encode() {
        return encoder.encode(0, chunk);
    }
}

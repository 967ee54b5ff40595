package io.reprise.benchmark.micro;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The price of a checksum for each log record, and for a block: whether records need a cheaper one of their own. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Crc32cBenchmark {
    @Param({"64", "256", "16384"})
    int length;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer;

    @Setup
    public void fill() {
        byte[] bytes = new byte[length];
        new SplittableRandom(42).nextBytes(bytes);
        buffer = ByteBuffer.allocateDirect(length).put(bytes);
    }

    @Benchmark
    public long direct() {
        buffer.clear();
        crc.reset();
        crc.update(buffer);
        return crc.getValue();
    }
}

package io.reprise.benchmark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;

/**
 * The limits of this machine, to hold the other results against: checksum speed, a dependent memory read, the gain of
 * a second thread, forcing 4 KiB to disk at the end of a growing file and into a preallocated one, and its
 * standstills while both cores are busy.
 */
final class MachineBenchmark implements Benchmark {
    private static final int BLOCK = 4096;

    @Override
    public String name() {
        return "machine";
    }

    @Override
    public String description() {
        return "Abilities of this machine: checksums, memory latency, a second thread, forcing a file to disk, standing still";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("crc32c_gb_per_s", "CRC32C over 64 KiB blocks"),
                Key.of("memory_read_ns", "one dependent read, out of cache"),
                Key.of("two_threads_computing", "how much more two threads calculate than one"),
                Key.of("two_threads_reading", "how much more two threads read, out of cache, than one"),
                Key.of("force_append_us", "median of: append 4 KiB to a growing file and force it"),
                Key.of("force_preallocated_us", "median of: write 4 KiB into a preallocated file and force it"),
                Key.of("append_to_preallocated", "how many times as long the append takes"),
                Key.of("standstill_ms_per_s", "in a second, how long all stands still while two threads are busy"),
                Key.of("standstill_forcing_ms_per_s", "the same while a third one forces blocks to disk"));
    }

    @Override
    public Result run(Context context) throws Exception {
        int rounds = context.quickOr(3, 9);
        int forces = context.quickOr(50, 500);
        byte[] block = new byte[64 * 1024];
        int[] chain = chain(context.quickOr(1 << 24, 1 << 26));

        context.progress("Forcing %d blocks, %d rounds each way", forces, rounds);
        Path file = context.scratch().resolve("log");
        Interleaved.Comparison forced = new Interleaved()
                .add("append", () -> medianForceNs(file, forces, false))
                .add("preallocated", () -> medianForceNs(file, forces, true))
                .run(1, rounds);
        Interleaved.Comparison memory = new Interleaved()
                .add("crc", () -> crcGigabytesPerSecond(block, 20_000))
                .add("read", () -> dependentReadNs(chain, 2_000_000))
                .run(2, rounds);
        context.progress("One thread and two");
        double[] computing = new double[rounds];
        double[] reading = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            computing[i] = TwoThreads.computingRatio(1);
            reading[i] = TwoThreads.readingRatio(1, chain);
        }
        context.progress("Standing still");
        double[] still = new double[rounds];
        double[] stillForcing = new double[rounds];
        try (BareForce force = new BareForce(context.scratch().resolve("standstill"))) {
            for (int i = 0; i < rounds; i++) {
                still[i] = Standstill.msPerSecond(1, () -> LockSupport.parkNanos(10_000_000));
                stillForcing[i] = Standstill.msPerSecond(1, force::force);
            }
        }
        return new Result()
                .put("two_threads_computing", new Samples(computing))
                .put("two_threads_reading", new Samples(reading))
                .put("crc32c_gb_per_s", memory.of("crc"))
                .put("memory_read_ns", memory.of("read"))
                .put("force_append_us", forced.of("append").times(1e-3))
                .put("force_preallocated_us", forced.of("preallocated").times(1e-3))
                .put("append_to_preallocated", forced.ratio("append", "preallocated"))
                .put("standstill_ms_per_s", new Samples(still))
                .put("standstill_forcing_ms_per_s", new Samples(stillForcing));
    }

    private static double medianForceNs(Path path, int forces, boolean preallocate) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        double[] times = new double[forces];
        try (FileChannel file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            if (preallocate) {
                for (int i = 0; i < forces; i++) {
                    write(file, block, i);
                }
                file.force(true);
            }
            for (int i = 0; i < forces; i++) {
                long start = System.nanoTime();
                write(file, block, i);
                file.force(false);
                times[i] = System.nanoTime() - start;
            }
        }
        return new Samples(times).median();
    }

    private static void write(FileChannel file, ByteBuffer block, int number) throws IOException {
        block.clear();
        long position = (long) number * BLOCK;
        while (block.hasRemaining()) {
            file.write(block, position + block.position());
        }
    }

    private static double crcGigabytesPerSecond(byte[] block, int repetitions) {
        CRC32C crc = new CRC32C();
        long start = System.nanoTime();
        for (int i = 0; i < repetitions; i++) {
            crc.update(block, 0, block.length);
        }
        long elapsedNs = System.nanoTime() - start;
        consume(crc.getValue());
        return (double) block.length * repetitions / elapsedNs;
    }

    private static double dependentReadNs(int[] chain, int reads) {
        int at = 0;
        long start = System.nanoTime();
        for (int i = 0; i < reads; i++) {
            at = chain[at];
        }
        long elapsedNs = System.nanoTime() - start;
        consume(at);
        return (double) elapsedNs / reads;
    }

    /** One cycle through all elements in random order (Sattolo's algorithm), so that no read can be predicted. */
    private static int[] chain(int size) {
        int[] chain = new int[size];
        Arrays.setAll(chain, i -> i);
        SplittableRandom random = new SplittableRandom(42);
        for (int i = size - 1; i > 0; i--) {
            int j = random.nextInt(i);
            int swapped = chain[i];
            chain[i] = chain[j];
            chain[j] = swapped;
        }
        return chain;
    }

    /** Makes the value matter, so that the loop before can't be left out. */
    private static void consume(long value) {
        if (value == Long.MIN_VALUE) {
            throw new IllegalStateException("never");
        }
    }
}

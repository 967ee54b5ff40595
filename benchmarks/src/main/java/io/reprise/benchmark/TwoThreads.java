package io.reprise.benchmark;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;

/**
 * The gain of two threads over one on this machine, each on data of its own: the bound for any engine with two
 * partitions. If two processors of a virtual machine are one core of the real one, it is far below 2.
 */
final class TwoThreads {
    private static final int HOT_WORDS = 1 << 14;
    private static final int CYCLES = 20_000_000;

    private TwoThreads() {}

    /** Calculations in registers and the nearest cache. */
    static double computingRatio(int rounds) throws Exception {
        return ratio(rounds, TwoThreads::compute);
    }

    /** Dependent reads out of cache; each thread gets a chain of its own from the other half. */
    static double readingRatio(int rounds, int[] chain) throws Exception {
        return ratio(rounds, seed -> read(chain, (int) (seed % 2) * (chain.length / 2)));
    }

    private static double ratio(int rounds, LongUnaryOperator work) throws Exception {
        return new Interleaved()
                .add("two", () -> perSecond(work, 2))
                .add("one", () -> perSecond(work, 1))
                .run(1, rounds)
                .ratio("two", "one")
                .median();
    }

    private static double perSecond(LongUnaryOperator work, int threads) throws InterruptedException {
        AtomicReference<Exception> failure = new AtomicReference<>();
        CyclicBarrier start = new CyclicBarrier(threads);
        Thread[] all = new Thread[threads];
        long[] tookNs = new long[threads];
        for (int i = 0; i < threads; i++) {
            int index = i;
            all[i] = new Thread(() -> {
                try {
                    start.await();
                    long begin = System.nanoTime();
                    if (work.applyAsLong(index) == Long.MIN_VALUE) {
                        throw new IllegalStateException("never");
                    }
                    tookNs[index] = System.nanoTime() - begin;
                } catch (Exception e) {
                    failure.set(e);
                }
            });
            all[i].start();
        }
        double sum = 0;
        for (int i = 0; i < threads; i++) {
            all[i].join();
            sum += 1e9 / tookNs[i];
        }
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
        return sum;
    }

    private static long compute(long seed) {
        long[] hot = new long[HOT_WORDS];
        long h = seed;
        for (int i = 0; i < CYCLES; i++) {
            h = (h ^ hot[i & HOT_WORDS - 1]) * 0xBF58476D1CE4E5B9L;
            hot[(int) (h >>> 50)] += i;
        }
        return h;
    }

    private static long read(int[] chain, int from) {
        int at = from;
        for (int i = 0; i < CYCLES / 20; i++) {
            at = chain[at];
        }
        return at;
    }
}

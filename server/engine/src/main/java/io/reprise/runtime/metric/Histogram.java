package io.reprise.runtime.metric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A histogram of times with four buckets between each power of two nanoseconds and the next. A time is known to about
 * a fifth, from nanoseconds to centuries, in two kilobytes. One thread records, any other takes a {@link
 * Distribution} of it.
 */
public final class Histogram {
    static final int BUCKETS = 64 * 4;

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counts = new long[BUCKETS];
    private final Counter sumNs = new Counter();
    private final Counter longestNs = new Counter();

    /** Empty. */
    public Histogram() {}

    /** Owner: one more measurement. */
    public void record(long ns) {
        record(ns, 1);
    }

    /** Owner: records several equal times. A negative time, from a clock that was read late, counts as 0. */
    public void record(long ns, long times) {
        long time = Math.max(ns, 0);
        int bucket = bucket(time);
        COUNTS.setOpaque(counts, bucket, counts[bucket] + times);
        sumNs.add(time * times);
        long longest = longestNs.get();
        if (time > longest) {
            longestNs.add(time - longest);
        }
    }

    /** Any thread: everything recorded so far. */
    public Distribution distribution() {
        long[] copy = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = (long) COUNTS.getOpaque(counts, i);
        }
        return new Distribution(copy, sumNs.get(), longestNs.get());
    }

    static int bucket(long ns) {
        long value = Math.max(ns, 4);
        int exponent = 63 - Long.numberOfLeadingZeros(value);
        return exponent * 4 + (int) (value >>> exponent - 2 & 3);
    }

    /** The longest time that goes into a bucket. */
    static long highestIn(int bucket) {
        int exponent = bucket / 4;
        return exponent < 2 ? 4 : ((4L + bucket % 4 + 1) << exponent - 2) - 1;
    }
}

package io.reprise.id;

/**
 * Maps partitioning values to buckets. All rows with one partitioning value, in every table, are in one bucket, so the
 * mapping depends on the value only: an integer, DATE, TIMESTAMP, BOOLEAN or DECIMAL by its (unscaled) number, a string
 * by the 64-bit hash of its bytes that {@code Memory.hash} computes.
 */
public final class Buckets {
    /** A power of two; fixed for the life of a database. */
    public static final int COUNT = 1 << 10;

    private static final int SHIFT = 64 - 10;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Buckets() {}

    /** The bucket of a partitioning value; NULL counts as 0. */
    public static int of(long value) {
        return (int) ((value * GOLDEN) >>> SHIFT);
    }

    /** Mixes one more word into a running hash; also the step of every other hash over words in the engine. */
    public static long mix(long hash, long word) {
        long h = (hash ^ word) * 0xBF58476D1CE4E5B9L;
        return h ^ (h >>> 32);
    }
}

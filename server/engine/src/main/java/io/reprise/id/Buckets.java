package io.reprise.id;

/**
 * The buckets of a database: maps partitioning values to bucket numbers. All rows with one partitioning value, in every
 * table, are in one bucket, so the mapping depends on the value only: an integer, DATE, TIME, TIMESTAMP, BOOLEAN or DECIMAL by
 * its (unscaled) number, a string by the 64-bit hash of its bytes that {@code Memory.hash} computes.
 *
 * <p>The count is a power of two, chosen when the database is created and fixed for its life; it is part of the
 * {@link DatabaseId}.
 */
public record Buckets(int count) {
    /** The fewest that a database can have. */
    public static final int LEAST = 1 << 6;

    /** The most that a database can have. */
    public static final int MOST = 1 << 16;

    /** 1,024 buckets, unless the creation of the database names another count. */
    public static final Buckets DEFAULT = new Buckets(1 << 10);

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Checks the count. */
    public Buckets {
        if (!isCount(count)) {
            throw new IllegalArgumentException(
                    "the number of buckets is a power of two from " + LEAST + " to " + MOST + ", not " + count);
        }
    }

    /** Whether a database can have so many. */
    public static boolean isCount(int count) {
        return count >= LEAST && count <= MOST && Integer.bitCount(count) == 1;
    }

    /** The bucket of a partitioning value; NULL counts as 0. */
    public int of(long value) {
        return of(value, shift());
    }

    /** The same by a {@link #shift} that the caller keeps. */
    public static int of(long value, int shift) {
        return (int) ((value * GOLDEN) >>> shift);
    }

    /** The shift that makes a bucket of a value's product. */
    public int shift() {
        return Long.SIZE - bits();
    }

    /** The number of bits of a bucket's number. */
    public int bits() {
        return Integer.numberOfTrailingZeros(count);
    }

    /** Mixes one more word into a running hash; also the step of every other hash over words in the engine. */
    public static long mix(long hash, long word) {
        long h = (hash ^ word) * 0xBF58476D1CE4E5B9L;
        return h ^ (h >>> 32);
    }
}

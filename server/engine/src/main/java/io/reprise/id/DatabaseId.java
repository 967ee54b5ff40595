package io.reprise.id;

/**
 * The identity of a database, in all its files: its name, and the properties that are fixed for its life. A file of
 * another database is not taken for its own.
 *
 * <pre>
 *  high  long  random bits
 *  low   long  bits 63..8 random; bits 7..0: number of bits of a bucket, 6 to 16
 * </pre>
 *
 * <p>Checksums of log frames and snapshot blocks cover both halves.
 */
public record DatabaseId(long high, long low) {
    /** Never the id of a database: unwritten bytes read as zeros. */
    public static final DatabaseId NONE = new DatabaseId(0, 0);

    private static final int BITS_MASK = 0xFF;

    /** A new database with so many buckets. */
    public static DatabaseId of(long randomHigh, long randomLow, Buckets buckets) {
        return new DatabaseId(randomHigh | 1, randomLow & ~BITS_MASK | buckets.bits());
    }

    /** The buckets of the database. */
    public Buckets buckets() {
        int bits = (int) low & BITS_MASK;
        if (bits >= Integer.SIZE - 1 || !Buckets.isCount(1 << bits)) {
            throw new IllegalStateException(
                    "database id " + this + " has " + bits + " bits for buckets; this program knows 6 to 16");
        }
        return new Buckets(1 << bits);
    }

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}

package io.reprise.footprint;

/** The parts of the numbers in footprints. */
final class FootprintFormat {
    /** Bits of the initiator in a transaction id. */
    static final int INITIATOR_BITS = 12;

    /** Bits of a row's number in its bucket. */
    static final int NUMBER_BITS = 44;

    /** Bits of a bucket's number. */
    static final int BUCKET_BITS = 16;

    /** The forms of a run of rows: each row tells its bucket, all follow the first one, all are in its bucket. */
    static final int PLAIN = 0;

    static final int CONSECUTIVE = 1;
    static final int ONE_BUCKET = 2;
    static final int FORM_BITS = 2;

    /** The contexts of numbers: those of transactions, then those of each access. */
    static final int TIME = 0;

    static final int SHAPE = 1;
    private static final int FIRST_ACCESS = 2;
    private static final int CONTEXTS_OF_ACCESS = 3;

    private FootprintFormat() {}

    /** The context of the difference from the last number of the same table and bucket in the record. */
    static int known(int access) {
        return FIRST_ACCESS + CONTEXTS_OF_ACCESS * access;
    }

    /** The context of the first number of a table and bucket in the record. */
    static int unknown(int access) {
        return known(access) + 1;
    }

    /** The context of the difference of two rows of a run in one bucket. */
    static int gap(int access) {
        return known(access) + 2;
    }

    static int bucket(long row) {
        return (int) (row >>> NUMBER_BITS);
    }

    static long number(long row) {
        return row & (1L << NUMBER_BITS) - 1;
    }

    static long row(int bucket, long number) {
        return (long) bucket << NUMBER_BITS | number;
    }
}

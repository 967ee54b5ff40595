package io.reprise.footprint;

/** The parts of the numbers in footprints. */
final class FootprintFormat {
    /** Bits of the initiator in a transaction id. */
    static final int INITIATOR_BITS = 12;

    /** Bits of a row's number in its bucket. */
    static final int NUMBER_BITS = 44;

    private FootprintFormat() {}

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

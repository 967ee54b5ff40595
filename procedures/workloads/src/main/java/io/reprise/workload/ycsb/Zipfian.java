package io.reprise.workload.ycsb;

import io.reprise.workload.RandomValues;

/**
 * Numbers from 0 on of which the n-th is drawn with a probability proportional to 1 / n^theta, by the method of Gray and
 * others (Quickly Generating Billion-Record Synthetic Databases, 1994): constant time for each draw. The range may grow;
 * then only what is new is added to the sum.
 */
final class Zipfian {
    /** YCSB's skew. */
    static final double THETA = 0.99;

    /** YCSB draws ranks among so many records, however many there are, and scrambles them onto those. */
    private static final long RANKS = 10_000_000_000L;

    /** The sum of 1 / n^theta over all {@link #RANKS}, as YCSB has it. */
    private static final double ZETA_OF_RANKS = 26.46902820178302;

    private static final double ALPHA = 1 / (1 - THETA);
    private static final double ZETA_OF_2 = 1 + Math.pow(0.5, THETA);

    private long items;
    private double zeta;
    private double eta;

    Zipfian(long items) {
        growTo(items);
    }

    private Zipfian(long items, double zeta) {
        this.items = items;
        this.zeta = zeta;
        eta = eta(items, zeta);
    }

    /** The distribution that YCSB scrambles. */
    static Zipfian ofRanks() {
        return new Zipfian(RANKS, ZETA_OF_RANKS);
    }

    /** Makes the range 0 (included) to {@code newItems} (excluded); it never shrinks. */
    void growTo(long newItems) {
        if (newItems > items) {
            for (long i = items + 1; i <= newItems; i++) {
                zeta += 1 / Math.pow((double) i, THETA);
            }
            items = newItems;
            eta = eta(items, zeta);
        }
    }

    private static double eta(long items, double zeta) {
        return (1 - Math.pow(2.0 / items, 1 - THETA)) / (1 - ZETA_OF_2 / zeta);
    }

    long next(RandomValues random) {
        double u = random.nextDouble();
        double uz = u * zeta;
        if (uz < 1) {
            return 0;
        }
        if (uz < ZETA_OF_2) {
            return Math.min(1, items - 1);
        }
        return Math.min((long) (items * Math.pow(eta * u - eta + 1, ALPHA)), items - 1);
    }
}

package io.reprise.footprint;

import java.util.Arrays;

/**
 * The parameters of adaptive Rice codes: numbers of one kind, its context, take about as many bits as the numbers of that context before
 * did. Encoder and decoder keep the same parameters, and begin anew with each record.
 *
 * <pre>
 *  number n with parameter k:  n >> k ones, a zero, the low k bits of n
 *  from {@value #MOST_ONES} ones on: {@value #MOST_ONES} ones, 6 bits with the length of n minus 1, n
 *  k:                          the lowest one for which count * 2^k is at least the sum
 * </pre>
 *
 * <p>Count and sum begin with 1 and {@value #FIRST_SUM}. Each number adds 1 to the count, and itself to the sum, but at most four times
 * 2^(k + 1). At a count of {@value #MOST_COUNT} both are halved.
 */
final class RiceCodes {
    static final int MOST_ONES = 8;
    static final int LENGTH_BITS = 6;
    private static final int FIRST_SUM = 16;
    private static final int MOST_COUNT = 32;
    private static final int FEW = 64;

    private int[] counts = new int[FEW];
    private long[] sums = new long[FEW];

    RiceCodes() {
        clear();
    }

    void clear() {
        Arrays.fill(counts, 1);
        Arrays.fill(sums, FIRST_SUM);
    }

    /** The parameter for the next number of a context. */
    int parameter(int context) {
        if (context >= counts.length) {
            grow(context);
        }
        long count = counts[context];
        long sum = sums[context];
        if (sum <= count) {
            return 0;
        }
        // The logarithm of the quotient of the highest bits, or one more.
        int least = Long.numberOfLeadingZeros(count) - Long.numberOfLeadingZeros(sum);
        return count << least >= sum ? least : least + 1;
    }

    private void grow(int context) {
        int before = counts.length;
        counts = Arrays.copyOf(counts, Math.max(2 * before, context + 1));
        sums = Arrays.copyOf(sums, counts.length);
        Arrays.fill(counts, before, counts.length, 1);
        Arrays.fill(sums, before, sums.length, FIRST_SUM);
    }

    /** A number of a context has been coded by this parameter. */
    void coded(int context, int parameter, long number) {
        long most = 8L << parameter;
        sums[context] += number < 0 || number > most ? most : number;
        if (++counts[context] == MOST_COUNT) {
            counts[context] >>= 1;
            sums[context] >>= 1;
        }
    }
}

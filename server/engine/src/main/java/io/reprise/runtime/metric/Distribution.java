package io.reprise.runtime.metric;

/** The content of a {@link Histogram} at one time, or of several together. Immutable. */
public final class Distribution {
    /** Of nothing. */
    public static final Distribution EMPTY = new Distribution(new long[Histogram.BUCKETS], 0, 0);

    private final long[] counts;
    private final long count;
    private final long sumNs;
    private final long longestNs;

    Distribution(long[] counts, long sumNs, long longestNs) {
        this.counts = counts;
        this.sumNs = sumNs;
        this.longestNs = longestNs;
        long all = 0;
        for (long one : counts) {
            all += one;
        }
        count = all;
    }

    /** The number of measured times. */
    public long count() {
        return count;
    }

    /** The sum of all times. */
    public long sumNs() {
        return sumNs;
    }

    /** The longest time. */
    public long longestNs() {
        return longestNs;
    }

    /** The mean; 0 if there are none. */
    public long meanNs() {
        return count == 0 ? 0 : sumNs / count;
    }

    /** The time that the given fraction of them stayed below, to about a fifth; 0 if there are none. */
    public long at(double fraction) {
        if (count == 0) {
            return 0;
        }
        long left = (long) Math.ceil(count * fraction);
        for (int i = 0; i < counts.length; i++) {
            left -= counts[i];
            if (left <= 0) {
                return Math.min(Histogram.highestIn(i), longestNs);
            }
        }
        return longestNs;
    }

    /**
     * The number of times below a bound.
     *
     * @param ns the edge of a bucket: a power of two, or one of the three multiples of its quarter above it; for
     *     another time, the count is that of the next edge below
     */
    public long below(long ns) {
        int end = Histogram.bucket(ns);
        long below = 0;
        for (int i = 0; i < end; i++) {
            below += counts[i];
        }
        return below;
    }

    /** Both together. */
    public Distribution plus(Distribution other) {
        long[] sums = counts.clone();
        for (int i = 0; i < sums.length; i++) {
            sums[i] += other.counts[i];
        }
        return new Distribution(sums, sumNs + other.sumNs, Math.max(longestNs, other.longestNs));
    }

    /** The times since an earlier distribution of the same histogram; the longest is that of all time. */
    public Distribution since(Distribution earlier) {
        long[] differences = counts.clone();
        for (int i = 0; i < differences.length; i++) {
            differences[i] -= earlier.counts[i];
        }
        return new Distribution(differences, sumNs - earlier.sumNs, longestNs);
    }
}

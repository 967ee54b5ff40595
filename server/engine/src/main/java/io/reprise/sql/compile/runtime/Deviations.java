package io.reprise.sql.compile.runtime;

/**
 * Variances in one pass, by the method of Youngs and Cramer, which loses few digits to large means. Sums, and sums of squared distances
 * from the mean, are kept as the bits of doubles.
 */
public final class Deviations {
    private Deviations() {}

    /** The sum of squared distances with one more value; {@code count} includes it. */
    public static long squares(long squares, long sum, double value, long count) {
        if (count == 1) {
            return squares;
        }
        double distance = value * count - (Double.longBitsToDouble(sum) + value);
        return Double.doubleToRawLongBits(
                Numbers.add(Double.longBitsToDouble(squares), distance * distance / ((double) count * (count - 1))));
    }

    /** The sum with one more value. */
    public static long sum(long sum, double value) {
        return Double.doubleToRawLongBits(Numbers.add(Double.longBitsToDouble(sum), value));
    }

    /** The variance; {@code fewer} is 1 for that of a sample. Meaningless if there are too few values. */
    public static double variance(long squares, long count, long fewer) {
        return count <= fewer ? 0 : Double.longBitsToDouble(squares) / (count - fewer);
    }

    /** The root of the variance. */
    public static double root(long squares, long count, long fewer) {
        return Math.sqrt(variance(squares, count, fewer));
    }
}

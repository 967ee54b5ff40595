package io.reprise.benchmark;

import java.util.Arrays;

/** Repeated measurements of one thing, in the order taken. The number to quote is the median; the spread is min..max. */
public record Samples(double... values) {
    public Samples {
        if (values.length == 0) {
            throw new IllegalArgumentException("no samples");
        }
        values = values.clone();
    }

    @Override
    public double[] values() {
        return values.clone();
    }

    public int count() {
        return values.length;
    }

    public double median() {
        double[] sorted = values();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest sample that so many percent of all, 1 to 100, do not exceed. */
    public double percentile(int percent) {
        double[] sorted = values();
        Arrays.sort(sorted);
        return sorted[(percent * sorted.length + 99) / 100 - 1];
    }

    public double min() {
        double min = values[0];
        for (double value : values) {
            min = Math.min(min, value);
        }
        return min;
    }

    public double max() {
        double max = values[0];
        for (double value : values) {
            max = Math.max(max, value);
        }
        return max;
    }

    /** Each of these divided by the other's of the same round, which cancels what drifts from round to round. */
    public Samples dividedBy(Samples other) {
        if (other.values.length != values.length) {
            throw new IllegalArgumentException(values.length + " samples divided by " + other.values.length);
        }
        double[] ratios = new double[values.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = values[i] / other.values[i];
        }
        return new Samples(ratios);
    }

    public Samples times(double factor) {
        double[] scaled = new double[values.length];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = values[i] * factor;
        }
        return new Samples(scaled);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Samples samples && Arrays.equals(values, samples.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        String median = Numbers.format(median());
        return values.length == 1
                ? median
                : median + " (" + Numbers.format(min()) + " .. " + Numbers.format(max()) + ", " + values.length + ")";
    }
}

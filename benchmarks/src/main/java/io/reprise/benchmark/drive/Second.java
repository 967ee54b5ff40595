package io.reprise.benchmark.drive;

import org.HdrHistogram.Histogram;

/**
 * The events of about a second.
 *
 * @param at its end, in seconds from the beginning
 * @param perSecond answered calls a second
 * @param rolledBack calls rolled back, as the workload has it
 * @param refused calls not run because too many were under way
 * @param errors calls that ended in any other way
 */
public record Second(
        double at,
        double perSecond,
        double p50Ms,
        double p99Ms,
        double p999Ms,
        double longestMs,
        long rolledBack,
        long refused,
        long errors) {
    private static final double NS_PER_MS = 1e6;

    static Second of(double at, double perSecond, Histogram latencies, long rolledBack, long refused, long errors) {
        return new Second(
                at,
                perSecond,
                latencies.getValueAtPercentile(50) / NS_PER_MS,
                latencies.getValueAtPercentile(99) / NS_PER_MS,
                latencies.getValueAtPercentile(99.9) / NS_PER_MS,
                latencies.getMaxValue() / NS_PER_MS,
                rolledBack,
                refused,
                errors);
    }
}

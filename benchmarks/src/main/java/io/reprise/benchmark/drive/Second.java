package io.reprise.benchmark.drive;

import org.HdrHistogram.Histogram;

/**
 * What happened in about a second.
 *
 * @param at when it ended, in seconds from the beginning
 * @param perSecond how many calls a second were answered
 * @param rolledBack how many were rolled back, as the workload has it
 * @param refused how many were not run because too much was under way
 * @param errors how many ended in any other way
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

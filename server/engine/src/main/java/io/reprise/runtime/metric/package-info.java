/**
 * Numbers about what happens, which one thread writes and any other may read: counters and histograms of times. Writing
 * one costs some nanoseconds, allocates nothing and never waits; a reader gets each number as it is by itself, not all
 * numbers of one moment. Start with {@link io.reprise.runtime.metric.Histogram}.
 */
package io.reprise.runtime.metric;

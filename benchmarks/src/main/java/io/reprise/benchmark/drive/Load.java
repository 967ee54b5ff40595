package io.reprise.benchmark.drive;

import org.HdrHistogram.Histogram;

/** A maker of calls until it is stopped. One thread starts it, stops it and reads its progress. */
interface Load {
    /** Begins to make calls. */
    void start();

    /** Makes no more of them. */
    void stop();

    /** Waits, after {@link #stop}, until those under way have ended. */
    void join() throws InterruptedException;

    /** The number of answered calls: they committed, or the procedure or a constraint rolled them back. */
    long completed();

    /**
     * After {@link #join}: the number of calls that were due before the end and never made, because there was no room
     * for them. They are among the {@link #latencies}, with the time that they had waited by then.
     */
    long missed();

    /** The latencies of calls answered since the last request, in nanoseconds. */
    Histogram latencies();
}

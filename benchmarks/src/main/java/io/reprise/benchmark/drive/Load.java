package io.reprise.benchmark.drive;

import org.HdrHistogram.Histogram;

/** Somebody who makes calls, until told to stop. Started and stopped by one thread, which also asks how it goes. */
interface Load {
    /** Begins to make calls. */
    void start();

    /** Makes no more of them. */
    void stop();

    /** Waits, after {@link #stop}, until those under way have ended. */
    void join() throws InterruptedException;

    /** How many have been answered: they committed, or the procedure or a constraint rolled them back. */
    long completed();

    /**
     * After {@link #join}: how many were due before the end and never made, because there was no room for them. They are among the
     * {@link #latencies}, with the time that they had waited by then.
     */
    long missed();

    /** How long those took that have been answered since this was last asked for, in nanoseconds. */
    Histogram latencies();
}

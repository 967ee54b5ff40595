package io.reprise.simulation;

import io.reprise.runtime.time.Clock;

/**
 * Time that stands still until it is moved. The wall clock follows the monotonic one, and jumps when it is told to.
 * Usable from several threads, so that tests with real threads may move it.
 */
public final class SimulatedClock implements Clock {
    /** 2026-01-01T00:00:00Z. */
    public static final long START_EPOCH_MICROS = 1_767_225_600_000_000L;

    /** Not 0, so that code which takes 0 for "never" is not right by chance. */
    static final long START_NS = 1_000_000_000L;

    private volatile long nowNs = START_NS;
    private volatile long skewMicros;

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long epochMicros() {
        return START_EPOCH_MICROS + (nowNs - START_NS) / 1_000 + skewMicros;
    }

    /** Lets time pass. */
    public synchronized void advance(long ns) {
        if (ns < 0) {
            throw new IllegalArgumentException("monotonic time can't go back by " + -ns + " ns");
        }
        nowNs += ns;
    }

    /** Sets the wall clock forward or back without time passing, as an administrator or NTP would. */
    public synchronized void jumpWallClock(long micros) {
        skewMicros += micros;
    }
}

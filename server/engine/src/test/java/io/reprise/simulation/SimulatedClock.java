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

    private final SimulatedClock time;
    private volatile long nowNs = START_NS;
    private volatile long skewMicros;

    /** A clock at the start of simulated time. */
    public SimulatedClock() {
        this.time = this;
    }

    private SimulatedClock(SimulatedClock time) {
        this.time = time;
    }

    /** Another node's clock: the same time passes for it, but its wall clock is off and jumps for itself. */
    public SimulatedClock skewed(long micros) {
        SimulatedClock other = new SimulatedClock(time);
        other.jumpWallClock(micros);
        return other;
    }

    @Override
    public long nanoTime() {
        return time.nowNs;
    }

    @Override
    public long epochMicros() {
        return START_EPOCH_MICROS + (time.nowNs - START_NS) / 1_000 + skewMicros;
    }

    /** Lets time pass, for all clocks that were made from this one or from which it was made. */
    public void advance(long ns) {
        if (ns < 0) {
            throw new IllegalArgumentException("monotonic time can't go back by " + -ns + " ns");
        }
        synchronized (time) {
            time.nowNs += ns;
        }
    }

    /** Sets the wall clock forward or back without time passing, as an administrator or NTP would. */
    public synchronized void jumpWallClock(long micros) {
        skewMicros += micros;
    }
}

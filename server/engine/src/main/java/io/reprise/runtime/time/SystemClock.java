package io.reprise.runtime.time;

import java.time.Instant;

/** The machine's clocks. Any thread. */
public final class SystemClock implements Clock {
    /** The only instance: it has no state. */
    public static final SystemClock INSTANCE = new SystemClock();

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    private SystemClock() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long epochMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * MICROS_PER_SECOND + now.getNano() / NANOS_PER_MICRO;
    }
}

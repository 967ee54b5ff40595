package io.reprise.runtime.time;

/** A source of time. */
public interface Clock {
    /** Monotonic nanoseconds from an arbitrary start. */
    long nanoTime();

    /** Wall-clock microseconds since 1970-01-01 UTC; may jump. */
    long epochMicros();
}

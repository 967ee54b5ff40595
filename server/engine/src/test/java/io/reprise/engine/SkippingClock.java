package io.reprise.engine;

import io.reprise.runtime.time.Clock;
import io.reprise.runtime.time.SystemClock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The machine's clock, which a test may put forward instead of waiting: long waits need not last, and quick ones have
 * time.
 */
public final class SkippingClock implements Clock {
    private final AtomicLong skippedNs = new AtomicLong();

    public void skipMs(long ms) {
        skippedNs.addAndGet(ms * 1_000_000);
    }

    @Override
    public long nanoTime() {
        return SystemClock.INSTANCE.nanoTime() + skippedNs.get();
    }

    @Override
    public long epochMicros() {
        return SystemClock.INSTANCE.epochMicros() + skippedNs.get() / 1000;
    }
}

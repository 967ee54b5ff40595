package io.reprise.runtime.agent;

import java.util.concurrent.locks.LockSupport;

/**
 * Spins, then yields, then parks for a time that doubles up to a bound. For agents whose producers cannot wake them;
 * otherwise {@link ParkingIdleStrategy} idles for longer and answers sooner.
 */
public final class BackoffIdleStrategy implements IdleStrategy {
    private final int spins;
    private final int yields;
    private final long minParkNs;
    private final long maxParkNs;

    private int idleCycles;
    private long parkNs;

    /** Spins a few microseconds, then parks for 1 microsecond up to 1 millisecond. */
    public BackoffIdleStrategy() {
        this(50, 10, 1_000, 1_000_000);
    }

    /** Idles so many cycles by spinning, then so many by yielding, then parks for a time between the bounds. */
    public BackoffIdleStrategy(int spins, int yields, long minParkNs, long maxParkNs) {
        if (spins < 0 || yields < 0 || minParkNs <= 0 || maxParkNs < minParkNs) {
            throw new IllegalArgumentException("spins " + spins + " and yields " + yields
                    + " must not be negative, parking times " + minParkNs + " to " + maxParkNs
                    + " ns must be positive and ascend");
        }
        this.spins = spins;
        this.yields = yields;
        this.minParkNs = minParkNs;
        this.maxParkNs = maxParkNs;
        this.parkNs = minParkNs;
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            idleCycles = 0;
            parkNs = minParkNs;
        } else if (idleCycles < spins) {
            idleCycles++;
            Thread.onSpinWait();
        } else if (idleCycles < spins + yields) {
            idleCycles++;
            Thread.yield();
        } else {
            LockSupport.parkNanos(parkNs);
            parkNs = Math.min(parkNs * 2, maxParkNs);
        }
    }
}

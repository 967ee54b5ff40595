package io.reprise.runtime.agent;

/**
 * Spins and yields for a moment, then parks until a producer wakes it, so that an idle engine uses next to no CPU and a
 * call still takes microseconds. The park is bounded, and its bound doubles while nothing comes: time passes for the
 * agent too (deadlines, heartbeats), and it must not depend on others for that.
 */
public final class ParkingIdleStrategy implements IdleStrategy {
    private static final long MOST_SPUN_NS = 250_000;

    /** A duty cycle that finds nothing takes a part of a microsecond, and who is asked 10,000 times a second pays for these each time. */
    private static final int USUAL_SPINS = 10;

    private static final int USUAL_YIELDS = 2;

    private final Waker waker;
    private final int spins;
    private final int yields;
    private final long minParkNs;
    private final long maxParkNs;
    private final int shortParks;

    /** Decides how long to yield where yielding is rewarded; null: never. */
    private final SpinBudget budget;

    private int idleCycles;
    private int parks;
    private boolean armed;
    private long parkNs;

    /**
     * Spins a few times, yields, and goes on yielding while its {@link SpinBudget} trusts that something comes
     * soon; then parks for 1 to 100 milliseconds: 0.1% of a core when idle for long. An agent whose own timers are finer passes its own
     * bounds.
     */
    public ParkingIdleStrategy(Waker waker) {
        this(waker, USUAL_SPINS, USUAL_YIELDS, 1_000_000, 100_000_000, 1, new SpinBudget(MOST_SPUN_NS));
    }

    /** Idles so many cycles by spinning, then so many by yielding, then parks for at most a time between the bounds. */
    public ParkingIdleStrategy(Waker waker, int spins, int yields, long minParkNs, long maxParkNs) {
        this(waker, spins, yields, minParkNs, maxParkNs, 1, null);
    }

    /**
     * Spins a few times, then parks: so many times for the shortest time before it grows. It never yields, because
     * a thread that has yielded can't be woken. On a machine with busy cores such a thread runs again only when the
     * others let go.
     */
    public ParkingIdleStrategy(Waker waker, long minParkNs, long maxParkNs, int shortParks) {
        this(waker, USUAL_SPINS, 0, minParkNs, maxParkNs, shortParks, null);
    }

    ParkingIdleStrategy(
            Waker waker, int spins, int yields, long minParkNs, long maxParkNs, int shortParks, SpinBudget budget) {
        if (spins < 0 || yields < 0 || minParkNs <= 0 || maxParkNs < minParkNs || shortParks < 1) {
            throw new IllegalArgumentException("spins " + spins + " and yields " + yields
                    + " must not be negative, parking times " + minParkNs + " to " + maxParkNs
                    + " ns must be positive and ascend, and at least one of " + shortParks + " parks is the first");
        }
        this.shortParks = shortParks;
        this.waker = waker;
        this.spins = spins;
        this.yields = yields;
        this.minParkNs = minParkNs;
        this.maxParkNs = maxParkNs;
        this.parkNs = minParkNs;
        this.budget = budget;
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            if (budget != null && budget.isWaiting()) {
                budget.found(System.nanoTime());
            }
            begin();
            if (armed) {
                armed = false;
                waker.disarm();
            }
        } else if (armed) {
            park();
        } else if (idleCycles < spins) {
            idleCycles++;
            Thread.onSpinWait();
        } else if (idleCycles < spins + yields) {
            idleCycles++;
            Thread.yield();
        } else if (budget != null && budget.spins(System.nanoTime())) {
            Thread.yield();
        } else {
            arm();
        }
    }

    private void park() {
        if (waker.park(parkNs)) {
            armed = false;
            begin();
        } else {
            parks++;
            if (parks >= shortParks) {
                parkNs = Math.min(parkNs * 2, maxParkNs);
            }
            arm();
        }
    }

    private void begin() {
        idleCycles = 0;
        parks = 0;
        parkNs = minParkNs;
    }

    /** The duty cycle that follows this is the last look into the queues before the park. */
    private void arm() {
        waker.arm();
        armed = true;
    }
}

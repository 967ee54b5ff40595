package io.reprise.engine;

import io.reprise.log.LogSettings;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;

/**
 * The idling of the log's writer: woken by the first records and by sites that ask it to hurry, but seals, forces of
 * an asynchronous log and the end of a pause between forces are due by the clock.
 *
 * @param leastNs its first time of parking
 * @param mostNs its longest time of parking; by so much a force may come too late
 */
record WriterIdle(long leastNs, long mostNs) {
    private static final long LEAST_NS = 20_000;
    private static final long USUAL_NS = 1_000_000;
    private static final long MOST_NS = 20_000_000;

    /** Calls answered meanwhile may be lost, besides those between two forces. */
    private static final long MOST_ASYNCHRONOUS_NS = 5_000_000;

    private static final int PARKS_IN_PAUSE = 4;

    static WriterIdle of(LogSettings log) {
        long most = log.synchronous() ? MOST_NS : Math.min(MOST_ASYNCHRONOUS_NS, log.forceEveryNs() / 4);
        most = Math.max(most, LEAST_NS);
        long least = Math.min(most, USUAL_NS);
        long pause = log.longestPauseNs();
        if (pause > 0) {
            least = Math.max(LEAST_NS, Math.min(least, pause / PARKS_IN_PAUSE));
        }
        return new WriterIdle(least, most);
    }

    /** The same as a strategy of the agent that is woken by this. */
    IdleStrategy strategy(Waker writer) {
        return new ParkingIdleStrategy(writer, leastNs, mostNs, 2 * PARKS_IN_PAUSE);
    }
}

package io.reprise.benchmark.tcp;

import java.util.ArrayDeque;
import java.util.OptionalDouble;

/**
 * Finds out when calls were as fast again as they had been before: at the beginning of the first tenth of a second in which nearly as many
 * were answered as were due, and no more than one in a hundred took longer than 99 of 100 did before. It is given what happens in steps
 * much shorter than that, so that the answer is exact to a step; 0: they were as fast from the beginning.
 */
final class Recovery {
    static final int STEP_MS = 10;
    private static final int SPAN_STEPS = 10;

    /** Calls are not answered in the step in which they were made. */
    private static final double ANSWERED = 0.9;

    private static final double SLOW = 0.01;

    private final double callsPerMs;
    private final ArrayDeque<Step> span = new ArrayDeque<>();

    private record Step(double beganMs, double endedMs, long calls, long slow) {}

    /** Calls are due at this rate. */
    Recovery(double perSecond) {
        callsPerMs = perSecond / 1000;
    }

    /**
     * The next step.
     *
     * @param beganMs its beginning, since the end of the overload
     * @param calls number of calls answered in it
     * @param slow number of them that took longer than 99 of 100 did before
     * @return the time at which calls were as fast as before; empty: not yet
     */
    OptionalDouble add(double beganMs, double endedMs, long calls, long slow) {
        span.addLast(new Step(beganMs, endedMs, calls, slow));
        if (span.size() < SPAN_STEPS) {
            return OptionalDouble.empty();
        }
        long all = span.stream().mapToLong(Step::calls).sum();
        long allSlow = span.stream().mapToLong(Step::slow).sum();
        double from = span.getFirst().beganMs;
        boolean fast = all >= ANSWERED * callsPerMs * (endedMs - from) && allSlow <= SLOW * all;
        span.removeFirst();
        return fast ? OptionalDouble.of(from) : OptionalDouble.empty();
    }
}

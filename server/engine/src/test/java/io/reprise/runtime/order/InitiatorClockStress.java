package io.reprise.runtime.order;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.reprise.runtime.agent.SpscRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * An executor that got a promise for an id has everything at or below it in its queue.
 */
final class InitiatorClockStress {
    private InitiatorClockStress() {}

    /**
     * An initiator that stamps 10, or one above its promise, while an executor asks for 20. The results are what was
     * promised, which id the executor found in its queue then (0: none), and which id the initiator made.
     */
    @JCStressTest
    @Outcome(id = "20, 10, 10", expect = ACCEPTABLE, desc = "stamped before the promise, and visible")
    @Outcome(
            id = {"20, 0, 21", "20, 21, 21"},
            expect = ACCEPTABLE,
            desc = "stamped after the promise, above it")
    @Outcome(
            id = {"0, 0, 10", "0, 10, 10"},
            expect = ACCEPTABLE,
            desc = "asked while stamping: no new promise")
    @Outcome(expect = FORBIDDEN, desc = "something at or below the promise is missing")
    @State
    public static class OneExecutor {
        private final InitiatorClock clock = new InitiatorClock(0);
        private final SpscRing<Long> ring = new SpscRing<>(4);

        /** Stamps one transaction. */
        @Actor
        public void initiator(JJJ_Result result) {
            long promised = clock.beginStamping();
            long id = Math.max(10, promised + 1);
            ring.offer(id);
            clock.endStamping(id);
            result.r3 = id;
        }

        /** Asks, then looks. */
        @Actor
        public void executor(JJJ_Result result) {
            result.r1 = clock.promiseAtLeast(20);
            Long found = ring.poll();
            result.r2 = found == null ? 0 : found;
        }
    }

    /** Two executors that ask for different ids: neither takes back what the other was promised. */
    @JCStressTest
    @Outcome(
            id = {"20, 30, 30", "30, 30, 30"},
            expect = ACCEPTABLE,
            desc = "both got what they asked for, or more")
    @Outcome(expect = FORBIDDEN, desc = "a promise was too low, or fell")
    @State
    public static class TwoExecutors {
        private final InitiatorClock clock = new InitiatorClock(0);

        /** Asks for less. */
        @Actor
        public void first(JJJ_Result result) {
            result.r1 = clock.promiseAtLeast(20);
        }

        /** Asks for more. */
        @Actor
        public void second(JJJ_Result result) {
            result.r2 = clock.promiseAtLeast(30);
        }

        /** Looks when both are done. */
        @Arbiter
        public void arbiter(JJJ_Result result) {
            result.r3 = clock.promised();
        }
    }
}

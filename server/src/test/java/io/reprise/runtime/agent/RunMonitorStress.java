package io.reprise.runtime.agent;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLZ_Result;

/**
 * A run that felt the brake is never taken for one in time, and the brake meant for one run is off at the latest when the
 * next one has ended. The results are what the executor found at the end of its first and second run (with a + if it felt
 * the brake meanwhile), and whether the brake is still on after a third.
 */
final class RunMonitorStress {
    private RunMonitorStress() {}

    /** An executor with two runs, and a watcher that ends whichever it finds. */
    @JCStressTest
    @Outcome(
            id = "IN_TIME, IN_TIME, false",
            expect = ACCEPTABLE,
            desc = "found none, or too late to be noticed by these")
    @Outcome(
            id = {"OVERDUE, IN_TIME, false", "OVERDUE+, IN_TIME, false"},
            expect = ACCEPTABLE,
            desc = "the first was meant")
    @Outcome(
            id = {"IN_TIME, OVERDUE, false", "IN_TIME, OVERDUE+, false"},
            expect = ACCEPTABLE,
            desc = "the second was meant")
    @Outcome(
            id = {"IN_TIME, HIT_BY_MISTAKE, false", "IN_TIME, HIT_BY_MISTAKE+, false"},
            expect = ACCEPTABLE,
            desc = "the first was meant, and ended just then")
    @Outcome(expect = FORBIDDEN, desc = "a run felt the brake and was not told, or the brake stayed on")
    @State
    public static class TwoRuns {
        private volatile boolean braking;
        private final RunMonitor monitor = new RunMonitor(new RunMonitor.Brake() {
            @Override
            public void pull(Thread thread) {
                braking = true;
            }

            @Override
            public void release(Thread thread) {
                braking = false;
            }
        });

        /** Runs twice. */
        @Actor
        public void executor(LLZ_Result result) {
            result.r1 = run();
            result.r2 = run();
        }

        /** Ends what runs. */
        @Actor
        public void watcher() {
            long running = monitor.running();
            if (running != 0) {
                monitor.overdue(running);
            }
        }

        /** Runs once more. */
        @Arbiter
        public void arbiter(LLZ_Result result) {
            run();
            result.r3 = braking;
        }

        private String run() {
            monitor.begin();
            boolean felt = braking;
            return monitor.end() + (felt ? "+" : "");
        }
    }
}

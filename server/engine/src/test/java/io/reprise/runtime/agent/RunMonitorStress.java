package io.reprise.runtime.agent;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.function.BooleanSupplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLZ_Result;
import org.openjdk.jcstress.infra.results.LZZ_Result;

/** A run feels the brake only if it is meant, and is told that it was; later runs feel nothing, and nothing is left. */
final class RunMonitorStress {
    private RunMonitorStress() {}

    /** A monitor, and what its thread feels. */
    private static final class Braked implements RunMonitor.Brake {
        final RunMonitor monitor = new RunMonitor(this);
        private volatile BooleanSupplier mark;

        Braked() {
            monitor.runsOn(Thread.currentThread());
        }

        @Override
        public void pull(Thread thread, BooleanSupplier meant) {
            mark = meant;
        }

        @Override
        public void release(Thread thread) {
            mark = null;
        }

        boolean feels() {
            BooleanSupplier meant = mark;
            return meant != null && meant.getAsBoolean();
        }

        String run() {
            monitor.begin();
            boolean felt = feels();
            return monitor.end() + (felt ? "+" : "");
        }

        void watch() {
            long running = monitor.running();
            if (running != 0) {
                monitor.overdue(running);
            }
        }

        boolean isMarkedAfterNextLook() {
            monitor.tidy();
            return mark != null;
        }
    }

    /**
     * An executor with two runs, and a watcher that ends whichever it finds. The results are what the executor found at the end
     * of each run (with a + if it felt the brake meanwhile), and whether a mark is left after the watcher's next look.
     */
    @JCStressTest
    @Outcome(id = "IN_TIME, IN_TIME, false", expect = ACCEPTABLE, desc = "found none, or too late")
    @Outcome(
            id = {"OVERDUE, IN_TIME, false", "OVERDUE+, IN_TIME, false"},
            expect = ACCEPTABLE,
            desc = "the first was meant")
    @Outcome(
            id = {"IN_TIME, OVERDUE, false", "IN_TIME, OVERDUE+, false"},
            expect = ACCEPTABLE,
            desc = "the second was meant")
    @Outcome(expect = FORBIDDEN, desc = "a run felt the brake that was not meant or was not told, or a mark stayed on")
    @State
    public static class TwoRuns {
        private final Braked braked = new Braked();

        /** Runs twice. */
        @Actor
        public void executor(LLZ_Result result) {
            result.r1 = braked.run();
            result.r2 = braked.run();
        }

        /** Ends what runs. */
        @Actor
        public void watcher() {
            braked.watch();
        }

        /** Looks again. */
        @Arbiter
        public void arbiter(LLZ_Result result) {
            result.r3 = braked.isMarkedAfterNextLook();
        }
    }

    /**
     * A thread that runs nothing watched any more, when its last run ended as it was about to be ended. The results
     * are the executor's finding at the end of the run, its feeling behind it, and whether a mark is left after the
     * watcher's next look.
     */
    @JCStressTest
    @Outcome(
            id = {"IN_TIME, false, false", "OVERDUE, false, false"},
            expect = ACCEPTABLE,
            desc = "what follows feels nothing")
    @Outcome(
            expect = FORBIDDEN,
            desc = "what follows felt the brake that the run was meant to feel, or a mark stayed on")
    @State
    public static class Unwatched {
        private final Braked braked = new Braked();

        /** Runs once, and goes on. */
        @Actor
        public void executor(LZZ_Result result) {
            braked.monitor.begin();
            result.r1 = braked.monitor.end();
            result.r2 = braked.feels();
        }

        /** Ends what runs. */
        @Actor
        public void watcher() {
            braked.watch();
        }

        /** Looks again. */
        @Arbiter
        public void arbiter(LZZ_Result result) {
            result.r3 = braked.isMarkedAfterNextLook();
        }
    }
}

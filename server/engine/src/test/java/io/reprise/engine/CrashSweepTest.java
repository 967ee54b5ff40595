package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.SweepScenario.Shape;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.simulation.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * The engine over a disk that fails, is full or read-only, or loses its power, at each call in turn. After recovery
 * every acknowledged row and schema change is there; of the rest there is what the log had before it broke off. The
 * same holds when it happens again during the recovery, or during the work and the snapshots behind it.
 *
 * <p>A build tries some calls, {@code -Plong} all of them; {@code -Dreprise.seeds=N} tries other scenarios.
 */
final class CrashSweepTest {
    /** Mostly the recovery, sometimes the work and the snapshots behind it. */
    private static final long CALLS_OF_A_RECOVERY = 60;

    @ParameterizedTest
    @EnumSource(Shape.class)
    void shouldDoAllWorkWhenNothingFails(Shape shape) {
        for (LoggingMethod method : LoggingMethod.values()) {
            Seeds.forEach(1, seed -> {
                SweepScenario scenario = new SweepScenario(shape, method, seed, seed);

                scenario.workToTheEnd();

                assertThat(scenario.largestBatch()).isGreaterThan(2);
                assertThat(scenario.reusedSegments()).isGreaterThan(shape == Shape.REUSING ? 1 : -1);
                scenario.check();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenThePowerIsLost(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.USUAL, method, SweepFault.POWER_LOSS, seed, 61));
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenACallFailsAndThePowerIsLost(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.USUAL, method, SweepFault.ERROR_THEN_POWER_LOSS, seed, 83));
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldKeepWhatWasAcknowledgedWhenACallFailsAndTheProcessIsKilled(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.USUAL, method, SweepFault.ERROR_THEN_KILL, seed, 83));
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.MATCH_ANY,
            names = {"POWER_LOSS", "ERROR.*"})
    void shouldKeepWhatWasAcknowledgedWhenSegmentsAreUsedAgain(SweepFault fault) {
        Seeds.forEach(1, seed -> sweep(Shape.REUSING, LoggingMethod.PHYSIOLOGICAL, fault, seed, 211));
    }

    /** A state of the past, and not of a more distant one than is said. */
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldLoseNoMoreThanIsSaidWhenTheLogIsAsynchronousAndThePowerIsLost(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.ASYNCHRONOUS, method, SweepFault.POWER_LOSS, seed, 97));
    }

    /** It says why it refuses something, or ends; when the disk is repaired it goes on, or can be opened again. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.MATCH_ANY,
            names = {"FULL.*", "READ_ONLY.*"})
    void shouldKeepWhatWasAcknowledgedAndSayWhyWhenTheDiskIsFullOrReadOnly(SweepFault fault) {
        Seeds.forEach(1, seed -> {
            sweep(Shape.USUAL, LoggingMethod.COMMAND, fault, seed, 79);
            sweep(Shape.REUSING, LoggingMethod.PHYSIOLOGICAL, fault, seed, 293);
        });
    }

    /** So many calls apart, in turn; and each time something happens to a call of the next boot too. */
    private static void sweep(Shape shape, LoggingMethod method, SweepFault fault, long seed, int stride) {
        long calls = callsOf(shape, method, fault, seed);
        int stopped = 0;
        int points = 0;
        for (long call = 1L + Math.floorMod(seed, stride); call <= calls; call += stride) {
            SweepScenario scenario = new SweepScenario(shape, method, seed, seed + call);
            String what = fault + " at call " + call + " of " + calls;
            try {
                stopped += scenario.workUntil(fault, call) ? 0 : 1;
                long again = 1 + call * 31 % (call % 3 == 0 ? calls : CALLS_OF_A_RECOVERY);
                what += ", and again at call " + again;
                scenario.workUntil(fault, again);
                scenario.check();
                points++;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(shape + ", " + method + ", " + what + ": " + e, e);
            }
        }
        System.out.println("CrashSweepTest: " + shape + ", " + method + ", " + fault + ", seed " + seed + ": " + points
                + " of " + calls + " calls, " + stopped + " of them ended the engine");
        if (fault == SweepFault.POWER_LOSS) {
            assertThat(stopped).isEqualTo(points);
        }
    }

    private static long callsOf(Shape shape, LoggingMethod method, SweepFault fault, long seed) {
        SweepScenario whole = new SweepScenario(shape, method, seed, seed);
        whole.workToTheEnd();
        return fault.calls(whole.disk());
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(SweepFault.class)
    void shouldKeepWhatWasAcknowledgedWhateverCallItIs(SweepFault fault) {
        for (LoggingMethod method : LoggingMethod.values()) {
            Seeds.forEach(1, seed -> {
                sweep(Shape.USUAL, method, fault, seed, 1);
                sweep(Shape.REUSING, method, fault, seed, 7);
            });
        }
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldLoseNoMoreThanIsSaidWhateverCallItIs(LoggingMethod method) {
        Seeds.forEach(1, seed -> sweep(Shape.ASYNCHRONOUS, method, SweepFault.POWER_LOSS, seed, 1));
    }

    /** The second crash at each call of the boot that follows the first: of its recovery, its work and its snapshots. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource(SweepFault.class)
    void shouldKeepWhatWasAcknowledgedWhateverCallOfTheNextBootItIs(SweepFault fault) {
        for (LoggingMethod method : LoggingMethod.values()) {
            Seeds.forEach(1, seed -> {
                long calls = callsOf(Shape.USUAL, method, fault, seed);
                for (long call = 1; call <= calls; call += calls / 5) {
                    sweepSecond(method, fault, seed, call);
                }
            });
        }
    }

    private static void sweepSecond(LoggingMethod method, SweepFault fault, long seed, long call) {
        boolean done = false;
        long again = 0;
        while (!done) {
            again++;
            SweepScenario scenario = new SweepScenario(Shape.USUAL, method, seed, seed + again);
            try {
                scenario.workUntil(fault, call);
                SweepFault second = again % 2 == 0 ? SweepFault.POWER_LOSS : fault;
                long[] calls = new long[1];
                scenario.workUntil(second, again, disk -> calls[0] = second.calls(disk));
                done = calls[0] < again;
                scenario.workUntil(fault, 1 + again * 7 % 50);
                scenario.check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        method + ", " + fault + " at call " + call + ", and again at call " + again + ": " + e, e);
            }
        }
        System.out.println("CrashSweepTest: the boot after " + fault + " at call " + call + ", " + method + ", seed "
                + seed + ": " + again + " calls");
    }
}

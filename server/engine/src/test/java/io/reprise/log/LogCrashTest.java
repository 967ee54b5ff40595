package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Crashes at every call to the disk: whatever was acknowledged is there when the log is opened again, in order, and
 * nothing half.
 */
class LogCrashTest {
    private static final LogSettings SMALL = LogFixture.SMALL;

    /** More than an opening makes. */
    private static final int CALLS_TO_OPEN = 80;

    /** The fault at the n-th call. */
    enum Fault {
        POWER_LOSS,
        ERROR_THEN_POWER_LOSS,
        ERROR_THEN_RESTART
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenAnyCallLosesPower() {
        Seeds.forEach(2, seed -> sweep(seed, Fault.POWER_LOSS, SMALL));
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenAnyCallFailsAndThePowerIsLost() {
        Seeds.forEach(2, seed -> sweep(seed, Fault.ERROR_THEN_POWER_LOSS, SMALL));
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenAnyCallFailsAndTheProcessIsStartedAgain() {
        Seeds.forEach(2, seed -> sweep(seed, Fault.ERROR_THEN_RESTART, SMALL));
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenAsynchronousAndAnyCallLosesPower() {
        Seeds.forEach(1, seed -> sweep(seed, Fault.POWER_LOSS, SMALL.asynchronous(30_000_000)));
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenCompressedAndAnyCallLosesPower() {
        Seeds.forEach(
                1,
                seed -> sweep(
                        seed,
                        Fault.POWER_LOSS,
                        SMALL.withCompression(Compression.ALWAYS).withMaxDelayNs(5_000_000)));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldLoseNothingAcknowledgedWhenSegmentsAreUsedAgainAndAnyCallFails(Fault fault) {
        Seeds.forEach(2, seed -> {
            List<LogHistory> histories = sweep(seed, fault, SMALL, LogCrashTest::withManySnapshots);
            assertThat(histories.getLast().reusedSegments()).isGreaterThan(2);
        });
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenSegmentsAreUsedAgainAsynchronouslyAndCompressed() {
        LogSettings settings = SMALL.asynchronous(30_000_000).withCompression(Compression.ALWAYS);
        Seeds.forEach(1, seed -> sweep(seed, Fault.POWER_LOSS, settings, LogCrashTest::withManySnapshots));
    }

    /** With as many spare ones as the log needs until the next snapshot, with one, and with ones of another size. */
    @Test
    void shouldLoseNothingAcknowledgedWhenSegmentsAreUsedAgainOverManyBoots() {
        Seeds.forEach(20, seed -> {
            LogSettings[] settings = {SMALL, SMALL.withSpareSegments(1), SMALL.withSegmentBytes(6144)};
            LogHistory history = withManySnapshots(SMALL, seed);
            SimulatedFileStore disk = new SimulatedFileStore(seed);
            for (int boot = 0; boot < 24; boot++) {
                history.settings(settings[boot / 3 % settings.length]);
                if (boot % 3 != 2) {
                    disk.faults().powerLossAtCall(30 + Math.floorMod(seed * 31 + boot * 97, 400));
                }
                disk = bootUntilItFails(history, disk, Fault.POWER_LOSS).disk();
            }
            history.check(disk);
            assertThat(history.reusedSegments()).isPositive();
        });
    }

    private static LogHistory withManySnapshots(LogSettings settings, long seed) {
        return LogHistory.withManySnapshots(settings, 3, seed);
    }

    @Test
    void shouldLoseNothingAcknowledgedWhenThePowerFailsAgainWhileTheLogIsOpened() {
        Seeds.forEach(60, seed -> {
            LogHistory history = new LogHistory(SMALL, 3, seed);
            SimulatedFileStore disk = new SimulatedFileStore(seed);
            disk.faults().powerLossAtCall(20 + Math.floorMod(seed, 150));
            disk = bootUntilItFails(history, disk, Fault.POWER_LOSS).disk();
            for (int n = 1; n <= CALLS_TO_OPEN; n++) {
                disk.faults().powerLossAtCall(n);
                disk = bootUntilItFails(history, disk, Fault.POWER_LOSS).disk();
            }

            Outcome last = bootUntilItFails(history, disk, Fault.POWER_LOSS);

            assertThat(last.failed()).as("the last boot failed").isFalse();
            history.check(last.disk());
        });
    }

    @Test
    void shouldNoticeOrSurviveAnyWriteThatGetsLostOrGoesAstray() {
        int noticed = 0;
        for (int n = 1; n < 240; n++) {
            LogHistory history = new LogHistory(SMALL, 3, n);
            SimulatedFileStore disk = new SimulatedFileStore(n);
            if (n % 2 == 0) {
                disk.faults().loseWrite(n / 2);
            } else {
                disk.faults().misdirectWrite(n / 2 + 1);
            }
            SimulatedFileStore after =
                    bootUntilItFails(history, disk, Fault.POWER_LOSS).disk();
            try {
                history.check(after);
            } catch (DamagedLogException e) {
                noticed++;
            }
        }
        assertThat(noticed).isGreaterThan(20);
    }

    private static void sweep(long seed, Fault fault, LogSettings settings) {
        sweep(seed, fault, settings, (with, number) -> new LogHistory(with, 3, number));
    }

    /** Returns what was done until each of the calls, and at the end without a fault. */
    private static List<LogHistory> sweep(
            long seed, Fault fault, LogSettings settings, BiFunction<LogSettings, Long, LogHistory> histories) {
        List<LogHistory> all = new ArrayList<>();
        boolean failed = true;
        int n = 1;
        for (; failed; n++) {
            LogHistory history = histories.apply(settings, seed);
            all.add(history);
            SimulatedFileStore disk = new SimulatedFileStore(seed + n);
            if (fault == Fault.POWER_LOSS) {
                disk.faults().powerLossAtCall(n);
            } else {
                disk.faults().failCall(n);
            }
            Outcome outcome = bootUntilItFails(history, disk, fault);
            failed = outcome.failed();
            history.boot(outcome.disk(), 20, n % 2 == 0);
            history.check(outcome.disk().crash());
        }
        assertThat(n).as("calls of the scenario").isGreaterThan(50);
        return all;
    }

    private record Outcome(SimulatedFileStore disk, boolean failed) {}

    private static Outcome bootUntilItFails(LogHistory history, SimulatedFileStore disk, Fault fault) {
        try {
            history.boot(disk, 90, true);
            return new Outcome(disk.crash(), false);
        } catch (SimulatedPowerLoss e) {
            return new Outcome(disk.crash(), true);
        } catch (StorageException e) {
            if (fault == Fault.POWER_LOSS) {
                // Nothing was to fail.
                throw e;
            }
            return new Outcome(fault == Fault.ERROR_THEN_RESTART ? disk.kill() : disk.crash(), true);
        }
    }
}

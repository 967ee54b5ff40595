package io.reprise.benchmark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Clients within the engine's process report their calls. */
final class EngineRunTest {
    private static final double SECONDS = 0.5;
    private static final long LATE_MS = (long) (SECONDS * 200);

    @Test
    void shouldTimeCallsFromWhenTheyWereDueWhenTheEngineCanNotKeepUp() {
        assertThat(medianMs(1e9, median -> median >= LATE_MS && median <= 20_000))
                .as("median in ms of calls that are due a nanosecond apart")
                .isBetween(LATE_MS, 20_000L);
    }

    @Test
    void shouldTimeNoCallFromBeforeItWasMadeWhenTheEngineKeepsUp() {
        assertThat(medianMs(200, median -> median < LATE_MS)).as("median in ms").isLessThan(LATE_MS);
    }

    @Test
    void shouldKnowWhetherClientsHaveMadeAllCallsThatWereDue() {
        Voter voter = new Voter(VoterOptions.STANDARD);
        try (EngineRun run = EngineRun.open(voter, 1, 1L << 30)) {
            run.startTimed(voter, 200);
            assertThat(run.catchUp(20)).as("at a rate that the engine has").isTrue();
            run.stop();

            run.startTimed(voter, 1e9);
            EngineRun.sleep(0.1);
            assertThat(run.catchUp(0.1)).as("at a rate that nobody has").isFalse();
            run.stop();
        }
    }

    private static Histogram callsTimedAt(double callsPerSecond) {
        Voter voter = new Voter(VoterOptions.STANDARD);
        try (EngineRun run = EngineRun.open(voter, 1, 1L << 30)) {
            run.startTimed(voter, callsPerSecond);
            EngineRun.sleep(SECONDS);
            run.stop();
            return run.latencies();
        }
    }

    /** As expected, unless it never is: on a machine that stands still for a while, calls are late. */
    private static long medianMs(double callsPerSecond, LongPredicate expected) {
        long median = Long.MAX_VALUE;
        for (int i = 0; i < 20 && !expected.test(median); i++) {
            Histogram latencies = callsTimedAt(callsPerSecond);
            median = latencies.getTotalCount() == 0
                    ? Long.MAX_VALUE
                    : TimeUnit.NANOSECONDS.toMillis(latencies.getValueAtPercentile(50));
        }
        return median;
    }
}

package io.reprise.benchmark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What clients within the engine's process say of their calls. */
final class EngineRunTest {
    private static final double SECONDS = 0.5;

    @Test
    void shouldTimeCallsFromWhenTheyWereDueWhenTheEngineCanNotKeepUp() {
        assertThat(medianMs(callsTimedAt(1e9)))
                .as("median in ms of calls that are due a nanosecond apart")
                .isBetween((long) (SECONDS * 200), 20_000L);
    }

    @Test
    void shouldTimeNoCallFromBeforeItWasMadeWhenTheEngineKeepsUp() {
        Histogram latencies = callsTimedAt(200);

        assertThat(latencies.getTotalCount()).as("calls").isPositive();
        assertThat(medianMs(latencies)).as("median in ms").isLessThan((long) (SECONDS * 200));
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

    private static long medianMs(Histogram latencies) {
        return TimeUnit.NANOSECONDS.toMillis(latencies.getValueAtPercentile(50));
    }
}

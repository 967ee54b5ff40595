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

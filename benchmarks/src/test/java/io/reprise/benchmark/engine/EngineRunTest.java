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
        Voter voter = new Voter(VoterOptions.STANDARD);
        try (EngineRun run = EngineRun.open(voter, 1, 1L << 30)) {
            run.startTimed(voter, 1e9);
            EngineRun.sleep(SECONDS);
            run.stop();

            Histogram latencies = run.latencies();
            assertThat(TimeUnit.NANOSECONDS.toMillis(latencies.getValueAtPercentile(50)))
                    .as("median in ms of calls that are due a nanosecond apart")
                    .isBetween((long) (SECONDS * 200), 20_000L);
        }
    }

    @Test
    void shouldTimeNoCallFromBeforeItWasMadeWhenTheEngineKeepsUp() {
        Voter voter = new Voter(VoterOptions.STANDARD);
        try (EngineRun run = EngineRun.open(voter, 1, 1L << 30)) {
            run.startTimed(voter, 200);
            EngineRun.sleep(SECONDS);
            run.stop();

            Histogram latencies = run.latencies();
            assertThat(latencies.getTotalCount()).as("calls").isPositive();
            assertThat(TimeUnit.NANOSECONDS.toMillis(latencies.getValueAtPercentile(50)))
                    .as("median in ms")
                    .isLessThan((long) (SECONDS * 200));
        }
    }
}

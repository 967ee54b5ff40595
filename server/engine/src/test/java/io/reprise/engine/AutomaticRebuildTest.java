package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.rebuild.RebuildStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class AutomaticRebuildTest {
    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3600 * SECOND;
    private static final int PARTITION = 7;

    private final List<Integer> asked = new ArrayList<>();
    private CompletableFuture<RebuildReport> answer = new CompletableFuture<>();
    private RebuildStats.State present;
    private final AutomaticRebuild rebuild = new AutomaticRebuild(
            new int[] {3, PARTITION},
            () -> true,
            () -> Optional.ofNullable(present),
            partition -> {
                asked.add(partition);
                return answer;
            },
            () -> {});
    private long nowNs = 17;

    private void stepFor(long ns) {
        for (long end = nowNs + ns; nowNs < end; nowNs += SECOND / 10) {
            rebuild.step(nowNs);
        }
    }

    /** A rebuild that has failed late has left buckets that do not serve. */
    private void fail() {
        present = new RebuildStats.State(PARTITION, 10, true, 2, 8);
        CompletableFuture<RebuildReport> asking = answer;
        answer = new CompletableFuture<>();
        asking.completeExceptionally(new IllegalStateException("no snapshot"));
        rebuild.step(nowNs);
    }

    private void succeed() {
        present = null;
        CompletableFuture<RebuildReport> asking = answer;
        answer = new CompletableFuture<>();
        asking.complete(null);
        rebuild.step(nowNs);
    }

    @Test
    void shouldAskAtOnceAndThenAfterGrowingPausesAtMostThreeTimesAnHour() {
        stepFor(SECOND);
        assertThat(asked).isEmpty();

        present = new RebuildStats.State(PARTITION, 10, true, 2, 8);
        stepFor(SECOND);
        assertThat(asked).containsExactly(PARTITION);
        stepFor(100 * SECOND);
        assertThat(asked).as("one at a time").hasSize(1);

        fail();
        stepFor(SECOND);
        assertThat(asked).as("a pause of 10 s since the last began").hasSize(2);
        fail();
        stepFor(98 * SECOND);
        assertThat(asked).hasSize(2);
        stepFor(3 * SECOND);
        assertThat(asked).hasSize(3);
        fail();
        assertThat(rebuild.counts()).isEqualTo(new AutomaticRebuild.Counts(0, 3, 0, 0));

        stepFor(HOUR / 2);
        assertThat(asked).hasSize(3);
        assertThat(rebuild.counts().givenUp()).isOne();

        stepFor(HOUR / 2);
        assertThat(asked).hasSize(4);
        succeed();
        stepFor(SECOND);
        assertThat(rebuild.counts()).isEqualTo(new AutomaticRebuild.Counts(1, 3, 0, 0));
    }

    @Test
    void shouldWaitWhileAnOperatorRebuilds() {
        present = new RebuildStats.State(PARTITION, 10, true, 2, 0);

        stepFor(10 * SECOND);

        assertThat(asked).isEmpty();
    }
}

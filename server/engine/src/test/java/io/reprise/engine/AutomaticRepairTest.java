package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class AutomaticRepairTest {
    private static final long SECOND = 1_000_000_000;

    private final Set<Integer> damaged = new TreeSet<>();
    private final List<Integer> asked = new ArrayList<>();
    private CompletableFuture<RepairReport> answer = new CompletableFuture<>();
    private final AutomaticRepair repair = new AutomaticRepair(() -> damaged, bucket -> {
        asked.add(bucket);
        return answer;
    });
    private long nowNs = 17;

    private void stepFor(long ns) {
        for (long end = nowNs + ns; nowNs < end; nowNs += SECOND / 10) {
            repair.step(nowNs);
        }
    }

    private void answer(String problem) {
        CompletableFuture<RepairReport> asking = answer;
        answer = new CompletableFuture<>();
        asking.complete(new RepairReport(asked.getLast(), problem, "", 0, 0, 0, 0, 0));
        repair.step(nowNs);
    }

    @Test
    void shouldRepairDamagedBucketsOneByOneAfterAPause() {
        damaged.addAll(List.of(4, 9));
        stepFor(SECOND - 1);
        assertThat(asked).isEmpty();

        stepFor(SECOND);
        assertThat(asked).containsExactly(4);
        stepFor(2 * SECOND);
        assertThat(asked).as("one at a time").containsExactly(4);

        damaged.remove(4);
        answer(null);
        stepFor(3 * SECOND);
        assertThat(asked).as("a rest of four times the repair's length").containsExactly(4);
        stepFor(10 * SECOND);
        assertThat(asked).containsExactly(4, 9);
        damaged.remove(9);
        answer(null);
        stepFor(1000 * SECOND);
        assertThat(asked).containsExactly(4, 9);
        assertThat(repair.counts()).isEqualTo(new AutomaticRepair.Counts(2, 0, 0));
    }

    @Test
    void shouldGiveUpAfterThreeAttemptsWithGrowingPauses() {
        damaged.add(4);
        stepFor(2 * SECOND);
        answer("no snapshot");
        stepFor(9 * SECOND);
        assertThat(asked).hasSize(1);
        stepFor(2 * SECOND);
        assertThat(asked).hasSize(2);
        answer("no snapshot");
        stepFor(99 * SECOND);
        assertThat(asked).hasSize(2);
        stepFor(2 * SECOND);
        answer("no snapshot");

        stepFor(10_000 * SECOND);

        assertThat(asked).hasSize(3);
        assertThat(repair.counts()).isEqualTo(new AutomaticRepair.Counts(0, 3, 1));
    }

    @Test
    void shouldBeginAnewWhenAnOperatorHasRepairedABucketInBetween() {
        damaged.add(4);
        for (int i = 0; i < 3; i++) {
            while (asked.size() == i) {
                stepFor(SECOND);
            }
            answer("no snapshot");
        }
        assertThat(repair.counts().givenUp()).isOne();
        damaged.clear();
        stepFor(10 * SECOND);
        assertThat(repair.counts().givenUp()).isZero();

        damaged.add(4);
        stepFor(3 * SECOND);

        assertThat(asked).hasSize(4);
    }

    @Test
    void shouldWaitWhileAPartitionIsRebuilt() {
        CompletableFuture<RepairReport> later = answer;
        damaged.add(4);
        answer = null;
        stepFor(3 * SECOND);
        assertThat(repair.counts()).isEqualTo(new AutomaticRepair.Counts(0, 0, 0));

        answer = later;
        stepFor(SECOND);
        damaged.clear();
        answer(null);

        assertThat(repair.counts().succeeded()).isOne();
    }
}

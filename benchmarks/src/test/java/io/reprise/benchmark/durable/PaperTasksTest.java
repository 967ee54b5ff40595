package io.reprise.benchmark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tasks of the processes that measure the paper's figures, in this one. */
final class PaperTasksTest {
    @TempDir
    Path folder;

    @Test
    void shouldObserveCallsAtTheRateThatItIsTold() {
        PaperTask task = new PaperTask();
        task.open(List.of("VOTER", "COMMAND", folder.toString()));
        try {
            Map<String, Double> seen = task.answer(List.of("observe", "2000", "0.5"));
            // If the machine has stood still for a part of that, it is observed once more.
            for (int i = 0; i < 20 && Math.abs(seen.get("tps") - 2_000) > 1_000; i++) {
                seen = task.answer(List.of("observe", "2000", "0.5"));
            }

            assertThat(seen.get("tps")).isBetween(1_000.0, 3_000.0);
            assertThat(seen.get("p99_ms")).isGreaterThanOrEqualTo(seen.get("p50_ms"));
            assertThat(task.answer(List.of("check"))).isEmpty();
        } finally {
            task.close();
        }
    }

    @Test
    void shouldReplayWhatItHasRun() {
        ReplayTask task = new ReplayTask();
        task.open(List.of("VOTER", "PHYSIOLOGICAL", folder.resolve("engine").toString()));
        try {
            assertThat(task.answer(List.of("turn", "0", "0.2")).get("replayed")).isPositive();
            assertThat(task.answer(List.of("turn", "1000", "0.2")).get("replayed"))
                    .isPositive();
        } finally {
            task.close();
        }
    }
}

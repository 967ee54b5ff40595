package io.reprise.benchmark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotTaskTest {
    @TempDir
    Path folder;

    @Test
    void shouldCallAtTheRateThatItIsToldAndThenAsFastAsItGoes() throws Exception {
        SnapshotTask task = new SnapshotTask();
        task.open(List.of(folder.resolve("engine").toString(), "1", "usual"));
        try {
            task.answer(List.of("start", "200", "1"));
            Map<String, Double> steady = task.answer(List.of("quiet", "1"));
            task.answer(List.of("start", "0", "1"));
            Map<String, Double> full = task.answer(List.of("quiet", "1"));

            assertThat(steady.get("rate")).isBetween(50.0, 400.0);
            assertThat(steady.get("p99")).isPositive();
            assertThat(full.get("rate")).isGreaterThan(400);
        } finally {
            task.close();
        }
    }
}

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
            Map<String, Double> steady = quiet(task, 50, 400);
            task.answer(List.of("start", "0", "1"));
            Map<String, Double> full = quiet(task, 400, Double.MAX_VALUE);

            assertThat(steady.get("rate")).isBetween(50.0, 400.0);
            assertThat(steady.get("p99")).isPositive();
            assertThat(full.get("rate")).isGreaterThan(400);
        } finally {
            task.close();
        }
    }

    /** Once more where the machine has stood still for a while, in which nothing was called and after which that was made up for. */
    private static Map<String, Double> quiet(SnapshotTask task, double least, double most) throws Exception {
        Map<String, Double> seen = task.answer(List.of("quiet", "1"));
        for (int i = 0; i < 20 && (seen.get("rate") < least || seen.get("rate") > most); i++) {
            seen = task.answer(List.of("quiet", "1"));
        }
        return seen;
    }
}

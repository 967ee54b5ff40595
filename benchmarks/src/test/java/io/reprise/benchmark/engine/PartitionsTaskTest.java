package io.reprise.benchmark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The task of each process of engine-tpcc-2, in this one. */
final class PartitionsTaskTest {
    @TempDir
    Path scratch;

    @Test
    void shouldMeasureProfileAndCheck() throws Exception {
        PartitionsTask task = new PartitionsTask();
        task.open(List.of("2", "2"));
        try {
            assertThat(task.answer(List.of("measure", "0.3")).get("tps")).isPositive();
            assertThat(task.answer(List.of("profile", "0.5", scratch.toString()))
                            .values())
                    .as("percent")
                    .allMatch(share -> share > 0 && share <= 100);
            assertThat(task.answer(List.of("check"))).isEmpty();
        } finally {
            task.close();
        }
    }
}

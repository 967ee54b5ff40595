package io.reprise.benchmark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.benchmark.engine.EngineRun;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RestartBenchmarkTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldHaveANodeServeWhatAnEngineHasLeftAndChangeNothing() throws Exception {
        Path data = folder.resolve("data");
        EngineRun.Setup setup = Load.VOTER.setup(1).in(data, Logging.COMMAND.durability());
        long[] content;
        try (EngineRun run = EngineRun.load(setup)) {
            run.measure(Load.VOTER.workload(1), 0, 0.1);
            content = run.engine().contentHashes();
        }

        double ms;
        try (HttpClient client = HttpClient.newHttpClient()) {
            ms = RestartBenchmark.firstAnswerMs(client, List.of(), data, "SELECT COUNT(*) FROM votes");
        }

        assertThat(ms).as("with the start of a JVM").isGreaterThan(100);
        try (EngineRun run = EngineRun.reopen(setup)) {
            assertThat(run.engine().contentHashes()).isEqualTo(content);
        }
    }

    @Test
    void shouldFindTheLineWhenAllPointsLieOnIt() {
        List<double[]> points = List.of(new double[] {1, 7}, new double[] {2, 9}, new double[] {10, 25});

        RestartBenchmark.Line line = RestartBenchmark.Line.through(points);

        assertThat(line.atZero()).isCloseTo(5, within(1e-9));
        assertThat(line.slope()).isCloseTo(2, within(1e-9));
        assertThat(line.explained()).isCloseTo(1, within(1e-9));
    }

    @Test
    void shouldSayHowMuchIsNotExplainedWhenPointsLieBesideTheLine() {
        List<double[]> points =
                List.of(new double[] {0, 0}, new double[] {0, 2}, new double[] {2, 2}, new double[] {2, 4});

        RestartBenchmark.Line line = RestartBenchmark.Line.through(points);

        assertThat(line.slope()).isCloseTo(1, within(1e-9));
        assertThat(line.explained()).isCloseTo(0.5, within(1e-9));
    }
}

package io.reprise.benchmark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.reprise.benchmark.Samples;
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

        Restart restart;
        try (HttpClient client = HttpClient.newHttpClient()) {
            restart =
                    new RestartedNodes(client, List.of()).restart("voter", data, 1, 0, "SELECT COUNT(*) FROM votes", 1);
        }

        assertThat(restart.ms().median()).as("with the start of a JVM").isGreaterThan(100);
        assertThat(restart.transactions()).isPositive();
        assertThat(restart.logBytes()).isGreaterThan(restart.transactions());
        try (EngineRun run = EngineRun.reopen(setup)) {
            assertThat(run.engine().contentHashes()).isEqualTo(content);
        }
    }

    private static List<double[]> states() {
        return List.of(
                new double[] {1, 2, 0, 0, 0},
                new double[] {1, 2, 100, 0, 0},
                new double[] {1, 4, 50, 1, 0},
                new double[] {1, 1, 10, 0, 2},
                new double[] {1, 2, 20, 1, 0},
                new double[] {1, 8, 0, 2, 1});
    }

    @Test
    void shouldFindTheTermsWhenAllPointsFit() {
        List<Double> times = states().stream()
                .map(state -> 1000 + 300 * state[1] + 7.5 * state[2] - 20 * state[3] + 40 * state[4])
                .toList();

        LinearModel model = LinearModel.fit(states(), times);

        assertThat(model.coefficients()).containsExactly(new double[] {1000, 300, 7.5, -20, 40}, within(1e-6));
        assertThat(model.explained(states(), times)).isCloseTo(1, within(1e-9));
        Restart slow = new Restart("slow", 2e6, 0, 0, 1, 0, new Samples(2000));
        assertThat(slow.residualPercent(model)).isCloseTo(20, within(1e-6));
    }

    @Test
    void shouldSayHowMuchIsNotExplainedWhenPointsLieBesideTheModel() {
        List<double[]> features =
                List.of(new double[] {1, 0}, new double[] {1, 0}, new double[] {1, 2}, new double[] {1, 2});
        List<Double> times = List.of(0.0, 2.0, 2.0, 4.0);

        LinearModel model = LinearModel.fit(features, times);

        assertThat(model.coefficients()[1]).isCloseTo(1, within(1e-9));
        assertThat(model.explained(features, times)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void shouldRefuseAModelOfFeaturesThatAlwaysGoTogether() {
        List<double[]> features = List.of(new double[] {1, 2, 4}, new double[] {1, 3, 6}, new double[] {1, 5, 10});

        assertThatThrownBy(() -> LinearModel.fit(features, List.of(1.0, 2.0, 3.0)))
                .hasMessageContaining("can't tell feature");
    }
}

package io.reprise.benchmark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RestartBenchmarkTest {
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

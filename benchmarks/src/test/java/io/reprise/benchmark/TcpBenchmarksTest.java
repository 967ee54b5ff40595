package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.benchmark.tcp.TcpBenchmarks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The benchmarks with a server process run to their end; their figures here mean nothing. A machine that stands still
 * for a second may leave nothing to measure, or half; then they run once more.
 */
final class TcpBenchmarksTest {
    private static final int MOST_RUNS = 3;

    /** A number that an overloaded server can't miss, wherever it runs. */
    private record Bound(String key, double least, double most) {
        boolean holds(double value) {
            return value >= least && value <= most;
        }
    }

    private static final List<Bound> OVERLOADED = List.of(
            new Bound("ratio", 0.1, 5),
            new Bound("offered", Math.nextUp(1.0), Double.MAX_VALUE),
            new Bound("refused", 1, 99));

    @TempDir
    Path project;

    /** The figures of the first run in which they were possible; of the last one otherwise. */
    private Map<String, String> run(Predicate<Map<String, String>> possible, String... arguments) {
        Map<String, String> result = run(arguments);
        for (int runs = 1; runs < MOST_RUNS && !possible.test(result); runs++) {
            result = run(arguments);
        }
        return result;
    }

    private static Predicate<Map<String, String>> positive(String key) {
        return result -> number(result, key) > 0;
    }

    /** The numbers of the result line. */
    private Map<String, String> run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        BenchmarkRunner runner = new BenchmarkRunner(
                TcpBenchmarks.all(),
                project,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));

        int code = runner.run(arguments);

        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        Map<String, String> values = new HashMap<>();
        for (String word : out.toString(StandardCharsets.UTF_8).strip().split(" ")) {
            int equals = word.indexOf('=');
            values.put(equals < 0 ? "name" : word.substring(0, equals), word.substring(equals + 1));
        }
        return values;
    }

    @Test
    void shouldHoldConnectionsThatAnswer() {
        Map<String, String> result = run(
                positive("busy_tps"),
                "tcp-connections",
                "--quick",
                "--idle",
                "150",
                "--busy",
                "20",
                "--seconds",
                "1",
                "--rounds",
                "1");

        assertThat(result)
                .containsEntry("name", "tcp-connections")
                .containsEntry("idle", "150")
                .containsEntry("busy", "20");
        assertThat(Double.parseDouble(result.get("busy_tps"))).isPositive();
    }

    @Test
    void shouldCompareCallsWithAndWithoutALog() {
        Map<String, String> result = run(
                positive("command").and(positive("physiological")),
                "tcp-log-voter",
                "--quick",
                "--seconds",
                "1",
                "--rounds",
                "1",
                "--warmup",
                "1");

        assertThat(Double.parseDouble(result.get("command"))).isPositive();
        assertThat(Double.parseDouble(result.get("physiological"))).isPositive();
    }

    @Test
    void shouldRefuseWhatIsTooMuchAndRecover() {
        Map<String, String> result = run(
                seen -> !seen.get("errors").equals("0")
                        || OVERLOADED.stream().allMatch(bound -> bound.holds(number(seen, bound.key()))),
                "overload",
                "--quick",
                "--workload",
                "SMALLBANK",
                "--seconds",
                "2",
                "--warmup",
                "4");

        assertThat(result).containsEntry("errors", "0");
        assertThat(OVERLOADED)
                .allSatisfy(bound -> assertThat(number(result, bound.key()))
                        .as(bound.toString())
                        .matches(bound::holds));
        assertThat(number(result, "recover_ms")).isBetween(0.0, 30_000.0);
    }

    private static double number(Map<String, String> result, String key) {
        return Double.parseDouble(result.get(key));
    }

    @Test
    void shouldSoakAndCountTheMoney() {
        Map<String, String> result =
                run("soak", "--quick", "--seconds", "2", "--warmup", "1", "--snapshots", "1", "--rate", "1000");

        assertThat(result).containsEntry("errors", "0").containsEntry("failed_snapshots", "0");
        assertThat(Double.parseDouble(result.get("snapshots"))).isPositive();
    }

    @Test
    void shouldReadAndWriteOverThePostgresPort() {
        Map<String, String> result = run(
                positive("read_1").and(positive("write_32")),
                "pg-point",
                "--quick",
                "--seconds",
                "1",
                "--rounds",
                "1",
                "--warmup",
                "1");

        assertThat(number(result, "read_1")).isPositive();
        assertThat(number(result, "write_32")).isPositive();
    }

    @Test
    void shouldDriveAMixOfYcsb() {
        Map<String, String> result = run(
                positive("tps_1"),
                "tcp-ycsb",
                "--quick",
                "--mix",
                "E",
                "--sites",
                "1",
                "--seconds",
                "1",
                "--rounds",
                "1",
                "--warmup",
                "1");

        assertThat(Double.parseDouble(result.get("tps_1"))).isPositive();
        assertThat(result).as("what was not measured").doesNotContainKeys("tps_2", "cpu_us_2");
    }
}

package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.PreparedStart;
import io.reprise.benchmark.fork.StartedNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The time of a restart after a kill as a user sees it: from the start of a node's process until it has answered a
 * first statement, by the amount of log behind the snapshot; and the line fitted to that. Its parts are the time for
 * the process, the snapshot and everything else that does not depend on the log, and the time for each transaction. A
 * short log is replayed by code that is not compiled yet, so that the line is a little bent at its beginning. The
 * node is killed as soon as it has answered, so that each finds the same.
 */
final class RestartBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final int MOST_UNITS = 64;
    private static final String DATA = "restart";

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String description() {
        return "Time to restart a node with TPC-C after a kill, command logging, by units of log behind the snapshot; its cost model";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int units = 1; units <= MOST_UNITS; units *= 2) {
            keys.add(Key.of(
                    "ready_ms_" + units,
                    "milliseconds from the start of the process to the first answer, with " + units + " units of log"));
        }
        keys.add(Key.of("fixed_ms", "the model: milliseconds that don't depend on the log"));
        keys.add(Key.of("us_per_txn", "the model: microseconds for each logged transaction"));
        keys.add(Key.of("r2", "how much of the variance the model explains"));
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("unit", 1), Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        int unit = context.option("unit", context.quickOr(1_000, 10_000));
        int rounds = context.option("rounds", context.quickOr(1, 3));
        Result result = new Result();
        List<double[]> points = new ArrayList<>();
        List<String> flags = PreparedStart.flags();
        Path data = context.scratch().resolve(DATA);
        try (HttpClient client = HttpClient.newHttpClient();
                CrashSession session = new CrashSession(flags, Load.TPCC, WAREHOUSES, Logging.COMMAND, data)) {
            session.warmUp(context.quickOr(2, 4));
            session.snapshot();
            long transactions = 0;
            for (int units = 1; units <= MOST_UNITS; units *= 2) {
                transactions += session.runAtLeast((long) units * unit - transactions);
                double[] ms = new double[rounds];
                session.crash(() -> {
                    for (int i = 0; i < rounds; i++) {
                        ms[i] = firstAnswerMs(client, flags, data, "SELECT w_name FROM warehouse WHERE w_id = 1");
                    }
                });
                for (double each : ms) {
                    points.add(new double[] {transactions, each});
                }
                result.put("ready_ms_" + units, new Samples(ms));
                context.progress("%d units, %d transactions: %.0f ms", units, transactions, new Samples(ms).median());
            }
        }
        Line line = Line.through(points);
        return result.put("fixed_ms", line.atZero())
                .put("us_per_txn", line.slope() * 1e3)
                .put("r2", line.explained())
                .fact("unit", String.format(Locale.ROOT, "%,d_transactions", unit));
    }

    /** Starts a node on the data that an engine has left, asks it something that changes nothing, and kills it. */
    static double firstAnswerMs(HttpClient client, List<String> flags, Path data, String sql)
            throws IOException, InterruptedException {
        Path configuration = Files.writeString(data.resolveSibling("node.yaml"), """
                data: {directory: %s}
                engine: {partitions: 1, memoryPerPartition: 6GiB}
                snapshot: {every: 0s, afterLog: 0B, onStop: false}
                http: {port: 0}
                clients: {port: 0}
                """.formatted(data.getFileName()));
        try (StartedNode node = StartedNode.start(flags, configuration, data)) {
            node.awaitReady();
            double ms = node.answered(client, sql);
            node.kill();
            return ms;
        }
    }

    /** A line through points by least squares. */
    record Line(double atZero, double slope, double explained) {
        static Line through(List<double[]> points) {
            double n = points.size();
            double meanX = points.stream().mapToDouble(p -> p[0]).sum() / n;
            double meanY = points.stream().mapToDouble(p -> p[1]).sum() / n;
            double xx = points.stream()
                    .mapToDouble(p -> (p[0] - meanX) * (p[0] - meanX))
                    .sum();
            double xy = points.stream()
                    .mapToDouble(p -> (p[0] - meanX) * (p[1] - meanY))
                    .sum();
            double yy = points.stream()
                    .mapToDouble(p -> (p[1] - meanY) * (p[1] - meanY))
                    .sum();
            double slope = xy / xx;
            return new Line(meanY - slope * meanX, slope, xy * xy / (xx * yy));
        }
    }
}

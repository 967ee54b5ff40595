package io.reprise.benchmark.postgres;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.PreparedStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** {@code reprise load} of a million records of CSV, as a process of its own with its start, into a new table of a node. */
final class LoadCsvBenchmark implements Benchmark {
    private static final int ROWS = 1_000_000;
    private static final int QUICK_ROWS = 50_000;
    private static final String COLUMNS = "id,account,purpose,amount,made,settled";

    @Override
    public String name() {
        return "load-csv";
    }

    @Override
    public String description() {
        return "reprise load of a million records of CSV into a new table, the command's start included; synchronous log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("rows_s", "rows a second, from the start of the command to its end")
                        .atLeast(300_000),
                Key.of("cpu_us", "the node's processor time per row"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.ROUNDS, Option.WARM_UP, Option.number("rows", 1), Option.number("partitions", 1, 64));
    }

    @Override
    public Result run(Context context) throws Exception {
        int rows = context.option("rows", context.quickOr(QUICK_ROWS, ROWS));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        int warmUps = context.option("warmup", context.quickOr(1, 3));
        Path csv = context.scratch().resolve("payment.csv");
        Files.write(csv, CopyData.csv(rows));
        List<String> prepared = PreparedStart.flags();
        double[] rates = new double[warmUps + rounds];
        double[] cpuUs = new double[warmUps + rounds];
        try (NodeTarget node = NodeTarget.start(context.scratch(), context.option("partitions", 2))) {
            for (int i = 0; i < rates.length; i++) {
                makeTable(node);
                long cpuNs = node.cpu().toNanos();
                long beganNs = System.nanoTime();
                load(node, prepared, csv);
                rates[i] = rows * 1e9 / (System.nanoTime() - beganNs);
                cpuUs[i] = (node.cpu().toNanos() - cpuNs) / 1e3 / rows;
                check(node, rows);
                context.progress("%,.0f rows/s", rates[i]);
            }
        }
        return new Result()
                .put("rows_s", new Samples(Arrays.copyOfRange(rates, warmUps, rates.length)))
                .put("cpu_us", new Samples(Arrays.copyOfRange(cpuUs, warmUps, rates.length)));
    }

    private static void makeTable(NodeTarget node) throws SQLException {
        try (Connection connection = node.connect()) {
            CopyData.makeTable(connection, false);
        }
    }

    private static void load(NodeTarget node, List<String> flags, Path csv) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(PreparedStart.command(
                        flags,
                        "load",
                        CopyData.TABLE,
                        csv.toString(),
                        "--columns",
                        COLUMNS,
                        "--server",
                        "127.0.0.1:" + node.nativePort()))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the load failed: " + said);
        }
    }

    private static void check(NodeTarget node, int rows) throws SQLException {
        try (Connection connection = node.connect()) {
            long count = CopyData.count(connection);
            if (count != rows) {
                throw new IllegalStateException(count + " rows were loaded, not " + rows);
            }
        }
    }
}

package io.reprise.benchmark.node;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.PreparedStart;
import io.reprise.benchmark.fork.StartedNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The time from starting the process of a node without data until its first transaction is committed and answered:
 * JVM, a table from a script, data directory, log, and a statement that is planned and compiled for the first time.
 * Starts with the JVM's cache, as all but the first of an installation, and starts without take turns.
 */
final class StartEmptyBenchmark implements Benchmark {
    @Override
    public String name() {
        return "start-empty";
    }

    @Override
    public String description() {
        return "An empty node, from the start of its process to its first committed transaction";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("ms", "from starting the process to the answer of the first transaction")
                        .atMost(1500),
                Key.of("ready_ms", "until the node says that it is ready"),
                Key.of(
                        "unprepared_ms",
                        "the same as ms without the JVM's ahead-of-time cache: an installation's first start"));
    }

    @Override
    public Result run(Context context) throws Exception {
        int rounds = context.quickOr(3, 15);
        double[] first = new double[rounds];
        double[] ready = new double[rounds];
        double[] unprepared = new double[rounds];
        List<String> cache = PreparedStart.flags();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int round = 0; round < rounds; round++) {
                Path folder = Files.createDirectory(context.scratch().resolve("node-" + round));
                Start with = start(client, Files.createDirectory(folder.resolve("prepared")), cache);
                Start without = start(client, Files.createDirectory(folder.resolve("unprepared")), List.of());
                first[round] = with.firstMs();
                ready[round] = with.readyMs();
                unprepared[round] = without.firstMs();
                context.progress(
                        "%d: ready after %.0f ms, first transaction after %.0f ms; unprepared %.0f ms",
                        round, with.readyMs(), with.firstMs(), without.firstMs());
            }
        }
        return new Result()
                .put("ms", new Samples(first))
                .put("ready_ms", new Samples(ready))
                .put("unprepared_ms", new Samples(unprepared));
    }

    /** Milliseconds since the process was started. */
    private record Start(double readyMs, double firstMs) {}

    private static Start start(HttpClient client, Path folder, List<String> cache)
            throws IOException, InterruptedException {
        try (StartedNode node = StartedNode.start(cache, configuration(folder), folder.resolve("data"))) {
            double readyMs = node.awaitReady();
            return new Start(readyMs, node.answered(client, "INSERT INTO t VALUES (1, 1)"));
        }
    }

    private static Path configuration(Path folder) throws IOException {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE t (k BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL); PARTITION TABLE t ON COLUMN k;");
        return Files.writeString(folder.resolve("node.yaml"), """
                data: {directory: data}
                engine: {partitions: 2}
                schema: {scripts: [schema.sql]}
                snapshot: {onStop: false}
                http: {port: 0}
                clients: {port: 0}
                """);
    }
}

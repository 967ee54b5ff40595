package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Folders;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.Fork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The effect of a snapshot on TPC-C with logged rows, when rows are copied and when the last snapshot is merged with the log; then that of
 * the repair of one bucket. Engines are in processes of their own, and calls are made when others have ended.
 */
final class VirtualSnapshotBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final String MERGED = "merge";
    private static final List<String> METHODS = List.of("copy", MERGED);

    @Override
    public String name() {
        return "virtual-snapshot";
    }

    @Override
    public String description() {
        return "TPC-C with logged rows during a copied and a merged snapshot, and during the repair of a bucket";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (String method : METHODS) {
            Key rate = Key.of(
                    method + "_tps_ratio", "throughput during a snapshot as a ratio to that before and after it");
            Key latency = Key.of(method + "_p99_ratio", "the 99th percentile of latency, as a ratio likewise");
            boolean hasGoal = method.equals(MERGED);
            keys.add(hasGoal ? rate.atLeast(0.98) : rate);
            keys.add(hasGoal ? latency.atMost(1.2) : latency);
            keys.add(Key.of(method + "_s", "seconds that the snapshot takes"));
        }
        keys.add(Key.of("over_copy", "the time of a merge as a ratio to that of a copy"));
        keys.add(Key.of("repair_ms", "milliseconds for which calls of a repaired bucket wait")
                .atMost(500));
        keys.add(Key.of("repair_all_ms", "milliseconds of the whole repair"));
        keys.add(Key.of("repair_tps_ratio", "throughput during a repair as a ratio to that before and after it"));
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("warehouses", 1), Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        int rounds = context.option("rounds", context.quickOr(1, 3));
        Result result = new Result();
        double[][] seconds = new double[METHODS.size()][];
        for (int method = 0; method < METHODS.size(); method++) {
            seconds[method] = measure(context, result, METHODS.get(method), rounds);
        }
        result.put("over_copy", new Samples(seconds[1]).dividedBy(new Samples(seconds[0])));
        return result;
    }

    /** Returns the seconds of each snapshot. */
    private static double[] measure(Context context, Result result, String method, int rounds) throws IOException {
        double[] tps = new double[rounds];
        double[] p99 = new double[rounds];
        double[] seconds = new double[rounds];
        double[][] repair = new double[3][rounds];
        String warehouses = Integer.toString(context.option("warehouses", WAREHOUSES));
        for (int i = 0; i < rounds; i++) {
            Path folder = context.scratch().resolve(method + "-" + i);
            try (Fork fork = Fork.start(SnapshotTask.class, folder.toString(), warehouses, method)) {
                fork.ask("start", "0", Integer.toString(context.quickOr(4, 10)));
                // A merge begins with an older snapshot, and the first one is made by code that is not compiled yet.
                fork.ask("busy");
                fork.ask("busy");
                Around snapshot = around(context, fork, "busy");
                tps[i] = snapshot.ratio("rate");
                p99[i] = snapshot.ratio("p99");
                seconds[i] = snapshot.during.get("seconds");
                context.progress("%s: %.1f s, %.3f of throughput", method, seconds[i], tps[i]);
                if (method.equals(MERGED)) {
                    repair(context, fork, repair, i);
                }
            }
            Folders.remove(folder);
        }
        result.put(method + "_tps_ratio", new Samples(tps))
                .put(method + "_p99_ratio", new Samples(p99))
                .put(method + "_s", new Samples(seconds));
        if (method.equals(MERGED)) {
            result.put("repair_ms", new Samples(repair[0]))
                    .put("repair_all_ms", new Samples(repair[1]))
                    .put("repair_tps_ratio", new Samples(repair[2]));
        }
        return seconds;
    }

    /** The time that calls wait for a bucket, that of the repair, and the throughput meanwhile. */
    private static void repair(Context context, Fork fork, double[][] figures, int round) {
        fork.ask("repair");
        Around repaired = around(context, fork, "repair");
        figures[0][round] = repaired.during.get("parked_ms");
        figures[1][round] = repaired.during.get("seconds") * 1e3;
        figures[2][round] = repaired.ratio("rate");
        context.progress("a bucket of %.0f rows waited %.0f ms", repaired.during.get("rows"), figures[0][round]);
    }

    private static Around around(Context context, Fork fork, String what) {
        String length = Integer.toString(context.quickOr(2, 4));
        return new Around(fork.ask("quiet", length), fork.ask(what), fork.ask("quiet", length));
    }

    /** The figures of calls before something, during it, and after it. */
    private record Around(Map<String, Double> before, Map<String, Double> during, Map<String, Double> after) {
        double ratio(String key) {
            return during.get(key) * 2 / (before.get(key) + after.get(key));
        }
    }
}

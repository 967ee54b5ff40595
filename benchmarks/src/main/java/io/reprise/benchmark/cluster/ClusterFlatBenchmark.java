package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.drive.Drive;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * The processor time of a call of one partition by the number of nodes. A partition's leader and its followers do all of its work, so a
 * further node should cost the others nothing.
 */
final class ClusterFlatBenchmark implements Benchmark {
    private static final int MOST_NODES = 6;
    private static final int COPIES = 2;

    /** From so many nodes on each has the same part; a lone node has no peer. */
    private static final int FIRST_COMPARED = 2;

    private static final double MOST_SPREAD = 1.1;

    @Override
    public String name() {
        return "cluster-flat";
    }

    @Override
    public String description() {
        return "Voter, 1 to 6 nodes and ZooKeeper as processes, one partition each, forced log, one client";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int k = 0; k < COPIES; k++) {
            for (int nodes = k + 1; nodes <= MOST_NODES; nodes++) {
                keys.add(Key.of(
                        cpu(k, nodes), "processor time of all processes for a call, k=" + k + ", nodes: " + nodes));
            }
            keys.add(Key.of(spread(k), "the highest of these from 2 nodes on, divided by the lowest")
                    .atMost(MOST_SPREAD));
        }
        return keys;
    }

    private static String cpu(int kSafety, int nodes) {
        return (kSafety == 0 ? "cpu_us_" : "cpu_us_k" + kSafety + "_") + nodes;
    }

    private static String spread(int kSafety) {
        return "spread_k" + kSafety;
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.SECONDS,
                Option.ROUNDS,
                Option.WARM_UP,
                Option.oneOf("k", 0, 1),
                Option.number("nodes", 1, MOST_NODES));
    }

    @Override
    public Result run(Context context) throws Exception {
        int onlyCopies = context.option("k", -1);
        int onlyNodes = context.option("nodes", -1);
        Result result = new Result();
        for (int k = 0; k < COPIES; k++) {
            if (onlyCopies < 0 || onlyCopies == k) {
                measure(context, k, onlyNodes, result);
            }
        }
        return onlyCopies < 0 && onlyNodes < 0 ? result : result.ofPart("--k " + onlyCopies + " --nodes " + onlyNodes);
    }

    private static void measure(Context context, int kSafety, int onlyNodes, Result result) throws Exception {
        double lowest = Double.MAX_VALUE;
        double highest = 0;
        for (int nodes = kSafety + 1; nodes <= MOST_NODES; nodes++) {
            if (onlyNodes > 0 && onlyNodes != nodes) {
                continue;
            }
            ClusterRun.Rates rates = measure(context, kSafety, nodes);
            result.put(cpu(kSafety, nodes), rates.cpuMicros());
            if (nodes >= FIRST_COMPARED) {
                lowest = Math.min(lowest, rates.cpuMicros().median());
                highest = Math.max(highest, rates.cpuMicros().median());
            }
        }
        if (onlyNodes < 0) {
            result.put(spread(kSafety), highest / lowest);
        }
    }

    /** Each node's code has to be compiled, on the cores that all share. */
    private static ClusterRun.Rates measure(Context context, int kSafety, int nodes) throws Exception {
        int seconds = context.option("seconds", context.quickOr(2, 4));
        int rounds = context.option("rounds", context.quickOr(1, 3));
        int warmUp = context.option("warmup", context.quickOr(4, 12)) * (nodes + 1) / 2;
        ClusterProcesses.Shape shape = new ClusterProcesses.Shape(nodes, kSafety, nodes);
        try (ClusterRun run = ClusterRun.start(context, shape, new Voter(VoterOptions.STANDARD))) {
            Drive drive = run.drive();
            Thread.sleep(warmUp * 1000L);
            ClusterRun.Rates rates = run.measure(context, nodes + " nodes, k=" + kSafety, drive, rounds, seconds);
            run.check();
            return rates;
        }
    }
}

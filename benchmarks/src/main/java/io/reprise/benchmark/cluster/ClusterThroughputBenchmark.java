package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.drive.Drive;
import io.reprise.workload.Workload;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The calls a second of one client to a cluster of two nodes, as many under way as both allow. */
final class ClusterThroughputBenchmark implements Benchmark {
    private static final int NODES = 2;

    private final String name;
    private final String description;
    private final int usualSize;
    private final IntFunction<Workload> workload;
    private final double mostCpuRatio;
    private final double[] goals;

    /**
     * A benchmark.
     *
     * @param mostCpuRatio the goal for processor time with a second copy as a ratio to that without; 0: there is none
     * @param goals calls per second by the number of copies beyond the first; 0: there is no goal
     */
    private ClusterThroughputBenchmark(
            String name,
            String description,
            int usualSize,
            IntFunction<Workload> workload,
            double mostCpuRatio,
            double... goals) {
        this.name = name;
        this.description = description;
        this.usualSize = usualSize;
        this.workload = workload;
        this.mostCpuRatio = mostCpuRatio;
        this.goals = goals;
    }

    static ClusterThroughputBenchmark voter() {
        return new ClusterThroughputBenchmark(
                "cluster-voter", "Voter", 1, size -> new Voter(VoterOptions.STANDARD), 2.2, 0, 280_000);
    }

    static ClusterThroughputBenchmark tpcc() {
        return new ClusterThroughputBenchmark(
                "cluster-tpcc",
                "TPC-C with its remote items and payments",
                8,
                size -> new Tpcc(TpccOptions.standard(size)),
                0,
                40_000,
                25_000);
    }

    static ClusterThroughputBenchmark smallbank() {
        return new ClusterThroughputBenchmark(
                "cluster-smallbank",
                "Smallbank, half of its two-customer calls over both nodes",
                100_000,
                size -> new Smallbank(SmallbankOptions.uniform(size).withDistributed(50)),
                0,
                150_000,
                0);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description + "; two nodes and ZooKeeper as processes, one site each, forced log, one client";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int k = 0; k < goals.length; k++) {
            Key rate = Key.of("tps_k" + k, "calls per second, k=" + k);
            keys.add(goals[k] > 0 ? rate.atLeast(goals[k]) : rate);
            keys.add(Key.of("cpu_us_k" + k, "processor time of all processes for a call, k=" + k));
        }
        Key ratio = Key.of("cpu_ratio", "that with k=1 as a ratio to that with k=0");
        keys.add(mostCpuRatio > 0 ? ratio.atMost(mostCpuRatio) : ratio);
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.SECONDS, Option.ROUNDS, Option.WARM_UP, Option.oneOf("k", 0, 1), Option.number("size", 1));
    }

    @Override
    public Result run(Context context) throws Exception {
        int only = context.option("k", -1);
        Result result = new Result();
        double[] micros = new double[goals.length];
        for (int k = 0; k < goals.length; k++) {
            if (only < 0 || only == k) {
                ClusterRun.Rates rates = measure(context, k);
                result.put("tps_k" + k, rates.perSecond()).put("cpu_us_k" + k, rates.cpuMicros());
                micros[k] = rates.cpuMicros().median();
            }
        }
        return only < 0 ? result.put("cpu_ratio", micros[1] / micros[0]) : result.ofPart("--k " + only);
    }

    private ClusterRun.Rates measure(Context context, int kSafety) throws Exception {
        int seconds = context.option("seconds", context.quickOr(3, 4));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        int warmUp = context.option("warmup", context.quickOr(6, 20));
        Workload instance = workload.apply(context.option("size", usualSize));
        try (ClusterRun run = ClusterRun.start(context, new ClusterProcesses.Shape(NODES, kSafety, NODES), instance)) {
            Drive drive = run.drive();
            Thread.sleep(warmUp * 1000L);
            ClusterRun.Rates rates = run.measure(context, "k=" + kSafety, drive, rounds, seconds);
            run.check();
            return rates;
        }
    }
}

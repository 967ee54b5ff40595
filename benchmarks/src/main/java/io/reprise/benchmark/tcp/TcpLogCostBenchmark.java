package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.LogCost;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Rate;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.NamedWorkload;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of a synchronous log in the throughput that a client sees: three servers with one site each, one without a
 * log, one that logs commands, one that logs data records, called by turns as fast as they answer.
 */
final class TcpLogCostBenchmark implements Benchmark {
    private static final long SETTLING_MS = 500;

    private final NamedWorkload workload;
    private final double commandGoal;
    private final double physiologicalGoal;

    /** The goals are those of the same comparison on the partition's own thread. */
    TcpLogCostBenchmark(NamedWorkload workload, double commandGoal, double physiologicalGoal) {
        this.workload = workload;
        this.commandGoal = commandGoal;
        this.physiologicalGoal = physiologicalGoal;
    }

    @Override
    public String name() {
        return "tcp-log-" + workload;
    }

    @Override
    public String description() {
        return workload
                + " over TCP with a synchronous log, against none; a client process and a server process, one site";
    }

    @Override
    public List<Key> keys() {
        return LogCost.keys(commandGoal, physiologicalGoal, "server");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", 2);
        int rounds = context.option("rounds", context.quickOr(2, 9));
        int warmUp = context.option("warmup", context.quickOr(5, 15));
        List<TcpRun> runs = new ArrayList<>();
        try {
            LogCost cost = new LogCost(context);
            for (Log log : List.of(Log.NONE, Log.SYNCHRONOUS, Log.SYNCHRONOUS_DATA)) {
                context.progress("Loading, %s", key(log));
                TcpRun run =
                        TcpRun.start(context, ServerSetup.of(workload, 1, log).keptAtHome(true));
                runs.add(run);
                measure(run, warmUp);
                cost.add(key(log), () -> measure(run, seconds));
            }
            Result result = cost.run(rounds);
            for (TcpRun run : runs) {
                run.check();
            }
            return result;
        } finally {
            for (TcpRun run : runs) {
                run.close();
            }
        }
    }

    private static String key(Log log) {
        return switch (log) {
            case NONE -> LogCost.NONE;
            case SYNCHRONOUS -> LogCost.COMMAND;
            case SYNCHRONOUS_DATA -> LogCost.PHYSIOLOGICAL;
            case ASYNCHRONOUS -> throw new IllegalArgumentException("not a synchronous log: " + log);
        };
    }

    private static Rate measure(TcpRun run, int seconds) throws Exception {
        Drive drive = run.drive(0);
        Thread.sleep(SETTLING_MS);
        long before = drive.completed();
        double cpuBefore = run.serverCpuSeconds();
        long beginNs = System.nanoTime();
        Thread.sleep(seconds * 1000L);
        long calls = drive.completed() - before;
        double cpuSeconds = run.serverCpuSeconds() - cpuBefore;
        double tookSeconds = (System.nanoTime() - beginNs) / 1e9;
        drive.stop();
        drive.failures().check();
        return new Rate(calls / tookSeconds, calls / cpuSeconds);
    }
}

package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.NamedWorkload;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a synchronous log takes of the throughput that a client sees: three servers with one site each, one without a log, one that logs
 * commands, one that logs data records, called by turns as fast as they answer.
 */
final class TcpLogCostBenchmark implements Benchmark {
    private static final List<Log> LOGS = List.of(Log.NONE, Log.SYNCHRONOUS, Log.SYNCHRONOUS_DATA);
    private static final long SETTLING_MS = 500;

    private final NamedWorkload workload;

    TcpLogCostBenchmark(NamedWorkload workload) {
        this.workload = workload;
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
        return List.of(
                Key.of("command", "throughput with command logging, as a ratio to none"),
                Key.of("physiological", "throughput with physiological logging, as a ratio to none"),
                Key.of("command_cpu", "the same per second of the server's processor time"),
                Key.of("physiological_cpu", "the same per second of the server's processor time"),
                Key.of("tps_none", "calls per second without a log"),
                Key.of("tps_command", "calls per second with command logging"),
                Key.of("tps_physiological", "calls per second with physiological logging"));
    }

    @Override
    public List<String> options() {
        return List.of("seconds", "rounds", "warmup");
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", 2);
        int rounds = context.option("rounds", context.quickOr(2, 9));
        int warmUp = context.option("warmup", context.quickOr(5, 15));
        List<TcpRun> runs = new ArrayList<>();
        try {
            Map<Log, List<Double>> perCpu = new EnumMap<>(Log.class);
            Interleaved interleaved = new Interleaved();
            for (Log log : LOGS) {
                context.progress("Loading, %s", key(log));
                TcpRun run =
                        TcpRun.start(context, ServerSetup.of(workload, 1, log).keptAtHome(true));
                runs.add(run);
                measure(run, warmUp);
                List<Double> ofLog = perCpu.computeIfAbsent(log, _ -> new ArrayList<>());
                interleaved.add(key(log), () -> {
                    Rate rate = measure(run, seconds);
                    ofLog.add(rate.perCpuSecond);
                    context.progress(
                            "%s: %.0f calls/s, %.0f per second of the server's processor time",
                            key(log), rate.perSecond, rate.perCpuSecond);
                    return rate.perSecond;
                });
            }
            Interleaved.Comparison comparison = interleaved.run(1, rounds);
            for (TcpRun run : runs) {
                run.check();
            }
            Samples noneCpu = Samples.ofLast(perCpu.get(Log.NONE), rounds);
            Result result = new Result();
            for (Log log : LOGS.subList(1, LOGS.size())) {
                result.put(key(log), comparison.ratio(key(log), key(Log.NONE)))
                        .put(
                                key(log) + "_cpu",
                                Samples.ofLast(perCpu.get(log), rounds).dividedBy(noneCpu));
            }
            comparison.samples().forEach((key, rates) -> result.put("tps_" + key, rates));
            return result;
        } finally {
            for (TcpRun run : runs) {
                run.close();
            }
        }
    }

    private static String key(Log log) {
        return switch (log) {
            case SYNCHRONOUS -> "command";
            case SYNCHRONOUS_DATA -> "physiological";
            case NONE, ASYNCHRONOUS -> log.name().toLowerCase(Locale.ROOT);
        };
    }

    private record Rate(double perSecond, double perCpuSecond) {}

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

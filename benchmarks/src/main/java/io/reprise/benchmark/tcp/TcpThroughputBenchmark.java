package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.NamedWorkload;
import io.reprise.workload.ycsb.YcsbOptions.Mix;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The calls a second of one client to a server on the same machine, as many under way as both allow. */
final class TcpThroughputBenchmark implements Benchmark {
    private final NamedWorkload workload;
    private final double goalOfOne;
    private final double goalOfTwo;
    private final boolean encrypted;

    /**
     * A benchmark.
     *
     * @param goalOfOne calls per second with one site; 0: there is no goal
     * @param goalOfTwo the same with two
     * @param encrypted whether calls go over TLS
     */
    TcpThroughputBenchmark(NamedWorkload workload, double goalOfOne, double goalOfTwo, boolean encrypted) {
        this.workload = workload;
        this.goalOfOne = goalOfOne;
        this.goalOfTwo = goalOfTwo;
        this.encrypted = encrypted;
    }

    @Override
    public String name() {
        return "tcp-" + workload + (encrypted ? "-tls" : "");
    }

    @Override
    public String description() {
        return workload + (encrypted ? " over TLS" : " over TCP")
                + ", a client process and a server process, one site and two; --log SYNCHRONOUS,"
                + " SYNCHRONOUS_DATA, ASYNCHRONOUS or NONE" + (workload == NamedWorkload.YCSB ? "; --mix A to F" : "");
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>(List.of(
                rate("tps_1", "calls per second, one site", goalOfOne),
                rate("tps_2", "calls per second, two sites" + (hasRemote() ? ", no remote warehouses" : ""), goalOfTwo),
                Key.of("cpu_us_1", "processor time of both processes for a call, one site"),
                Key.of("cpu_us_2", "processor time of both processes for a call, two sites")));
        if (hasRemote()) {
            keys.add(Key.of("tps_2_spec", "calls per second, two sites, with the specified remote items and payments"));
            keys.add(Key.of("cpu_us_2_spec", "processor time of both processes for a call, the same"));
        }
        return keys;
    }

    /** TPC-C is measured without and with its remote warehouses, as in engine-tpcc-2 and engine-tpcc-spec. */
    private boolean hasRemote() {
        return workload == NamedWorkload.TPCC;
    }

    private static Key rate(String name, String meaning, double goal) {
        Key key = Key.of(name, meaning);
        return goal > 0 ? key.atLeast(goal) : key;
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Option.SECONDS,
                Option.ROUNDS,
                Option.WARM_UP,
                Option.oneOf("log", Log.values()),
                Option.oneOf("sites", 1, 2)));
        if (workload == NamedWorkload.YCSB) {
            options.add(Option.oneOf("mix", Mix.values()));
        }
        return options;
    }

    @Override
    public Result run(Context context) throws Exception {
        Log log = context.choice("log", Log.SYNCHRONOUS);
        int only = context.option("sites", 0);
        Result result = new Result();
        for (int sites = 1; sites <= 2; sites++) {
            if (only == 0 || only == sites) {
                Rates rates = measure(context, sites, log, true);
                result.put("tps_" + sites, rates.perSecond).put("cpu_us_" + sites, rates.cpuMicros);
            }
        }
        if (hasRemote() && only != 1) {
            Rates rates = measure(context, 2, log, false);
            result.put("tps_2_spec", rates.perSecond).put("cpu_us_2_spec", rates.cpuMicros);
        }
        result.fact("log", log.toString());
        return only == 0 ? result : result.ofPart("--sites " + only);
    }

    private record Rates(Samples perSecond, Samples cpuMicros) {}

    private Rates measure(Context context, int sites, Log log, boolean atHome) throws Exception {
        int seconds = context.option("seconds", context.quickOr(3, 4));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        int warmUp = context.option("warmup", context.quickOr(6, 15));
        ServerSetup setup = ServerSetup.of(workload, sites, log)
                .with(workload == NamedWorkload.YCSB ? context.choice("mix", Mix.A) : Mix.A)
                .keptAtHome(atHome)
                .encrypted(encrypted);
        try (TcpRun run = TcpRun.start(context, setup)) {
            Drive drive = run.drive(0);
            Thread.sleep(warmUp * 1000L);
            double[] perSecond = new double[rounds];
            double[] cpuMicros = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                long before = drive.completed();
                double cpuBefore = run.cpuSeconds();
                double serverBefore = run.serverCpuSeconds();
                drive.latencies();
                long beginNs = System.nanoTime();
                Thread.sleep(seconds * 1000L);
                long calls = drive.completed() - before;
                double tookSeconds = (System.nanoTime() - beginNs) / 1e9;
                double cpu = run.cpuSeconds() - cpuBefore;
                perSecond[i] = calls / tookSeconds;
                cpuMicros[i] = cpu * 1e6 / calls;
                Histogram latencies = drive.latencies();
                context.progress(
                        "%d site(s): %.0f calls/s, %.2f us of processor time (server %.2f), %.1f cores busy, p50 %.2f ms, p99"
                                + " %.2f ms; not committed: %s",
                        sites,
                        perSecond[i],
                        cpuMicros[i],
                        (run.serverCpuSeconds() - serverBefore) * 1e6 / calls,
                        cpu / tookSeconds,
                        latencies.getValueAtPercentile(50) / 1e6,
                        latencies.getValueAtPercentile(99) / 1e6,
                        drive.failures().byCode());
            }
            drive.stop();
            drive.failures().check();
            run.check();
            return new Rates(new Samples(perSecond), new Samples(cpuMicros));
        }
    }
}

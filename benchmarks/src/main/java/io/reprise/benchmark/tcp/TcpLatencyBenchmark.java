package io.reprise.benchmark.tcp;

import io.reprise.benchmark.BareForce;
import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.NamedWorkload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The latency of calls at a given rate, timed from when each should have been made; one site, synchronous log. */
final class TcpLatencyBenchmark implements Benchmark {
    private static final double NS_PER_MS = 1e6;
    private static final int FORCES = 400;

    /** At full speed the compilers get little of two cores: after 15 seconds they would take a third of one for another half minute. */
    private static final int WARM_UP_SECONDS = 45;

    /** Another load takes other ways through the code, which is compiled anew then: for some ten seconds calls are many times as late. */
    private static final int SETTLING_SECONDS = 20;

    private static final Key OVER_FSYNC = Key.of("p50_over_fsync_ms", "the median call less the median force");
    private static final Key P99 = Key.of("p99_ms", "of 100 calls, 99 are faster");
    private static final Key P99_OVER_P50 = Key.of("p99_over_p50", "how many times the median that is");

    private final String name;
    private final NamedWorkload workload;
    private final int rate;
    private final boolean encrypted;
    private final List<Key> goals;

    private TcpLatencyBenchmark(String name, NamedWorkload workload, int rate, boolean encrypted, List<Key> goals) {
        this.name = name;
        this.workload = workload;
        this.rate = rate;
        this.encrypted = encrypted;
        this.goals = goals;
    }

    /** At a given number of calls per second. */
    static TcpLatencyBenchmark at(int rate, String name, NamedWorkload workload) {
        return new TcpLatencyBenchmark(
                name, workload, rate, false, List.of(OVER_FSYNC.atMost(0.4), P99.atMost(3), P99_OVER_P50));
    }

    /** At half of what the server takes. */
    static TcpLatencyBenchmark atHalf(String name, NamedWorkload workload) {
        return new TcpLatencyBenchmark(
                name, workload, 0, false, List.of(OVER_FSYNC.atMost(0.3), P99, P99_OVER_P50.atMost(4)));
    }

    /** The same over TLS, without goals. */
    static TcpLatencyBenchmark encryptedAtHalf(String name, NamedWorkload workload) {
        return new TcpLatencyBenchmark(name, workload, 0, true, List.of(OVER_FSYNC, P99, P99_OVER_P50));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return workload + (encrypted ? " over TLS at " : " over TCP at ")
                + (rate == 0 ? "half of the highest rate" : rate + " calls per second")
                + ", synchronous command log, one site: time from when a call is due to its reply";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>(goals);
        keys.add(Key.of("p50_ms", "the median call"));
        keys.add(Key.of("fsync_p50_ms", "the median write and force of a block, when nothing else runs"));
        keys.add(Key.of("late_p99_ms", "of 100 naps of a thread that only sleeps, 99 end less late than this"));
        keys.add(Key.of("tps", "calls per second that were made"));
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.SECONDS, Option.ROUNDS, Option.WARM_UP, Option.number("settling", 0), Option.number("rate", 1));
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(3, 6));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        int warmUp = context.option("warmup", context.quickOr(6, WARM_UP_SECONDS));
        int settling = context.option("settling", context.quickOr(2, SETTLING_SECONDS));
        try (TcpRun run = TcpRun.start(
                        context, ServerSetup.of(workload, 1, Log.SYNCHRONOUS).encrypted(encrypted));
                Lateness lateness = new Lateness()) {
            double peak = peak(run, warmUp);
            double fsync = medianForceNs(context) / NS_PER_MS;
            double wanted = context.option("rate", rate == 0 ? (int) (peak / 2) : rate);
            context.progress("Highest rate: %.0f calls/s; now %.0f", peak, wanted);
            double[] p50 = new double[rounds];
            double[] p99 = new double[rounds];
            double[] made = new double[rounds];
            double[] late = new double[rounds];
            Drive drive = run.drive(wanted);
            Thread.sleep(settling * 1000L);
            for (int i = 0; i < rounds; i++) {
                drive.latencies();
                lateness.take();
                long before = drive.completed();
                long beginNs = System.nanoTime();
                Thread.sleep(seconds * 1000L);
                made[i] = (drive.completed() - before) * 1e9 / (System.nanoTime() - beginNs);
                Histogram latencies = drive.latencies();
                p50[i] = latencies.getValueAtPercentile(50) / NS_PER_MS;
                p99[i] = latencies.getValueAtPercentile(99) / NS_PER_MS;
                late[i] = lateness.take().getValueAtPercentile(99) / NS_PER_MS;
                context.progress(
                        "%.0f calls/s: p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms; 99 of 100 naps less than %.3f ms late",
                        made[i], p50[i], p99[i], latencies.getValueAtPercentile(99.9) / NS_PER_MS, late[i]);
            }
            drive.stop();
            drive.failures().check();
            run.check();
            Samples calls = new Samples(p50);
            return new Result()
                    .put("p50_over_fsync_ms", calls.median() - fsync)
                    .put("p99_ms", new Samples(p99))
                    .put("p99_over_p50", new Samples(p99).dividedBy(calls))
                    .put("p50_ms", calls)
                    .put("fsync_p50_ms", fsync)
                    .put("late_p99_ms", new Samples(late))
                    .put("tps", new Samples(made));
        }
    }

    /** Warms up, and gives the rate of the last part of that. */
    private static double peak(TcpRun run, int seconds) throws InterruptedException {
        Drive drive = run.drive(0);
        Thread.sleep(seconds * 700L);
        long before = drive.completed();
        long beginNs = System.nanoTime();
        Thread.sleep(seconds * 300L);
        double peak = (drive.completed() - before) * 1e9 / (System.nanoTime() - beginNs);
        drive.stop();
        drive.failures().check();
        return peak;
    }

    /** The median of forces on an idle machine. */
    private static double medianForceNs(Context context) throws IOException {
        double[] times = new double[FORCES];
        try (BareForce bare = new BareForce(context.scratch().resolve("bare"))) {
            for (int i = 0; i < FORCES; i++) {
                long begin = System.nanoTime();
                bare.force();
                times[i] = System.nanoTime() - begin;
            }
        }
        return new Samples(times).median();
    }
}

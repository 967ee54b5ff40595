package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.NamedWorkload;
import java.util.List;
import org.HdrHistogram.Histogram;

/** How long calls take at a given rate, timed from when each should have been made; one site, synchronous log. */
final class TcpLatencyBenchmark implements Benchmark {
    private static final double NS_PER_MS = 1e6;

    private final String name;
    private final NamedWorkload workload;
    private final int rate;
    private final boolean encrypted;

    /**
     * A benchmark.
     *
     * @param rate calls per second; 0: half of what the server takes
     * @param encrypted whether calls go over TLS
     */
    TcpLatencyBenchmark(String name, NamedWorkload workload, int rate, boolean encrypted) {
        this.name = name;
        this.workload = workload;
        this.rate = rate;
        this.encrypted = encrypted;
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
        return List.of(
                Key.of("p50_ms", "the median call"),
                Key.of("p99_ms", "of 100 calls, 99 are faster"),
                Key.of("tps", "calls per second that were made"));
    }

    @Override
    public List<String> options() {
        return List.of("seconds", "rounds", "warmup", "rate");
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(3, 6));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        int warmUp = context.option("warmup", context.quickOr(6, 15));
        try (TcpRun run = TcpRun.start(
                context, ServerSetup.of(workload, 1, Log.SYNCHRONOUS).encrypted(encrypted))) {
            double peak = peak(run, warmUp);
            double wanted = context.option("rate", rate == 0 ? (int) (peak / 2) : rate);
            context.progress("Highest rate: %.0f calls/s; now %.0f", peak, wanted);
            double[] p50 = new double[rounds];
            double[] p99 = new double[rounds];
            double[] made = new double[rounds];
            Drive drive = run.drive(wanted);
            Thread.sleep(1000);
            for (int i = 0; i < rounds; i++) {
                drive.latencies();
                long before = drive.completed();
                long beginNs = System.nanoTime();
                Thread.sleep(seconds * 1000L);
                made[i] = (drive.completed() - before) * 1e9 / (System.nanoTime() - beginNs);
                Histogram latencies = drive.latencies();
                p50[i] = latencies.getValueAtPercentile(50) / NS_PER_MS;
                p99[i] = latencies.getValueAtPercentile(99) / NS_PER_MS;
                context.progress(
                        "%.0f calls/s: p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms",
                        made[i], p50[i], p99[i], latencies.getValueAtPercentile(99.9) / NS_PER_MS);
            }
            drive.stop();
            drive.failures().check();
            run.check();
            return new Result()
                    .put("p50_ms", new Samples(p50))
                    .put("p99_ms", new Samples(p99))
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
}

package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.NamedWorkload;
import io.reprise.benchmark.drive.Second;
import io.reprise.benchmark.drive.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * A long run under load, with snapshots: leaks show, and rare events happen.
 *
 * <p>Smallbank's database keeps its size, so it is called as fast as it answers, and its money is counted at the end.
 * TPC-C's grows with every order: its rate is held so low that the tables fit. Memory is compared with its size when
 * everything had been used once: after the warm-up and a first snapshot.
 */
final class SoakBenchmark implements Benchmark {
    private static final double AS_FAST_AS_IT_GOES = 0;
    private static final double NS_PER_MS = 1e6;
    private static final double MIB = 1 << 20;
    private static final double TABLE_BYTES = 5L << 30;
    private static final int BYTES_OF_TPCC_CALL = 500;
    private static final int WINDOW_SECONDS = 10;
    private static final int FAILED_SNAPSHOTS = 3;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String description() {
        return "A long run with snapshots at full load, synchronous command log, one site; --load 60: at this percentage of the"
                + " highest rate, in an open loop; --workload SMALLBANK, TPCC ...";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps", "calls per second"),
                Key.of("p50_ms", "the median call"),
                Key.of("p99_ms", "of 100 calls, 99 are faster"),
                Key.of("p999_ms", "of 1,000 calls, 999 are faster"),
                Key.of("longest_ms", "the slowest call"),
                Key.of("errors", "calls that were refused or failed").atMost(0),
                Key.of("snapshots", "that were made"),
                Key.of("heap_growth_mb", "of the server's heap after a collection, from the first snapshot to the end")
                        .atMost(32),
                Key.of("rss_growth_mb", "of the server's resident memory, rows aside, in the same time")
                        .atMost(256));
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.number("minutes", 1, 1_000_000),
                Option.SECONDS,
                Option.WARM_UP,
                Option.number("load", 1, 100),
                Option.number("rate", 0),
                Option.oneOf("workload", NamedWorkload.values()),
                Option.number("snapshots", 1));
    }

    @Override
    public Result run(Context context) throws Exception {
        NamedWorkload workload = context.choice("workload", NamedWorkload.SMALLBANK);
        int seconds = context.option("seconds", context.quickOr(20, 60 * context.option("minutes", 60)));
        int warmUp = context.option("warmup", context.quickOr(6, 30));
        int interval = context.option("snapshots", context.quickOr(4, 60));
        ServerSetup setup = ServerSetup.of(workload, 1, Log.SYNCHRONOUS).withSnapshotsEvery(interval);
        try (TcpRun run = TcpRun.start(context, setup)) {
            double peak = peak(run, warmUp);
            double rate = rate(context, workload, peak, seconds);
            context.progress(
                    "Highest rate: %.0f calls/s; now %s", peak, rate == AS_FAST_AS_IT_GOES ? "this" : Math.round(rate));
            Drive drive = run.drive(rate);
            awaitSnapshot(run);
            ServerMemory before = run.server().collectedMemory();
            Watch watch = new Watch(drive);
            double[] perSecond = watch(context, run, watch, seconds);
            ServerMemory after = run.server().collectedMemory();
            drive.stop();
            String[] snapshots = run.server().ask(ServerMain.SNAPSHOTS).split(" ");
            run.check();
            return result(watch.total(), perSecond)
                    .put(
                            "errors",
                            (double) drive.failures().errors()
                                    + drive.failures().refused())
                    .put("snapshots", Double.parseDouble(snapshots[0]))
                    .put("heap_growth_mb", (after.heap() - before.heap()) / MIB)
                    .put("rss_growth_mb", (after.besideTables() - before.besideTables()) / MIB)
                    .fact("workload", workload.toString())
                    .fact("failed_snapshots", snapshots[1])
                    .remark(String.format(
                            Locale.ROOT,
                            "%d s %s, a snapshot every %d s. Heap after a collection: %.1f"
                                    + " MiB, then %.1f. Resident, rows aside: %.0f MiB, then %.0f. Rows: %.0f MiB, then %.0f. The"
                                    + " workload's invariants held at the end.",
                            seconds,
                            rate == AS_FAST_AS_IT_GOES
                                    ? "as fast as it goes, with as many calls under way as a client may have"
                                    : String.format(
                                            Locale.ROOT,
                                            "at %.0f calls/s, %.0f%% of the highest rate",
                                            rate,
                                            100 * rate / peak),
                            interval,
                            before.heap() / MIB,
                            after.heap() / MIB,
                            before.besideTables() / MIB,
                            after.besideTables() / MIB,
                            before.tables() / MIB,
                            after.tables() / MIB));
        }
    }

    /** The wanted rate; TPC-C no faster than its tables may grow. */
    private static double rate(Context context, NamedWorkload workload, double peak, int seconds) {
        double most = workload == NamedWorkload.TPCC ? TABLE_BYTES / BYTES_OF_TPCC_CALL / seconds : peak;
        int percent = context.option("load", 100);
        double usual = percent >= 100 && most >= peak ? AS_FAST_AS_IT_GOES : Math.min(percent * peak / 100, most);
        return context.option("rate", (int) usual);
    }

    private static Result result(Histogram times, double[] perSecond) {
        return new Result()
                .put("tps", new Samples(perSecond))
                .put("p50_ms", times.getValueAtPercentile(50) / NS_PER_MS)
                .put("p99_ms", times.getValueAtPercentile(99) / NS_PER_MS)
                .put("p999_ms", times.getValueAtPercentile(99.9) / NS_PER_MS)
                .put("longest_ms", times.getMaxValue() / NS_PER_MS);
    }

    private static double peak(TcpRun run, int warmUp) throws InterruptedException {
        Drive drive = run.drive(AS_FAST_AS_IT_GOES);
        Thread.sleep(warmUp * 700L);
        Watch watch = new Watch(drive);
        Thread.sleep(warmUp * 300L);
        double peak = watch.look().perSecond();
        drive.stop();
        drive.failures().check();
        return peak;
    }

    /** The first needs of a snapshot are not taken for a leak. */
    private static void awaitSnapshot(TcpRun run) throws Exception {
        String[] snapshots = run.server().ask(ServerMain.SNAPSHOTS).split(" ");
        while (snapshots[0].equals("0")) {
            if (Integer.parseInt(snapshots[1]) >= FAILED_SNAPSHOTS) {
                throw new IllegalStateException("no snapshot could be made; what the server says of it is above");
            }
            Thread.sleep(200);
            snapshots = run.server().ask(ServerMain.SNAPSHOTS).split(" ");
        }
    }

    private static double[] watch(Context context, TcpRun run, Watch watch, int seconds) throws Exception {
        List<Double> rates = new ArrayList<>();
        int step = context.quickOr(1, WINDOW_SECONDS);
        for (int left = seconds; left > 0; left -= step) {
            Thread.sleep(1000L * Math.min(left, step));
            Second window = watch.look();
            ServerMemory memory = run.server().memory();
            rates.add(window.perSecond());
            context.progress(
                    "%6.0f s: %.0f calls/s, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.0f ms, %d errors; resident %.0f MiB, of"
                            + " which rows %.0f",
                    window.at(),
                    window.perSecond(),
                    window.p50Ms(),
                    window.p99Ms(),
                    window.p999Ms(),
                    window.longestMs(),
                    window.errors() + window.refused(),
                    memory.resident() / MIB,
                    memory.tables() / MIB);
        }
        return rates.stream().mapToDouble(Double::doubleValue).toArray();
    }
}

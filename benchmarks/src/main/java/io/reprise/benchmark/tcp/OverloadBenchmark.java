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
import io.reprise.benchmark.drive.Session;
import io.reprise.benchmark.drive.Watch;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * A server with twice as many calls as it can run: it should go on as fast as it can, take no more memory, have
 * surplus calls refused, and be as before when it is over.
 *
 * <p>The rate that it can run is measured before and after, and the latency of calls at half of that. Between, twice
 * the rate falls due, by clients that don't wait: each call is offered to the client when it is due, or within a
 * millisecond while calls are refused. It is refused as overloaded if as many are under way as the client has found
 * that the server soon begins. Afterwards half of the rate is offered again, at once, until calls take as long as
 * before ({@link Recovery}). All this is done by the same clients, whose windows of calls under way have seen all of
 * it.
 */
final class OverloadBenchmark implements Benchmark {
    private static final double OVER = 2;
    private static final double CALM = 0.5;
    private static final double MIB = 1 << 20;
    private static final int CLIENTS = 2;
    private static final int RECOVERY_SECONDS = 30;

    @Override
    public String name() {
        return "overload";
    }

    @Override
    public String description() {
        return "Twice as many calls as the server can run, open loop, synchronous command log, one site; --workload TPCC,"
                + " VOTER, SMALLBANK ...";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("ratio", "calls per second under overload, of those that it can run")
                        .atLeast(0.9),
                Key.of("peak_tps", "calls per second that it can run"),
                Key.of("cpu_us_peak", "the server's processor time for a call that it answered, at that rate"),
                Key.of("cpu_us_over", "the same under overload: what is refused should cost it little"),
                Key.of("driver_cpu_us_peak", "the clients' processor time for a call that was answered, at that rate"),
                Key.of("driver_cpu_us_over", "the same under overload, with what calls cost them that were refused"),
                Key.of("cores_peak", "how many cores server and clients had together, at that rate"),
                Key.of("cores_over", "the same under overload"),
                Key.of("offered", "calls per second that fell due under overload, of those that it can run"),
                Key.of("refused", "of 100 calls that fell due, so many were refused as overloaded"),
                Key.of("errors", "calls that ended in any other way").atMost(0),
                Key.of("p99_ms", "99 of 100 calls that were taken under overload are faster"),
                Key.of("memory_mb", "the most that the server's memory grew by under overload, rows aside, MiB"),
                Key.of(
                        "recover_ms",
                        "until the first 100 ms in which 99 of 100 calls at half of the rate take no longer than before"));
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.oneOf("workload", NamedWorkload.values()),
                Option.SECONDS,
                Option.WARM_UP,
                Option.number("clients", 1, 256));
    }

    @Override
    public Result run(Context context) throws Exception {
        NamedWorkload workload = context.choice("workload", NamedWorkload.TPCC);
        int seconds = context.option("seconds", context.quickOr(8, 60));
        int warmUp = context.option("warmup", context.quickOr(6, 20));
        int clients = context.option("clients", CLIENTS);
        try (TcpRun run = TcpRun.start(context, ServerSetup.of(workload, 1, Log.SYNCHRONOUS));
                Session many = run.impatient(clients)) {
            many.begin();
            int peakSeconds = context.quickOr(3, 10);
            Phase first = phase(context, "as much as it can", run, many.drive(0), warmUp, peakSeconds);
            double rate = new Samples(first.rates()).median();
            Phase calm = phase(context, "half", run, many.drive(CALM * rate), 1, peakSeconds);
            double calmP99 = new Samples(calm.p99()).median();

            ServerMemory before = run.server().memory();
            Drive drive = many.drive(OVER * rate);
            Phase over = watch(context, "twice", run, drive, seconds);
            drive.end();
            double recoverMs = recovery(many, CALM * rate, calmP99);
            drive.stop();
            context.progress(
                    "Recovered after %.0f ms. Not run: %s",
                    recoverMs, drive.failures().byCode());
            Phase last = phase(context, "as much as it can", run, many.drive(0), 1, peakSeconds);
            TcpRun.check(many);

            Samples peak = new Samples(DoubleStream.concat(Arrays.stream(first.rates()), Arrays.stream(last.rates()))
                    .toArray());
            Samples answered = new Samples(over.rates());
            double fell = over.answered() + over.refused() + over.errors();
            long grown = over.mostBesideTables() - before.besideTables();
            return new Result()
                    .put("ratio", answered.times(1 / peak.median()))
                    .put("peak_tps", peak)
                    .put("cpu_us_peak", new Samples(first.cpuMicros(), last.cpuMicros()))
                    .put("cpu_us_over", over.cpuMicros())
                    .put("driver_cpu_us_peak", new Samples(first.driverMicros(), last.driverMicros()))
                    .put("driver_cpu_us_over", over.driverMicros())
                    .put("cores_peak", new Samples(first.cores(), last.cores()))
                    .put("cores_over", over.cores())
                    .put("offered", fell / over.seconds() / peak.median())
                    .put("refused", 100 * over.refused() / fell)
                    .put("errors", (double) drive.failures().errors())
                    .put("p99_ms", new Samples(over.p99()))
                    .put("memory_mb", Math.max(0, grown / MIB))
                    .put("recover_ms", recoverMs)
                    .fact("workload", workload.toString())
                    .remark(String.format(
                            Locale.ROOT,
                            "%d clients; at the peak %.0f calls/s, under overload %.0f. p99 at half of the peak before: %.2f ms."
                                    + " Calls that were not run: %s.",
                            clients,
                            peak.median(),
                            answered.median(),
                            calmP99,
                            drive.failures().byCode()));
        }
    }

    /** The figures second by second, and of the whole watched time: a second and the look itself, each. */
    private record Phase(
            double[] rates,
            double[] p99,
            double cpuMicros,
            double driverMicros,
            double cores,
            double seconds,
            long answered,
            long refused,
            long errors,
            long mostBesideTables) {}

    private static Phase phase(Context context, String what, TcpRun run, Drive drive, int warmUp, int seconds)
            throws Exception {
        Thread.sleep(warmUp * 1000L);
        Phase phase = watch(context, what, run, drive, seconds);
        drive.stop();
        drive.failures().check();
        return phase;
    }

    private static Phase watch(Context context, String what, TcpRun run, Drive drive, int seconds) throws Exception {
        double[] rates = new double[seconds];
        double[] p99 = new double[seconds];
        Watch watch = new Watch(drive);
        long answered = drive.completed();
        long beganNs = System.nanoTime();
        double serverSeconds = run.serverCpuSeconds();
        double driverSeconds = run.driverCpuSeconds();
        long refused = drive.failures().refused();
        long errors = drive.failures().errors();
        long most = 0;
        for (int i = 0; i < seconds; i++) {
            Thread.sleep(1000);
            Second second = watch.look();
            ServerMemory memory = run.server().memory();
            rates[i] = second.perSecond();
            p99[i] = second.p99Ms();
            most = Math.max(most, memory.besideTables());
            context.progress(
                    "%s: %.0f calls/s, %d refused, p50 %.2f ms, p99 %.2f ms; the server has %.0f MiB beside its tables",
                    what,
                    second.perSecond(),
                    second.refused(),
                    second.p50Ms(),
                    second.p99Ms(),
                    memory.besideTables() / MIB);
        }
        double tookSeconds = (System.nanoTime() - beganNs) / 1e9;
        long calls = drive.completed() - answered;
        double server = run.serverCpuSeconds() - serverSeconds;
        double driver = run.driverCpuSeconds() - driverSeconds;
        double each = 1e6 / Math.max(1, calls);
        return new Phase(
                rates,
                p99,
                server * each,
                driver * each,
                (server + driver) / tookSeconds,
                tookSeconds,
                calls,
                drive.failures().refused() - refused,
                drive.failures().errors() - errors,
                most);
    }

    /** The time from now until calls at a rate are answered as fast as before. */
    private static double recovery(Session clients, double rate, double calmP99Ms) throws InterruptedException {
        long calmP99Ns = (long) (calmP99Ms * 1e6);
        long beganNs = System.nanoTime();
        Drive drive = clients.drive(rate);
        Recovery recovery = new Recovery(rate);
        OptionalDouble recovered = OptionalDouble.empty();
        double fromMs = 0;
        try {
            while (recovered.isEmpty() && fromMs < RECOVERY_SECONDS * 1e3) {
                Thread.sleep(Recovery.STEP_MS);
                Histogram latencies = drive.latencies();
                double nowMs = (System.nanoTime() - beganNs) / 1e6;
                long calls = latencies.getTotalCount();
                recovered = recovery.add(fromMs, nowMs, calls, calls - latencies.getCountBetweenValues(0, calmP99Ns));
                fromMs = nowMs;
            }
        } finally {
            drive.stop();
            drive.failures().check();
        }
        return recovered.orElseThrow(
                () -> new IllegalStateException("half a minute after the overload calls still take longer"
                        + " than before, when 99 of 100 took less than " + calmP99Ms + " ms"));
    }
}

package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.NamedWorkload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The calls a second of threads that wait for each of their replies; Voter, asynchronous log. */
final class TcpClosedBenchmark implements Benchmark {
    private static final int[] CALLERS = {1, 8, 40};
    private static final double[] GOALS = {15_000, 60_000, 110_000};

    @Override
    public String name() {
        return "tcp-closed";
    }

    @Override
    public String description() {
        return "Voter over TCP, 1, 8 and 40 threads that wait for each reply; asynchronous log, one site";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < CALLERS.length; i++) {
            keys.add(Key.of("tps_" + CALLERS[i] + "c", "calls per second, " + CALLERS[i] + " callers")
                    .atLeast(GOALS[i]));
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.SECONDS,
                Option.ROUNDS,
                Option.WARM_UP,
                Option.oneOf("callers", Arrays.stream(CALLERS).boxed().toArray()));
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(2, 4));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        int warmUp = context.option("warmup", context.quickOr(5, 12));
        int only = context.option("callers", 0);
        try (TcpRun run = TcpRun.start(context, ServerSetup.of(NamedWorkload.VOTER, 1, Log.ASYNCHRONOUS))) {
            Result result = new Result();
            measure(run, CALLERS[CALLERS.length - 1], warmUp, 1);
            for (int callers : CALLERS) {
                if (only == 0 || only == callers) {
                    Samples rates = measure(run, callers, seconds, rounds);
                    context.progress("%d callers: %s calls/s", callers, rates);
                    result.put("tps_" + callers + "c", rates);
                }
            }
            run.check();
            return only == 0 ? result : result.ofPart("--callers " + only);
        }
    }

    private static Samples measure(TcpRun run, int callers, int seconds, int rounds) throws InterruptedException {
        Drive drive = run.callers(callers);
        double[] rates = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Thread.sleep(200);
            long before = drive.completed();
            long beginNs = System.nanoTime();
            Thread.sleep(seconds * 1000L);
            rates[i] = (drive.completed() - before) * 1e9 / (System.nanoTime() - beginNs);
        }
        drive.stop();
        drive.failures().check();
        return new Samples(rates);
    }
}

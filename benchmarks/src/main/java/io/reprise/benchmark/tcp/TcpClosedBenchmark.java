package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.workload.ArgumentList;
import io.reprise.workload.Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** How many calls a second threads get through that wait for each of their replies; Voter, asynchronous log. */
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
    public List<String> options() {
        return List.of("seconds", "rounds", "warmup", "callers");
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(2, 4));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        int warmUp = context.option("warmup", context.quickOr(5, 12));
        int only = context.option("callers", 0);
        try (TcpRun run = TcpRun.start(context, TcpWorkload.VOTER, 1, Log.ASYNCHRONOUS)) {
            Result result = new Result();
            measure(run, CALLERS[CALLERS.length - 1], warmUp, 1);
            for (int callers : CALLERS) {
                Samples rates = only == 0 || only == callers ? measure(run, callers, seconds, rounds) : new Samples(0);
                context.progress("%d callers: %s calls/s", callers, rates);
                result.put("tps_" + callers + "c", rates);
            }
            run.check();
            return result;
        }
    }

    private static Samples measure(TcpRun run, int callers, int seconds, int rounds) throws InterruptedException {
        LongAdder calls = new LongAdder();
        AtomicReference<Exception> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Generator generator = run.generator();
            Thread thread = new Thread(() -> call(run, generator, calls, failure), "caller-" + i);
            threads.add(thread);
            thread.start();
        }
        double[] rates = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Thread.sleep(200);
            long before = calls.sum();
            long beginNs = System.nanoTime();
            Thread.sleep(seconds * 1000L);
            rates[i] = (calls.sum() - before) * 1e9 / (System.nanoTime() - beginNs);
        }
        for (Thread thread : threads) {
            thread.interrupt();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("a call failed", failure.get());
        }
        return new Samples(rates);
    }

    /** An interrupt ends the thread after its call; the call itself goes on, and is counted. */
    private static void call(TcpRun run, Generator generator, LongAdder calls, AtomicReference<Exception> failure) {
        ArgumentList arguments = new ArgumentList();
        String procedure = run.workload().procedures().get(0);
        try {
            while (!Thread.currentThread().isInterrupted()) {
                int index = generator.next(arguments);
                long value = run.client().call(procedure, arguments.toArray()).longValue();
                generator.completed(index, true, value);
                calls.increment();
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }
}

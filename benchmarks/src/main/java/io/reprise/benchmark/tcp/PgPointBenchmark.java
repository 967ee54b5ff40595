package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Prepared statements by key over the PostgreSQL port: reads and writes, one connection and 32, and the server's processor time. */
final class PgPointBenchmark implements Benchmark {
    private static final int ROWS = 10_000;
    private static final int QUICK_ROWS = 1_000;
    private static final int MANY = 32;
    private static final String INSERT = "INSERT INTO point VALUES ($1, 1000, 'owner')";
    private static final String SELECT = "SELECT balance FROM point WHERE id = $1";
    private static final String UPDATE = "UPDATE point SET balance = balance + 1 WHERE id = $1";

    @Override
    public String name() {
        return "pg-point";
    }

    @Override
    public String description() {
        return "point reads and writes by prepared statements over the PostgreSQL port, 1 and 32 connections; asynchronous log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("read_1", "reads per second, 1 connection").atLeast(15_000),
                Key.of("read_32", "reads per second, 32 connections").atLeast(120_000),
                Key.of("write_1", "writes per second, 1 connection"),
                Key.of("write_32", "writes per second, 32 connections"),
                Key.of("read_cpu_us", "the server's processor time per read, 32 connections"),
                Key.of("write_cpu_us", "the server's processor time per write, 32 connections"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(1, 4));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        int warmUp = context.option("warmup", context.quickOr(2, 10));
        int rows = context.quickOr(QUICK_ROWS, ROWS);
        try (ServerProcess server = ServerProcess.start(
                PgPointServer.class, List.of(context.scratch().resolve("data").toString()))) {
            load(server, rows);
            Result result = new Result();
            for (String what : List.of("read", "write")) {
                String sql = what.equals("read") ? SELECT : UPDATE;
                measure(server, sql, rows, MANY, warmUp, 1);
                for (int connections : new int[] {1, MANY}) {
                    Load load = measure(server, sql, rows, connections, seconds, rounds);
                    context.progress("%s, %d connections: %s a second", what, connections, load.rates());
                    result.put(what + "_" + connections, load.rates());
                    if (connections == MANY) {
                        result.put(what + "_cpu_us", load.cpuUs());
                    }
                }
            }
            return result;
        }
    }

    private static void load(ServerProcess server, int rows) throws IOException {
        try (PgPointConnection connection = new PgPointConnection(server.address())) {
            connection.prepare(INSERT);
            for (int id = 0; id < rows; id++) {
                connection.run(id);
            }
        }
    }

    /** The figures of one load. */
    private record Load(Samples rates, Samples cpuUs) {}

    private static Load measure(ServerProcess server, String sql, int rows, int connections, int seconds, int rounds)
            throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Exception> failure = new AtomicReference<>();
        LongAdder done = new LongAdder();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            long seed = i;
            threads.add(Thread.ofPlatform().start(() -> {
                try (PgPointConnection connection = new PgPointConnection(server.address())) {
                    connection.prepare(sql);
                    SplittableRandom random = new SplittableRandom(seed);
                    while (!over.get()) {
                        if (connection.run(random.nextInt(rows)) != 1) {
                            throw new IllegalStateException("not one row: " + sql);
                        }
                        done.increment();
                    }
                } catch (IOException | RuntimeException e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        double[] rates = new double[rounds];
        double[] cpuUs = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Thread.sleep(200);
            long before = done.sum();
            long cpuNs = server.cpu().toNanos();
            long beginNs = System.nanoTime();
            Thread.sleep(seconds * 1000L);
            long statements = done.sum() - before;
            rates[i] = statements * 1e9 / (System.nanoTime() - beginNs);
            cpuUs[i] = (server.cpu().toNanos() - cpuNs) / 1e3 / Math.max(1, statements);
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        return new Load(new Samples(rates), new Samples(cpuUs));
    }
}

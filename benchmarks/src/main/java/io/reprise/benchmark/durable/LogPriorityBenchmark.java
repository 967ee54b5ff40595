package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Short calls of one partition while another one stores long texts: the times of the short calls, against those of the same calls alone. Both
 * partitions have one log.
 */
final class LogPriorityBenchmark implements Benchmark {
    private static final String SHORT = "UPDATE short SET v = v + 1 WHERE k = ?";
    private static final String LONG = "UPDATE long_text SET text = ? WHERE k = ?";
    private static final int TEXT = 200_000;
    private static final int BULK_CALLERS = 4;
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;

    @Override
    public String name() {
        return "log-priority";
    }

    @Override
    public String description() {
        return "Short calls of one partition while another one stores texts of 200,000 characters; one synchronous log of commands";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("bulk_p99_ms", "of 100 short calls, 99 are faster, in milliseconds"),
                Key.of("bulk_worst_ms", "the slowest short call of a round"),
                Key.of("alone_p99_ms", "of 100 short calls without the texts, 99 are faster"),
                Key.of("alone_worst_ms", "the slowest short call of a round without the texts"),
                Key.of("bulk_mb_s", "millions of characters of texts a second meanwhile"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        double seconds = context.option("seconds", 1);
        int rounds = context.option("rounds", context.quickOr(3, 15));
        try (Reprise engine = Options.create()
                .name("bench")
                .partitions(2)
                .directory(context.scratch().resolve("engine"))
                .durability(Logging.COMMAND.durability())
                .ddl("CREATE TABLE short (k BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL);"
                        + " PARTITION TABLE short ON COLUMN k;"
                        + " CREATE TABLE long_text (k BIGINT NOT NULL PRIMARY KEY, text VARCHAR(" + TEXT + "));"
                        + " PARTITION TABLE long_text ON COLUMN k")
                .open()) {
            long one = keyOf(engine, 0);
            long other = keyOf(engine, 1);
            engine.sql("INSERT INTO short VALUES (?, 0)", one);
            engine.sql("INSERT INTO long_text VALUES (?, '')", other);
            return measure(new Callers(engine, one, other), seconds, rounds);
        }
    }

    /** A key of a partition. */
    private static long keyOf(Reprise engine, int partition) {
        for (long key = 0; ; key++) {
            if (engine.partitionOf(SHORT, key) == partition) {
                return key;
            }
        }
    }

    private static Result measure(Callers callers, double seconds, int rounds) throws Exception {
        double[] worstBulk = new double[rounds];
        double[] worstAlone = new double[rounds];
        double[] stored = new double[rounds];
        int[] round = new int[2];
        Interleaved.Comparison comparison = new Interleaved()
                .add("bulk", () -> {
                    int at = round[0]++ % rounds;
                    double[] times = callers.beside(seconds, stored, at);
                    worstBulk[at] = times[times.length - 1];
                    return p99(times);
                })
                .add("alone", () -> {
                    double[] times = callers.alone(seconds);
                    worstAlone[round[1]++ % rounds] = times[times.length - 1];
                    return p99(times);
                })
                .run(1, rounds);
        return new Result()
                .put("bulk_p99_ms", comparison.of("bulk"))
                .put("bulk_worst_ms", new Samples(worstBulk))
                .put("alone_p99_ms", comparison.of("alone"))
                .put("alone_worst_ms", new Samples(worstAlone))
                .put("bulk_mb_s", new Samples(stored));
    }

    private static double p99(double[] sorted) {
        return sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)];
    }

    /** The callers, and the keys that they use. */
    private record Callers(Reprise engine, long one, long other) {
        /** The times of short calls in milliseconds, in ascending order. */
        double[] alone(double seconds) {
            double[] times = new double[1024];
            int count = 0;
            long end = System.nanoTime() + (long) (seconds * NS_PER_S);
            for (long begin = System.nanoTime(); begin - end < 0; begin = System.nanoTime()) {
                engine.sql(SHORT, one);
                if (count == times.length) {
                    times = Arrays.copyOf(times, 2 * count);
                }
                times[count++] = (System.nanoTime() - begin) / NS_PER_MS;
            }
            double[] sorted = Arrays.copyOf(times, count);
            Arrays.sort(sorted);
            return sorted;
        }

        /** The same while long texts are stored; their millions of characters a second go to the array. */
        double[] beside(double seconds, double[] stored, int at) throws InterruptedException {
            AtomicBoolean ended = new AtomicBoolean();
            AtomicLong texts = new AtomicLong();
            Thread[] bulk = new Thread[BULK_CALLERS];
            for (int i = 0; i < bulk.length; i++) {
                String text = String.valueOf((char) ('a' + i)).repeat(TEXT);
                bulk[i] = Thread.ofPlatform().start(() -> {
                    while (!ended.get()) {
                        engine.sql(LONG, text, other);
                        texts.incrementAndGet();
                    }
                });
            }
            try {
                return alone(seconds);
            } finally {
                stored[at] = texts.get() * (TEXT / 1e6) / seconds;
                ended.set(true);
                for (Thread each : bulk) {
                    each.join();
                }
            }
        }
    }
}

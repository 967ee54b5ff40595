package io.reprise.benchmark.postgres;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A workload of interactive transactions through JDBC: the statements of its specification one by one, serializable, committed
 * synchronously. A node and a PostgreSQL have the same rows and take turns.
 */
final class PgWorkloadBenchmark implements Benchmark {
    private static final int SETTLING_MS = 500;

    private final String name;
    private final String size;
    private final Scale quick;
    private final Scale full;

    /** A size, and the workload of any. */
    private record Scale(IntFunction<PgWorkload> workload, int usual) {}

    /**
     * A benchmark.
     *
     * @param size the option with the number of its largest things
     * @param small the workload of a quick run with so many of them
     * @param smallSize the usual number of a quick run
     * @param whole the workload of a full run
     * @param wholeSize the usual number of a full run
     */
    PgWorkloadBenchmark(
            String name,
            String size,
            IntFunction<PgWorkload> small,
            int smallSize,
            IntFunction<PgWorkload> whole,
            int wholeSize) {
        this.name = name;
        this.size = size;
        quick = new Scale(small, smallSize);
        full = new Scale(whole, wholeSize);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "interactive transactions by JDBC over the PostgreSQL port, serializable, synchronous log; PostgreSQL by turns";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps", "transactions a second"),
                Key.of("ratio", "tps / postgres_tps").atLeast(3),
                Key.of("abort_percent", "attempts that failed with 40001"),
                Key.of("postgres_tps", "transactions of PostgreSQL a second"),
                Key.of("postgres_abort_percent", "the same attempts of PostgreSQL"),
                Key.of("cpu_us", "the node's processor time for a transaction"),
                Key.of("postgres_cpu_us", "PostgreSQL's processor time for one"));
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.SECONDS,
                Option.ROUNDS,
                Option.WARM_UP,
                Option.number(size, 1),
                Option.number("terminals", 1, 190),
                Option.number("partitions", 1, 64));
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(1, 10));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        int warmUp = context.option("warmup", context.quickOr(1, 30));
        int terminals = context.option("terminals", context.quickOr(4, 16));
        Scale scale = context.quick() ? quick : full;
        PgWorkload workload = scale.workload().apply(context.option(size, scale.usual()));
        try (Targets targets = Targets.start(context, context.option("partitions", 2))) {
            List<Target> all = new ArrayList<>(List.of(targets.node()));
            targets.postgres().ifPresent(all::add);
            Interleaved turns = new Interleaved();
            List<List<Double>> conflicts = new ArrayList<>();
            List<List<Double>> cpuUs = new ArrayList<>();
            for (Target target : all) {
                prepare(context, workload, target);
                new PgRun(workload, target, terminals).measure(0, warmUp);
                List<Double> percents = new ArrayList<>();
                conflicts.add(percents);
                List<Double> times = new ArrayList<>();
                cpuUs.add(times);
                turns.add(name(target), () -> {
                    PgRun.Figures figures = new PgRun(workload, target, terminals).measure(SETTLING_MS, seconds);
                    percents.add(figures.conflictPercent());
                    times.add(figures.cpuUs());
                    context.progress(
                            "%s: %,.0f transactions/s, %.1f%% conflicts, %.0f us each",
                            name(target), figures.tps(), figures.conflictPercent(), figures.cpuUs());
                    return figures.tps();
                });
            }
            Interleaved.Comparison comparison = turns.run(0, rounds);
            for (Target target : all) {
                try (Connection connection = target.connect()) {
                    workload.check(connection);
                }
            }
            return result(comparison, conflicts, cpuUs);
        }
    }

    private static Result result(
            Interleaved.Comparison comparison, List<List<Double>> conflicts, List<List<Double>> cpuUs) {
        Result result = new Result()
                .put("tps", comparison.of("Reprise"))
                .put("abort_percent", samples(conflicts.getFirst()))
                .put("cpu_us", samples(cpuUs.getFirst()));
        if (conflicts.size() == 1) {
            return result.ofPart("a run without PostgreSQL");
        }
        return result.put("ratio", comparison.ratio("Reprise", "PostgreSQL"))
                .put("postgres_tps", comparison.of("PostgreSQL"))
                .put("postgres_abort_percent", samples(conflicts.getLast()))
                .put("postgres_cpu_us", samples(cpuUs.getLast()));
    }

    private static Samples samples(List<Double> values) {
        return new Samples(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static String name(Target target) {
        return target.isPostgres() ? "PostgreSQL" : "Reprise";
    }

    private static void prepare(Context context, PgWorkload workload, Target target) throws SQLException, IOException {
        long beganNs = System.nanoTime();
        try (Connection connection = target.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : workload.tables(target.isPostgres())) {
                statement.execute(sql);
            }
            if (!target.isPostgres()) {
                statement.execute("SET reprise.copy_atomic = off");
            }
            workload.load(connection);
            if (target.isPostgres()) {
                statement.execute("VACUUM ANALYZE");
            }
        }
        context.progress("%s is loaded after %.1f s", name(target), (System.nanoTime() - beganNs) / 1e9);
    }
}

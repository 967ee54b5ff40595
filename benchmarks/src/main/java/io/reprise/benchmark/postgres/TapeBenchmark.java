package io.reprise.benchmark.postgres;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;

/**
 * The cost of an interactive New-Order: one terminal sends its statements one by one, so that each is a preview behind the transaction's
 * tape, and COMMIT runs the tape again.
 */
final class TapeBenchmark implements Benchmark {
    @Override
    public String name() {
        return "tape";
    }

    @Override
    public String description() {
        return "New-Order of TPC-C as an interactive transaction of one terminal; one partition, synchronous log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("neworder_us", "the partition's time per New-Order, previews and COMMIT together")
                        .atMost(100),
                Key.of("node_cpu_us", "the node's processor time per New-Order"),
                Key.of("latency_ms", "from its first statement to the answer of COMMIT"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(1, 5));
        int rounds = context.option("rounds", context.quickOr(1, 7));
        int warmUp = context.option("warmup", context.quickOr(2, 30));
        PgTpcc workload = context.quick() ? PgTpcc.small(1) : PgTpcc.specified(1);
        double[] busyUs = new double[rounds];
        double[] cpuUs = new double[rounds];
        double[] latencyMs = new double[rounds];
        try (NodeTarget node = NodeTarget.start(context.scratch(), 1);
                Connection connection = node.connect()) {
            load(workload, connection);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            PgTerminal terminal = PgTpccTerminal.ofNewOrders(workload, new Statements(connection), 0);
            enter(terminal, warmUp);
            for (int i = 0; i < rounds; i++) {
                long busyNs = node.busy().toNanos();
                long cpuNs = node.cpu().toNanos();
                long beganNs = System.nanoTime();
                int orders = enter(terminal, seconds);
                latencyMs[i] = (System.nanoTime() - beganNs) / 1e6 / orders;
                busyUs[i] = (node.busy().toNanos() - busyNs) / 1e3 / orders;
                cpuUs[i] = (node.cpu().toNanos() - cpuNs) / 1e3 / orders;
                context.progress("%,d orders, %.0f us of the partition each", orders, busyUs[i]);
            }
            connection.setAutoCommit(true);
            workload.check(connection);
        }
        return new Result()
                .put("neworder_us", new Samples(busyUs))
                .put("node_cpu_us", new Samples(cpuUs))
                .put("latency_ms", new Samples(latencyMs));
    }

    private static void load(PgTpcc workload, Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            for (String sql : workload.tables(false)) {
                statement.execute(sql);
            }
            statement.execute("SET reprise.copy_atomic = off");
        }
        workload.load(connection);
    }

    /** Enters orders for so long. Returns how many. */
    private static int enter(PgTerminal terminal, int seconds) throws Exception {
        long untilNs = System.nanoTime() + seconds * 1_000_000_000L;
        int orders = 0;
        do {
            terminal.choose();
            terminal.run();
            orders++;
        } while (System.nanoTime() < untilNs);
        return orders;
    }
}

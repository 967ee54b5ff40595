package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import io.reprise.execution.Outcomes;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.runtime.time.SystemClock;
import io.reprise.snapshot.PartitionSweep;
import io.reprise.snapshot.SnapshotAgent;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.snapshot.SnapshotStart;
import io.reprise.snapshot.file.LoadProgress;
import io.reprise.snapshot.file.SnapshotLoader;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.Ref;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;

/**
 * The cost of a snapshot for the partition's thread, the speed of its writing, and of its loading: one partition
 * without transactions, sweep and writer by turns on one thread, the CPU time of each by itself. Rows have random
 * content, so that they pack worse than real ones.
 */
final class SnapshotBenchmark implements Benchmark {
    private static final Map<String, Integer> TPCC = Map.of("STOCK", 10, "ORDER_LINE", 30, "CUSTOMER", 3, "ORDERS", 3);
    private static final int WARM_UP = 4;

    private static final Map<String, Integer> VOTER = Map.of("VOTES", 40);

    @Override
    public String name() {
        return "engine-snapshot";
    }

    @Override
    public String description() {
        return "Snapshots of TPC-C's and Voter's larger tables: sweep, writing and loading, one partition";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tpcc_begin_us", "microseconds for which a snapshot's moment holds up all partitions"),
                Key.of("tpcc_sweep_rows_per_s", "rows that the sweep passes in a second of the partition's thread"),
                Key.of("tpcc_write_mb_per_s", "megabytes of rows that the writer takes in a second of its thread"),
                Key.of("tpcc_load_rows_per_s", "rows loaded in a second of one thread, indexes included"),
                Key.of("tpcc_load_mb_per_s", "megabytes of rows loaded in a second of one thread"),
                Key.of("voter_begin_us", "the same for votes"),
                Key.of("voter_sweep_rows_per_s", "the same for votes"),
                Key.of("voter_write_mb_per_s", "the same for votes"),
                Key.of("voter_load_rows_per_s", "the same for votes"),
                Key.of("voter_load_mb_per_s", "the same for votes"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("rows", 10));
    }

    @Override
    public Result run(Context context) {
        int scale = context.option("rows", context.quickOr(10_000, 100_000));
        Result result = new Result();
        measure(context, result, "tpcc", new Tpcc(TpccOptions.standard(1)).ddl(), TPCC, scale);
        measure(context, result, "voter", new Voter(VoterOptions.STANDARD).ddl(), VOTER, scale);
        return result;
    }

    /** Times of one round. */
    private record Times(long beginNs, long sweepNs, long writeNs, long loadNs, SnapshotReport report) {}

    private static void measure(
            Context context, Result result, String workload, String ddl, Map<String, Integer> tables, int scale) {
        Catalog catalog = CatalogScript.load(ddl);
        try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(8L << 30));
                SystemFileStore files = SystemFileStore.open(context.scratch().resolve(workload))) {
            catalog.tables().values().forEach(store::createTable);
            context.progress("Filling tables of %s", workload);
            tables.forEach((name, factor) -> fill(store, catalog.table(name).orElseThrow(), factor * scale / 10));
            List<Times> rounds = new ArrayList<>();
            try (Snapshots snapshots = new Snapshots(store, catalog, files)) {
                for (int round = 0; round < WARM_UP; round++) {
                    progress(context, workload, snapshots.round());
                }
                for (int round = 0; round < context.quickOr(1, 7); round++) {
                    rounds.add(snapshots.round());
                    progress(context, workload, rounds.getLast());
                }
            }
            SnapshotReport report = rounds.getFirst().report;
            double rows = report.rows();
            double bytes = report.imageBytes();
            result.put(workload + "_begin_us", samples(rounds, times -> times.beginNs * 1e-3))
                    .put(workload + "_sweep_rows_per_s", samples(rounds, times -> rows * 1e9 / times.sweepNs))
                    .put(workload + "_write_mb_per_s", samples(rounds, times -> bytes * 1e3 / times.writeNs))
                    .put(workload + "_load_rows_per_s", samples(rounds, times -> rows * 1e9 / times.loadNs))
                    .put(workload + "_load_mb_per_s", samples(rounds, times -> bytes * 1e3 / times.loadNs))
                    .fact(workload + "_rows", String.format(Locale.ROOT, "%,d", report.rows()))
                    .fact(workload + "_bytes_a_row", String.format(Locale.ROOT, "%.1f", bytes / rows))
                    .fact(
                            workload + "_file_bytes_a_row",
                            String.format(Locale.ROOT, "%.1f", report.fileBytes() / rows));
        }
    }

    private static Samples samples(List<Times> rounds, ToDoubleFunction<Times> value) {
        return new Samples(rounds.stream().mapToDouble(value).toArray());
    }

    private static void progress(Context context, String workload, Times times) {
        long rows = times.report.rows();
        context.progress(
                "%s: %,d rows, sweep %d ns, write %d ns, load %d ns a row; %,d bytes of rows, %,d of files",
                workload,
                rows,
                times.sweepNs / rows,
                times.writeNs / rows,
                times.loadNs / rows,
                times.report.imageBytes(),
                times.report.fileBytes());
    }

    /** One partition's, as a node makes them: one after the other. */
    private static final class Snapshots implements AutoCloseable {
        private final SystemClock clock = SystemClock.INSTANCE;
        private final Catalog catalog;
        private final SystemFileStore files;
        private final PartitionSweep sweep;
        private final SnapshotAgent agent;
        private long beginNs;

        Snapshots(PartitionStore store, Catalog catalog, SystemFileStore files) {
            this.catalog = catalog;
            this.files = files;
            SnapshotSettings settings = SnapshotSettings.usual().onDemand();
            sweep = new PartitionSweep(0, store, new Outcomes().image(), settings, clock, null, null);
            SnapshotAgent.Wiring wiring = new SnapshotAgent.Wiring(
                    new DatabaseId(1, 10), this::begin, () -> 0, ended -> {}, false, null, null);
            agent = new SnapshotAgent(settings, wiring, files, clock, List.of(sweep), 0, Set.of());
        }

        private void begin(SnapshotStart start) {
            long before = cpuNs();
            start.begun(clock.nanoTime(), catalog, new byte[0]);
            beginNs = cpuNs() - before;
            start.durable(0);
        }

        Times round() {
            long sweepNs = 0;
            long writeNs = 0;
            CompletableFuture<SnapshotReport> future = agent.request();
            while (!future.isDone()) {
                long before = cpuNs();
                sweep.doWork(Long.MAX_VALUE / 2, false);
                long between = cpuNs();
                agent.doWork(clock.nanoTime());
                sweepNs += between - before;
                writeNs += cpuNs() - between;
            }
            SnapshotReport report = future.join();
            if (!report.succeeded()) {
                throw new IllegalStateException(report.problem());
            }
            return new Times(beginNs, sweepNs, writeNs, load(catalog, files), report);
        }

        @Override
        public void close() {
            agent.close();
            sweep.close();
        }
    }

    private static long load(Catalog catalog, SystemFileStore files) {
        try (PartitionStore target = new PartitionStore(PartitionStore.Options.single(8L << 30))) {
            catalog.tables().values().forEach(target::createTable);
            long before = cpuNs();
            try (SnapshotLoader loader = new SnapshotLoader(
                    files, new SnapshotReader(files).choose().newest().orElseThrow(), target, new LoadProgress())) {
                loader.run();
            }
            return cpuNs() - before;
        }
    }

    /** CPU time, because the benchmark asks for a share of a core, apart from other processes of the machine. */
    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void fill(PartitionStore store, Table table, int count) {
        SplittableRandom random = new SplittableRandom(table.id());
        TableStore rows = store.table(table.id());
        for (int i = 0; i < count; i++) {
            if (i % 1000 == 0) {
                store.commit();
                store.begin(i + 1);
            }
            long row = rows.allocate();
            for (Column column : table.columns()) {
                write(store, rows, table, column, row, i, random);
            }
            rows.insert(row, table.replicated() ? 0 : i / 1000 % Buckets.DEFAULT.count());
        }
        store.commit();
    }

    private static void write(
            PartitionStore store,
            TableStore rows,
            Table table,
            Column column,
            long row,
            int i,
            SplittableRandom random) {
        boolean key = table.primaryKey()
                .map(index -> index.columns().contains(column.position()))
                .orElse(false);
        if (column.type().kind().isString()) {
            int length =
                    random.nextInt(column.type().precision() / 2, column.type().precision() + 1);
            long address = store.scratch(Math.max(8, length));
            for (int at = 0; at < length; at++) {
                store.memory().putByte(address + at, (byte) random.nextInt('a', 'z' + 1));
            }
            rows.writeString(row, column.position(), Ref.of(address, length));
        } else {
            rows.layout()
                    .writeWord(store.memory(), row, column.position(), key ? keyPart(column, i) : random.nextInt(100));
        }
    }

    /** Wide key columns have the number; narrow ones what fits. */
    private static long keyPart(Column column, int i) {
        return column.type().kind().width() <= 2 ? i % 100 : i;
    }
}

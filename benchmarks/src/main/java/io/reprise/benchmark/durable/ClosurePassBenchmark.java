package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.execution.BucketMap;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.recovery.closure.BackwardPass;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.recovery.closure.LoggedTransactions;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.workload.Workload;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;

/** The backward pass over a recorded log of Smallbank: over transactions in memory, and with reading and decoding of the log. */
final class ClosurePassBenchmark implements Benchmark {
    private static final int CUSTOMERS = 200_000;
    private static final int PARTITIONS = 2;
    private static final int OF = 8;
    private static final long MEMORY = 2L << 30;
    private static final int WINDOW = 2_048;
    private static final double WARM_UP_SECONDS = 2;
    private static final double SECONDS = 0.5;
    private static final double SECOND_NS = 1e9;
    private static final double MILLION = 1e6;

    private long again;

    @Override
    public String name() {
        return "closure-pass";
    }

    @Override
    public String description() {
        return "The pass that finds what must run again to rebuild one of eight partitions";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("mtps", "million transactions in a second of one core's time, over transactions in memory")
                        .atLeast(3),
                Key.of("log_mtps", "the same with reading of the log and decoding of footprints"),
                Key.of("share", "transactions that must run again, as a share"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) {
        Workload workload = new Smallbank(SmallbankOptions.uniform(CUSTOMERS));
        Path folder = context.scratch().resolve("smallbank");
        try (EngineRun run = EngineRun.load(EngineRun.Setup.inMemory(workload, PARTITIONS, MEMORY)
                .withWindow(WINDOW)
                .in(folder, Logging.FOOTPRINT.durability().withStateHash(false)))) {
            run.measure(workload, 0, context.option("seconds", context.quickOr(1, 5)));
        }
        int rounds = context.option("rounds", context.quickOr(2, 9));
        double[] memory = new double[rounds];
        double[] log = new double[rounds];
        double share;
        FileStore files = SystemFileStore.openExisting(folder);
        try {
            LogTail tail = LogTail.find(files, LogSettings.DEFAULTS, 0);
            int[] buckets = BucketMap.dealt(tail.database().buckets(), OF).buckets(0);
            LoggedTransactions transactions = new LoggedTransactions();
            read(tail, transactions, null);
            for (int round = -1; round < rounds; round++) {
                // The first round is not counted: it compiles the code.
                double perPass = secondsOf(round < 0 ? WARM_UP_SECONDS : SECONDS, () -> {
                    BackwardPass pass = pass(buckets);
                    for (int i = 0; i < transactions.size(); i++) {
                        pass.visit(transactions.at(i));
                    }
                    again = pass.counts().commands();
                });
                double perRead =
                        secondsOf(round < 0 ? WARM_UP_SECONDS : SECONDS, () -> read(tail, null, pass(buckets)));
                if (round >= 0) {
                    memory[round] = transactions.size() / perPass / MILLION;
                    log[round] = transactions.size() / perRead / MILLION;
                }
            }
            share = (double) again / transactions.size();
            context.progress("%,d transactions", transactions.size());
        } finally {
            files.close();
        }
        return new Result()
                .put("mtps", new Samples(memory))
                .put("log_mtps", new Samples(log))
                .put("share", share);
    }

    /** The average processor time of a task that is repeated until it has had so much of it. */
    private static double secondsOf(double leastSeconds, Runnable task) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long beganNs = threads.getCurrentThreadCpuTime();
        for (int count = 1; ; count++) {
            task.run();
            double seconds = (threads.getCurrentThreadCpuTime() - beganNs) / SECOND_NS;
            if (seconds >= leastSeconds) {
                return seconds / count;
            }
        }
    }

    private static BackwardPass pass(int... buckets) {
        BackwardPass pass = new BackwardPass(BackwardPass.MOST_ROWS);
        for (int bucket : buckets) {
            pass.needBucket(bucket);
        }
        return pass;
    }

    private static void read(LogTail tail, LoggedTransactions into, BackwardPass pass) {
        new LogHistory(tail::read, tail.firstPosition(), LogHistory.BLOCK_BYTES).backward(new LogHistory.Visitor() {
            @Override
            public void transaction(LoggedTransaction transaction) {
                if (into != null) {
                    into.add(transaction);
                } else {
                    pass.visit(transaction);
                }
            }

            @Override
            public void catalogChange() {
                if (pass != null) {
                    pass.visitCatalogChange();
                }
            }
        });
    }
}

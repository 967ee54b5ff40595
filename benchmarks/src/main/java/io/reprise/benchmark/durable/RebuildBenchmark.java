package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.Reprise;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.workload.Workload;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One of eight partitions is rebuilt after some tens of thousands of Smallbank transactions for each, a quarter of those of two customers
 * distributed. The clients of the other partitions go on meanwhile, at about half of the rate that the machine could serve.
 */
final class RebuildBenchmark implements Benchmark {
    private static final int PARTITIONS = 8;
    private static final int CUSTOMERS = 100_000;
    private static final int LOST = 0;
    private static final double DISTRIBUTED = 25;
    private static final long MEMORY = 1L << 30;
    private static final double SETTLING_SECONDS = 0.5;
    private static final double MS_NS = 1e6;
    private static final double SECOND_NS = 1e9;

    @Override
    public String name() {
        return "rebuild";
    }

    @Override
    public String description() {
        return "One of eight partitions rebuilt while the others serve: Smallbank, command logging with footprints";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of(
                                "reexecuted_share",
                                "transactions that ran again, as a share of all that had run behind the snapshot, read-only ones included")
                        .atMost(0.15),
                Key.of("reexecuted_of_logged", "the same as a share of those in the log, without read-only ones"),
                Key.of(
                                "others_tps_ratio",
                                "throughput of the others during the rebuild, at half load, as a ratio to before")
                        .atLeast(0.9),
                Key.of("first_bucket_ms", "milliseconds until the first bucket served")
                        .atMost(200),
                Key.of("all_s", "seconds until all buckets served"),
                Key.of("fenced_ms", "milliseconds until the fence stood and the log was durable up to it"),
                Key.of("closure_ms", "milliseconds to find what must run again"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("transactions", 1));
    }

    @Override
    public Result run(Context context) {
        int each = context.option("transactions", context.quickOr(3_000, 30_000));
        int customers = context.quickOr(CUSTOMERS / 10, CUSTOMERS) * PARTITIONS;
        SmallbankOptions options = SmallbankOptions.uniform(customers).withDistributed(DISTRIBUTED);
        Workload workload = new Smallbank(options);
        // Calls of one partition each: those that need the lost one are waiting already.
        Workload confined = new Smallbank(options.withDistributed(0));
        EngineRun.Setup setup = EngineRun.Setup.inMemory(workload, PARTITIONS, MEMORY);
        try (EngineRun run = Logging.FOOTPRINT.load(setup, context.scratch())) {
            Reprise engine = run.engine();
            double full = run.measure(confined, SETTLING_SECONDS, 1).perSecond();
            context.progress("%,.0f calls a second at full load", full);
            double rate = full / PARTITIONS / 2;
            run.start(confined, rate);
            EngineRun.sleep(SETTLING_SECONDS);
            double before = run.watch(1).perSecond() * (PARTITIONS - 1) / PARTITIONS;
            run.stop();
            if (!engine.snapshot().succeeded()) {
                throw new IllegalStateException("the snapshot failed");
            }
            long begin = run.completed();
            run.start();
            while (run.completed() - begin < (long) each * PARTITIONS) {
                EngineRun.sleep(0.001);
            }
            run.stop();
            run.start(confined, rate);
            CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(LOST);
            long completed = run.completed();
            long beganNs = System.nanoTime();
            RebuildReport report = rebuild.join();
            double during = (run.completed() - completed) / ((System.nanoTime() - beganNs) / SECOND_NS);
            run.stop();
            run.check();
            context.progress("%s", report);
            long again = report.commands() + report.dataRecords();
            return new Result()
                    .put("reexecuted_share", (double) again / (completed - begin))
                    .put("reexecuted_of_logged", (double) again / report.transactions())
                    .put("others_tps_ratio", during / before)
                    .put("first_bucket_ms", report.firstBucketNs() / MS_NS)
                    .put("all_s", report.allNs() / SECOND_NS)
                    .put("fenced_ms", report.fencedNs() / MS_NS)
                    .put("closure_ms", report.closureNs() / MS_NS)
                    .fact("consistent", "true");
        }
    }
}

package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.Durability;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.workload.Workload;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * In a process of its own: an engine that logs in one of the paper's ways and makes snapshots, under the load of one of its figures. Told: load,
 * logging, folder.
 */
public final class PaperTask implements ForkedTask {
    /** As many calls as may be under way, in the paper too. */
    private static final int OUTSTANDING = 5_000;

    /** The paper has one every 180 seconds. Its runs are longer. */
    private static final long SNAPSHOTS_MS = 60_000;

    private static final int WAREHOUSES = 2;
    private static final double SETTLING_SECONDS = 0.3;
    private static final double MOST_SETTLING_SECONDS = 3;
    private static final double NS_PER_MS = 1e6;
    private static final TpccOptions NEW_ORDERS = TpccOptions.standard(2 * WAREHOUSES)
            .withMix(TpccOptions.Mix.NEW_ORDER)
            .withRemote(0, 0);

    private EngineRun run;
    private Workload workload;

    /** Nothing is open. */
    public PaperTask() {}

    /** The measurement of throughput and latency. */
    static Fork start(Load load, Logging logging, Path scratch) {
        return Fork.start(
                PaperTask.class,
                load.name(),
                logging.name(),
                scratch.resolve(load.name()).toString());
    }

    /** New-Order on two partitions. */
    static Fork startDistributed(Logging logging, Path folder) {
        return Fork.start(PaperTask.class, "DISTRIBUTED", logging.name(), folder.toString());
    }

    /** The rate when calls are made as fast as they are answered. */
    static double measure(Fork fork, double settlingSeconds, double seconds) {
        return fork.ask("measure", Double.toString(settlingSeconds), Double.toString(seconds))
                .get("tps");
    }

    /** The same with such a share of orders that have a line from the other partition. */
    static double measureDistributed(Fork fork, double percentage, double seconds) {
        return fork.ask("distributed", Double.toString(percentage), Double.toString(seconds))
                .get("tps");
    }

    /** The figures of one run at one client rate. */
    record Observation(double tps, double p50Ms, double p99Ms) {}

    /** At a client rate. */
    static Observation observe(Fork fork, double rate, double seconds) {
        Map<String, Double> seen = fork.ask("observe", Double.toString(rate), Double.toString(seconds));
        return new Observation(seen.get("tps"), seen.get("p50_ms"), seen.get("p99_ms"));
    }

    /** Fails if the database is not consistent. */
    static void check(Fork fork) {
        fork.ask("check");
    }

    @Override
    public void open(List<String> words) {
        EngineRun.Setup setup;
        if (words.getFirst().equals("DISTRIBUTED")) {
            workload = new Tpcc(NEW_ORDERS);
            setup = EngineRun.Setup.inMemory(workload, 2, EngineRun.MEMORY_FOR_EACH / 2)
                    .withWindow(OUTSTANDING / 2);
        } else {
            Load load = Load.valueOf(words.getFirst());
            workload = load.workload(WAREHOUSES);
            setup = load.setup(WAREHOUSES).withWindow(OUTSTANDING);
        }
        Logging logging = Logging.valueOf(words.get(1));
        Durability durability =
                logging.durability().with(SnapshotSettings.usual().every(SNAPSHOTS_MS, 0));
        run = EngineRun.load(
                logging == Logging.NONE ? setup : setup.in(Path.of(words.get(2)).resolve(logging.key()), durability));
    }

    @Override
    public Map<String, Double> answer(List<String> request) {
        return switch (request.getFirst()) {
            case "measure" ->
                measured(workload, Double.parseDouble(request.get(1)), Double.parseDouble(request.get(2)));
            case "distributed" ->
                measured(
                        new Tpcc(NEW_ORDERS.withDistributedOrders(Double.parseDouble(request.get(1)))),
                        SETTLING_SECONDS,
                        Double.parseDouble(request.get(2)));
            case "observe" -> observed(Double.parseDouble(request.get(1)), Double.parseDouble(request.get(2)));
            case "check" -> {
                run.check();
                yield Map.of();
            }
            default -> throw new IllegalArgumentException("unknown request " + request);
        };
    }

    private Map<String, Double> measured(Workload variant, double settlingSeconds, double seconds) {
        return Map.of("tps", run.measure(variant, settlingSeconds, seconds).perSecond());
    }

    /**
     * The window opens when the client has made up for its start: while it does so, more calls are answered than its
     * rate has. With an engine slower than the client it never has.
     */
    private Map<String, Double> observed(double rate, double seconds) {
        run.startTimed(workload, rate);
        EngineRun.sleep(SETTLING_SECONDS);
        run.catchUp(MOST_SETTLING_SECONDS);
        run.latencies();
        double tps = run.watch(seconds).perSecond();
        Histogram latencies = run.latencies();
        run.stop();
        return Map.of(
                "tps",
                tps,
                "p50_ms",
                latencies.getValueAtPercentile(50) / NS_PER_MS,
                "p99_ms",
                latencies.getValueAtPercentile(99) / NS_PER_MS);
    }

    @Override
    public void close() {
        if (run != null) {
            run.close();
        }
    }
}

package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.Reprise;
import io.reprise.engine.SortedLogSettings;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.runtime.SeededRandomness;
import io.reprise.workload.Workload;
import io.reprise.workload.ycsb.Ycsb;
import io.reprise.workload.ycsb.YcsbOptions;
import io.reprise.workload.ycsb.YcsbOptions.Distribution;
import io.reprise.workload.ycsb.YcsbOptions.Mix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * One life of a YCSB database, which ends as it does when the process is killed: it is filled, gets more log, or is recovered while clients read it.
 * Recoveries only read, so that the next one finds the same. Told: folder, number of records, number of buckets.
 */
public final class DemandTask implements ForkedTask {
    private static final long MEMORY = 6L << 30;
    private static final int WINDOW = 256;
    private static final double PERCENTILE = 99;
    private static final double NS = 1e9;
    private static final double MS_NS = 1e6;

    /** The seconds between two points of a curve. */
    static final double STEP_SECONDS = 0.05;

    private Path folder;
    private int records;
    private int buckets;

    /** Nothing is open. */
    public DemandTask() {}

    @Override
    public void open(List<String> words) {
        folder = Path.of(words.get(0));
        records = Integer.parseInt(words.get(1));
        buckets = Integer.parseInt(words.get(2));
    }

    @Override
    public Map<String, Double> answer(List<String> request) {
        return switch (request.getFirst()) {
            case "fill" -> fill(Double.parseDouble(request.get(1)));
            case "update" -> update(Long.parseLong(request.get(1)));
            case "recover" -> recover(Distribution.valueOf(request.get(1)), Boolean.parseBoolean(request.get(2)));
            case "touch" -> touch(Long.parseLong(request.get(1)));
            default -> throw new IllegalArgumentException("asked for " + request);
        };
    }

    private Workload workload(Mix mix, Distribution distribution) {
        return new Ycsb(new YcsbOptions(mix, records, 1, distribution, 1));
    }

    private EngineRun.Setup setup(boolean onDemand) {
        return EngineRun.Setup.inMemory(workload(Mix.A, Distribution.UNIFORM), 1, MEMORY)
                .withWindow(WINDOW)
                .in(folder, Logging.COMMAND.durability().withStateHash(false))
                .with(options -> options.buckets(buckets)
                        .recoverOnDemand(onDemand)
                        .sortedLog(SortedLogSettings.DEFAULTS.withSorting(true)));
    }

    /** Fills it, with a snapshot. Returns the calls a second of readers. */
    private Map<String, Double> fill(double seconds) {
        EngineRun run = EngineRun.load(setup(false));
        if (!run.engine().snapshot().succeeded()) {
            throw new IllegalStateException("the snapshot failed");
        }
        Map<String, Double> rates = new TreeMap<>();
        for (Distribution distribution : List.of(Distribution.UNIFORM, Distribution.ZIPFIAN)) {
            rates.put(
                    distribution.name(),
                    run.measure(workload(Mix.C, distribution), seconds / 2, seconds)
                            .perSecond());
        }
        return rates;
    }

    /** Adds log behind the snapshot. */
    private Map<String, Double> update(long transactions) {
        EngineRun run = EngineRun.reopen(setup(false));
        long before = run.engine().logStats().orElseThrow().records();
        run.start();
        while (run.engine().logStats().orElseThrow().records() - before < transactions) {
            EngineRun.sleep(0.001);
        }
        run.stop();
        return Map.of();
    }

    /**
     * Recovers it while clients read as fast as they are answered, until all rows are there and for a second more. Returns times, and the reads of
     * each step since the beginning of the opening, as {@code c0}, {@code c1} and so on.
     */
    private Map<String, Double> recover(Distribution distribution, boolean onDemand) {
        long beganNs = System.nanoTime();
        EngineRun run = EngineRun.reopen(setup(onDemand));
        Map<String, Double> found = new TreeMap<>();
        found.put("open_s", seconds(beganNs));
        run.startTimed(workload(Mix.C, distribution), 0);
        Optional<LoadStats> load = run.engine().load();
        double endSeconds = Double.MAX_VALUE;
        long counted = 0;
        for (int step = 0; (step + 1) * STEP_SECONDS < endSeconds; step++) {
            EngineRun.sleep(Math.max(0, (step + 1) * STEP_SECONDS - seconds(beganNs)));
            long now = run.completed();
            found.put("c" + step, (double) (now - counted));
            counted = now;
            if (!found.containsKey("first_s") && counted > 0) {
                found.put("first_s", seconds(beganNs));
            }
            if (!found.containsKey("p99_ms") && seconds(beganNs) > found.get("open_s") + 1) {
                found.put("p99_ms", run.latencies().getValueAtPercentile(PERCENTILE) / MS_NS);
            }
            if (endSeconds == Double.MAX_VALUE && (load.isEmpty() || load.get().isOver())) {
                found.put("all_s", load.isEmpty() ? found.get("open_s") : seconds(beganNs));
                found.put("calls", (double) counted);
                endSeconds = Math.max(seconds(beganNs), found.get("open_s")) + 2;
            }
        }
        return found;
    }

    private static double seconds(long sinceNs) {
        return (System.nanoTime() - sinceNs) / NS;
    }

    /** Recovers it while one client touches one bucket after the other, in any order. */
    private Map<String, Double> touch(long seed) {
        Reprise engine = EngineRun.reopen(setup(true)).engine();
        LoadStats load = engine.load().orElseThrow();
        Histogram times = new Histogram(3);
        for (long key : keys(engine, new SeededRandomness(seed))) {
            if (load.isOver()) {
                break;
            }
            long beganNs = System.nanoTime();
            engine.call("ReadRecord", key);
            times.recordValue(System.nanoTime() - beganNs);
        }
        return Map.of(
                "p50_ms", times.getValueAtPercentile(50) / MS_NS,
                "p99_ms", times.getValueAtPercentile(PERCENTILE) / MS_NS,
                "touched", (double) times.getTotalCount());
    }

    /** A key of each bucket. Not all of them are there, but a call has to look. */
    private List<Long> keys(Reprise engine, SeededRandomness random) {
        List<Long> keys = new ArrayList<>(Collections.nCopies(buckets, null));
        int missing = buckets;
        for (long key = 0; missing > 0; key++) {
            int bucket = engine.buckets().buckets().of(key);
            missing -= keys.set(bucket, key) == null ? 1 : 0;
        }
        for (int i = buckets - 1; i > 0; i--) {
            Collections.swap(keys, i, random.nextInt(i + 1));
        }
        return keys;
    }

    /** Dies, and nothing is tidied up. */
    @Override
    public void close() {
        Runtime.getRuntime().halt(0);
    }
}

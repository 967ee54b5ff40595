package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.SortedLogSettings;
import io.reprise.log.LogStats;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One life of a database, in a process that is not closed but ends as it does when it is killed: it opens what the one
 * before it has left, runs transactions when asked to, and dies. Told: load, logging, number of warehouses, folder, whether the
 * log is sorted, and whether runs have images of commands.
 */
public final class CrashTask implements ForkedTask {
    private static final int WORD = 32;

    private final RecoveryTimes times = new RecoveryTimes();
    private Workload workload;
    private EngineRun run;
    private boolean recovered;

    /** Nothing is open. */
    public CrashTask() {}

    @Override
    public void open(List<String> words) {
        Load load = Load.valueOf(words.get(0));
        Logging logging = Logging.valueOf(words.get(1));
        int warehouses = Integer.parseInt(words.get(2));
        Path folder = Path.of(words.get(3));
        workload = load.workload(warehouses);
        EngineRun.Setup setup = load.setup(warehouses)
                .in(folder, logging.durability())
                .with(options -> options.sortedLog(SortedLogSettings.DEFAULTS
                        .withSorting(Boolean.parseBoolean(words.get(4)))
                        .withImages(Boolean.parseBoolean(words.get(5)))));
        recovered = Files.exists(folder);
        if (!recovered) {
            run = EngineRun.load(setup);
            return;
        }
        run = EngineRun.reopen(setup.tellingOfRecovery(times));
    }

    @Override
    public Map<String, Double> answer(List<String> request) {
        return switch (request.getFirst()) {
            case "recovery" -> recovery();
            case "content" -> content();
            case "warm-up" -> {
                run.measure(workload, 0, Double.parseDouble(request.get(1)));
                yield Map.of();
            }
            case "snapshot" -> snapshot();
            case "deploy" -> deploy(Integer.parseInt(request.get(1)));
            case "run-for" -> runFor(Double.parseDouble(request.get(1)));
            case "run-at-least" -> runAtLeast(Long.parseLong(request.get(1)));
            default -> throw new IllegalArgumentException("asked for " + request);
        };
    }

    private Map<String, Double> recovery() {
        if (!recovered) {
            throw new IllegalStateException("nothing was recovered");
        }
        double transactions = run.engine().recovery().transactions();
        return Map.of(
                "transactions",
                transactions,
                "rate",
                transactions / times.replaySeconds(),
                "early_rate",
                times.earlyRate(transactions),
                "late_rate",
                times.lateRate(transactions),
                "cpu_rate",
                transactions / times.replayCpuSeconds(),
                "load_s",
                times.loadSeconds());
    }

    /** The hash of all rows, in halves, because a double has not enough bits for it. */
    private Map<String, Double> content() {
        long hash = run.engine().contentHashes()[0];
        return Map.of("high", (double) (hash >>> WORD), "low", (double) (hash & -1L >>> WORD));
    }

    private Map<String, Double> snapshot() {
        SnapshotReport report = run.engine().snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("the snapshot failed: " + report.problem());
        }
        return Map.of();
    }

    /** Procedures of a statement each, on a table of the workload that has an integer key. */
    private Map<String, Double> deploy(int procedures) {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < procedures; i++) {
            script.append("CREATE PROCEDURE more_")
                    .append(i)
                    .append(" AS SELECT w_name, w_ytd + ")
                    .append(i)
                    .append(" FROM warehouse WHERE w_id = ?;\n");
        }
        run.engine().ddl(script.toString());
        return Map.of();
    }

    private Map<String, Double> runFor(double seconds) {
        LogStats log = run.engine().logStats().orElseThrow();
        long before = log.records();
        long begin = System.nanoTime();
        long beginCpu = RecoveryTimes.processCpuNs();
        run.start();
        EngineRun.sleep(seconds);
        run.stop();
        double transactions = log.records() - before;
        return Map.of(
                "transactions", transactions,
                "rate", transactions * 1e9 / (System.nanoTime() - begin),
                "cpu_rate", transactions * 1e9 / (RecoveryTimes.processCpuNs() - beginCpu));
    }

    private Map<String, Double> runAtLeast(long transactions) {
        LogStats log = run.engine().logStats().orElseThrow();
        long before = log.records();
        run.start();
        while (log.records() - before < transactions) {
            EngineRun.sleep(0.001);
        }
        run.stop();
        return Map.of("transactions", (double) (log.records() - before));
    }

    /** Dies: undurable transactions are lost, and nothing is tidied up. If nothing could be opened, the reason is still to be told. */
    @Override
    public void close() {
        if (run != null) {
            Runtime.getRuntime().halt(0);
        }
    }
}

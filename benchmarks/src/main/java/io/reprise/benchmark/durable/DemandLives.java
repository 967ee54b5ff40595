package io.reprise.benchmark.durable;

import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.fork.PreparedStart;
import io.reprise.workload.ycsb.YcsbOptions.Distribution;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The lives of a YCSB database in one process after another, each of which is killed. Owned by the benchmark's thread. */
final class DemandLives {
    private final List<String> flags;
    private final String[] words;
    private final Map<String, Double> rates;

    /**
     * A restart under load.
     *
     * @param seen the measurements of the process, see {@link DemandTask}
     * @param missedSeconds seconds of work that were missed until all rows were there
     */
    record Recovery(Map<String, Double> seen, double missedSeconds) {
        double allSeconds() {
            return seen.get("all_s");
        }

        double openSeconds() {
            return seen.get("open_s");
        }

        /** The 99th percentile of latency in the first second. */
        double p99Ms() {
            return seen.get("p99_ms");
        }
    }

    /** A database that has just been filled, with a snapshot. */
    DemandLives(Path folder, int records, int buckets, double seconds) {
        flags = PreparedStart.flags();
        words = new String[] {folder.toString(), Integer.toString(records), Integer.toString(buckets)};
        rates = ask("fill", Double.toString(seconds));
    }

    /** Adds log behind the snapshot. */
    void update(long transactions) {
        ask("update", Long.toString(transactions));
    }

    /** Restarts it under reads. */
    Recovery recover(Distribution distribution, boolean onDemand) {
        Map<String, Double> seen = ask("recover", distribution.name(), Boolean.toString(onDemand));
        double done = seen.get("calls") / rates.get(distribution.name());
        return new Recovery(seen, Math.max(0, seen.get("all_s") - done));
    }

    /** Restarts it on demand, and touches one bucket after the other. */
    Map<String, Double> touch(long seed) {
        return ask("touch", Long.toString(seed));
    }

    private Map<String, Double> ask(String... request) {
        try (Fork life = Fork.start(flags, DemandTask.class, words)) {
            return life.ask(request);
        }
    }
}

package io.reprise.recovery.demand;

import io.reprise.runtime.metric.Counter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/** Counts of a recovery on demand. The loading agent writes them; any thread reads them, each right by itself. */
public final class LoadStats {
    private static final int MOST_SAMPLES = 4096;

    final Counter ready = new Counter();
    final Counter failed = new Counter();
    final Counter onDemand = new Counter();
    final Counter rows = new Counter();
    final Counter records = new Counter();
    final Counter commands = new Counter();
    final Counter tookNs = new Counter();

    /** Records of runs that are older than the snapshot, which is known when they are read. */
    final Counter older = new Counter();

    final Map<Integer, String> problems = new ConcurrentSkipListMap<>();
    private final List<LoadSample> samples = new ArrayList<>();
    private final int buckets;
    private final long allRows;
    private final long allRecords;

    LoadStats(int buckets, long allRows, long allRecords) {
        this.buckets = buckets;
        this.allRows = allRows;
        this.allRecords = allRecords;
    }

    /** The number of buckets. */
    public int buckets() {
        return buckets;
    }

    /** The number of buckets that serve. */
    public long ready() {
        return ready.get();
    }

    /** The number of buckets that could not be loaded. */
    public long failed() {
        return failed.get();
    }

    /** The number of buckets that were loaded because a call waited. */
    public long onDemand() {
        return onDemand.get();
    }

    /** The number of rows loaded so far. */
    public long rows() {
        return rows.get();
    }

    /** The number of rows to load. */
    public long allRows() {
        return allRows;
    }

    /** The number of log records applied so far. */
    public long records() {
        return records.get();
    }

    /** The number of commands among them. */
    public long commands() {
        return commands.get();
    }

    /** The number of log records to apply. */
    public long allRecords() {
        return allRecords - older.get();
    }

    /** The loading agent: a bucket has been loaded. */
    void add(LoadSample sample) {
        if (samples.size() < MOST_SAMPLES) {
            samples.add(sample);
        }
    }

    /** Work and times of the first buckets. The loading agent's thread. */
    public List<LoadSample> samples() {
        return List.copyOf(samples);
    }

    /** The reason why a bucket could not be loaded; null if it was loaded or is still to be. Any thread. */
    public String problemOf(int bucket) {
        return problems.get(bucket);
    }

    /** A view of the buckets that could not be loaded, with the reasons. Any thread. */
    public Map<Integer, String> problems() {
        return Collections.unmodifiableMap(problems);
    }

    /** The buckets that could not be loaded, in ascending order. Any thread. */
    public Set<Integer> damaged() {
        return problems.keySet();
    }

    /** A bucket that could not be loaded has been repaired. The repair's thread, when the loading is over. */
    public void repaired(int bucket) {
        if (problems.remove(bucket) != null) {
            failed.add(-1);
            ready.increment();
        }
    }

    /** The time until every bucket was served or had failed; 0 before. */
    public long tookNs() {
        return tookNs.get();
    }

    /** Whether no bucket is to be loaded any more. */
    public boolean isOver() {
        return ready() + failed() == buckets;
    }
}

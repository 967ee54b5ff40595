package io.reprise.recovery.rebuild;

import io.reprise.runtime.metric.Counter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The state of a node's rebuilds. The rebuild's thread writes it, any thread reads it. */
public final class RebuildStats {
    /**
     * The state of a rebuild.
     *
     * @param partition the partition
     * @param buckets its buckets
     * @param fenced whether nothing of the partition is under way any more, apart from the rebuild
     * @param open the number of buckets that serve again
     * @param failed the number of buckets that could not be rebuilt
     */
    public record State(int partition, int buckets, boolean fenced, int open, int failed) {}

    private final Counter rebuilds = new Counter();
    private final Counter failures = new Counter();
    private final AtomicReference<State> present = new AtomicReference<>();
    private final AtomicReference<RebuildReport> last = new AtomicReference<>();
    private final AtomicReference<String> problem = new AtomicReference<>();

    RebuildStats() {}

    void begin(int partition, int buckets) {
        present.set(new State(partition, buckets, false, 0, 0));
    }

    void fenced() {
        State now = present.get();
        present.set(new State(now.partition(), now.buckets(), true, 0, 0));
    }

    void opened(boolean whole) {
        State now = present.get();
        present.set(new State(
                now.partition(),
                now.buckets(),
                now.fenced(),
                now.open() + (whole ? 1 : 0),
                now.failed() + (whole ? 0 : 1)));
    }

    void ended(RebuildReport report) {
        last.set(report);
        rebuilds.increment();
        present.set(null);
    }

    void failed(String why) {
        problem.set(why);
        failures.increment();
        State now = present.get();
        present.set(now.failed() > 0 ? now : null);
    }

    /** The rebuild under way, or one that has left buckets that do not serve; empty if there is none. */
    public Optional<State> present() {
        return Optional.ofNullable(present.get());
    }

    /** The last rebuild that succeeded. */
    public Optional<RebuildReport> last() {
        return Optional.ofNullable(last.get());
    }

    /** The reason of the last failure. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem.get());
    }

    /** The number of rebuilds that succeeded. */
    public long rebuilds() {
        return rebuilds.get();
    }

    /** The number of rebuilds that failed. */
    public long failures() {
        return failures.get();
    }
}

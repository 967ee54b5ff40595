package io.reprise.recovery.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The runs that follow each other up to the sorted log's end, and the choice of those to merge: the oldest ones of the lowest level of which there
 * are enough. Owned by the thread that sorts the log.
 */
final class RunLevels {
    /** More would not save much, and a merge of the highest level takes its time. */
    private static final int HIGHEST = 3;

    private static final long MOST_RECORDS = 1 << 30;

    private final int fan;
    private final List<LogRun> chain = new ArrayList<>();
    private final AtomicReference<List<LogRun>> published = new AtomicReference<>();

    /** The first runs of merges that have failed. */
    private final Set<Long> failed = new TreeSet<>();

    /**
     * No runs.
     *
     * @param fan the number of runs that are merged at once
     */
    RunLevels(int fan) {
        this.fan = fan;
    }

    /** The runs that there were at the start, each of which follows the one before. */
    void begin(List<LogRun> runs) {
        chain.addAll(runs);
        publish();
    }

    /** A run that follows the last one. */
    void add(LogRun run) {
        if (!chain.isEmpty() && chain.getLast().end() != run.begin()) {
            chain.clear();
        }
        chain.add(run);
        publish();
    }

    private void publish() {
        published.set(List.copyOf(chain));
    }

    /** The runs in log order, as soon as they are known. Any thread. */
    Optional<List<LogRun>> chain() {
        return Optional.ofNullable(published.get());
    }

    /** Runs up to a position are not needed any more. */
    void removeUpTo(long position) {
        if (chain.removeIf(run -> run.end() <= position)) {
            publish();
        }
    }

    /**
     * The next runs to merge, in log order. They have data records only, or none of them has. No snapshot is within them, because a later one makes
     * the runs before it needless.
     *
     * @param snapshots log positions of snapshots
     */
    Optional<List<LogRun>> next(long... snapshots) {
        for (int level = 0; level < HIGHEST; level++) {
            for (int first = 0; first <= chain.size() - fan; first++) {
                List<LogRun> candidates = chain.subList(first, first + fan);
                if (mayBeMerged(candidates, level, snapshots)) {
                    return Optional.of(List.copyOf(candidates));
                }
            }
        }
        return Optional.empty();
    }

    private boolean mayBeMerged(List<LogRun> runs, int level, long... snapshots) {
        boolean data = runs.getFirst().isData();
        long records = 0;
        for (LogRun run : runs) {
            if (run.level() != level || run.isData() != data || run.unfit() >= 0) {
                return false;
            }
            records += run.records();
        }
        for (long snapshot : snapshots) {
            if (runs.getFirst().begin() < snapshot && snapshot < runs.getLast().end()) {
                return false;
            }
        }
        return records <= MOST_RECORDS
                && !failed.contains(runs.getFirst().id())
                && RunMerge.statements(runs).size() <= LogRunWriter.MOST_STATEMENTS;
    }

    /** A merge has made one run of several. */
    void merged(List<LogRun> inputs, LogRun into) {
        int at = chain.indexOf(inputs.getFirst());
        if (at >= 0) {
            chain.subList(at, at + inputs.size()).clear();
            chain.add(at, into);
            publish();
        }
    }

    /** A merge can't be made; it is not tried again. */
    void failed(List<LogRun> inputs) {
        failed.add(inputs.getFirst().id());
    }
}

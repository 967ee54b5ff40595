package io.reprise.engine;

import io.reprise.id.DatabaseId;
import io.reprise.log.LogSettings;
import io.reprise.recovery.demand.TailIndex;
import io.reprise.recovery.rebuild.SortedRecords;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.LogRuns;
import io.reprise.recovery.run.RunRecords;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Takes runs into an index of the log, as far as they can be used. One thread. */
final class RunTaking {
    private final FileStore files;
    private final LogSettings log;
    private final LogRuns runs;
    private final Set<Long> without;
    private final Consumer<DamagedSnapshotException> damaged;
    private final List<LogRun> allTaken = new ArrayList<>();

    /**
     * The runs of a data directory.
     *
     * @param without the numbers of runs that turned out to be damaged
     * @param damaged is told of a run that is left out, because it is damaged
     */
    RunTaking(
            FileStore files,
            LogSettings log,
            DatabaseId database,
            Set<Long> without,
            Consumer<DamagedSnapshotException> damaged) {
        this.files = files;
        this.log = log;
        this.without = without;
        this.damaged = damaged;
        runs = new LogRuns(files, database);
    }

    /**
     * Takes the runs from a position on. Returns the position behind the last one.
     *
     * @param end the log's end, or an earlier position that no run goes beyond
     */
    long take(DemandIndex index, TailIndex records, long from, long end) {
        return take(index, records, from, Long.MAX_VALUE, end, false);
    }

    /**
     * The same, up to the first run with commands, and of the last run only records below a position.
     *
     * @param most a position of a frame
     */
    long takeData(DemandIndex index, TailIndex records, long from, long most, long end) {
        return take(index, records, from, most, end, true);
    }

    /** The runs that were taken so far, in log order. */
    List<LogRun> taken() {
        return List.copyOf(allTaken);
    }

    private long take(DemandIndex index, TailIndex records, long from, long most, long end, boolean dataOnly) {
        long position = from;
        for (LogRun run : runs.usable(from, files, log, end)) {
            boolean usable = position < most && !without.contains(run.id()) && (!dataOnly || run.isData());
            if (!usable || !takeRun(run, index, records, from, most)) {
                break;
            }
            position = Math.min(most, run.end());
        }
        return position;
    }

    /** The records of all runs from a position on, up to the first one with commands, in an index of their own; empty if there is none. */
    Optional<SortedRecords> sorted(long from, long end) {
        long reached = from;
        TailIndex records = null;
        try {
            for (LogRun run : runs.usable(from, files, log, end)) {
                if (!run.isData()) {
                    break;
                }
                if (records == null) {
                    int buckets = run.manifest().identity().database().buckets().count();
                    records = new TailIndex(buckets, TailIndex.room(end - from));
                }
                add(run, records, from);
                reached = run.end();
            }
        } catch (RuntimeException | Error failure) {
            if (records != null) {
                records.close();
            }
            throw failure;
        }
        return records == null ? Optional.empty() : Optional.of(new SortedRecords(records, reached));
    }

    private void add(LogRun run, TailIndex records, long from) {
        RunRecords opened = new RunRecords(runs, files, log, run);
        try {
            records.add(opened, from, Long.MAX_VALUE);
        } catch (RuntimeException | Error failure) {
            opened.close();
            throw failure;
        }
    }

    private boolean takeRun(LogRun run, DemandIndex index, TailIndex records, long from, long most) {
        RunRecords opened = null;
        boolean taken = false;
        try {
            opened = new RunRecords(runs, files, log, run);
            if (index.accepts(run, from, most)) {
                records.add(opened, from, most);
                taken = true;
                allTaken.add(run);
            }
        } catch (DamagedSnapshotException e) {
            damaged.accept(e);
        } finally {
            if (!taken && opened != null) {
                opened.close();
            }
        }
        return taken;
    }
}

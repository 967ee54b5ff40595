package io.reprise.recovery.run;

import io.reprise.id.DatabaseId;
import io.reprise.log.DamagedLogException;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs of a data directory. Any thread reads them; one makes and removes them. */
public final class LogRuns {
    private static final String FOLDER = "runs";
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");

    private final SubFolder files;
    private final DatabaseId database;
    private final SnapshotDirectory directory;

    /** The runs of a database. */
    public LogRuns(FileStore files, DatabaseId database) {
        this.files = new SubFolder(files, FOLDER);
        this.database = database;
        directory = new SnapshotDirectory(this.files);
    }

    SubFolder files() {
        return files;
    }

    DatabaseId database() {
        return database;
    }

    /**
     * Runs that follow each other, from the one that has a position on; none if there is no such run. A merged run takes the place of those that it
     * was made of.
     */
    public List<LogRun> from(long position) {
        return from(position, Long.MAX_VALUE);
    }

    /** The same without runs that go beyond the log's end: it may have been replaced by an older copy. */
    private List<LogRun> from(long position, long end) {
        List<LogRun> found = new ArrayList<>();
        if (files.exists(SnapshotDirectory.ROOT)) {
            for (long id : directory.list()) {
                if (LogRun.end(id) > position && LogRun.end(id) <= end) {
                    read(id).ifPresent(found::add);
                }
            }
        }
        List<LogRun> chain = new ArrayList<>();
        long reached = position;
        Optional<LogRun> next = longest(found, reached, true);
        while (next.isPresent()) {
            chain.add(next.get());
            reached = next.get().end();
            next = longest(found, reached, false);
        }
        return chain;
    }

    /** The run that goes on farthest from a position. */
    private static Optional<LogRun> longest(List<LogRun> found, long position, boolean isFirst) {
        LogRun longest = null;
        for (LogRun run : found) {
            boolean goesOn = isFirst ? run.begin() <= position && run.end() > position : run.begin() == position;
            if (goesOn && (longest == null || run.end() > longest.end())) {
                longest = run;
            }
        }
        return Optional.ofNullable(longest);
    }

    /**
     * Runs that follow each other, from the one that has a position on, up to the last one that the log is known to continue. Earlier ones
     * are of the same log, even if it does not reach back to them any more.
     *
     * @param data the data directory
     * @param end the log's end
     */
    public List<LogRun> usable(long position, FileStore data, LogSettings log, long end) {
        List<LogRun> chain = from(position, end);
        int count = chain.size();
        while (count > 0 && !isOfLog(chain.get(count - 1), data, log)) {
            count--;
        }
        return chain.subList(0, count);
    }

    /**
     * Whether usable runs have the changed rows of all transactions between two positions of a log, so that the log is not needed there.
     *
     * @param end the log's end
     */
    public boolean replaceLog(long from, long to, FileStore data, LogSettings log, long end) {
        return replaceLog(usable(from, data, log, end), from, to);
    }

    /** The same of runs that are known to be usable, from the one that has the first position on. */
    public static boolean replaceLog(List<LogRun> usable, long from, long to) {
        long reached = from;
        for (LogRun run : usable) {
            if (!run.isData()) {
                break;
            }
            reached = run.end();
        }
        return reached >= to;
    }

    /** Reads every byte of a run; throws {@link DamagedSnapshotException} at the first one that is wrong. */
    public void verify(LogRun run) {
        new SnapshotReader(files).verify(run.id());
    }

    private Optional<LogRun> read(long id) {
        try {
            Manifest manifest = directory.manifest(id);
            LogRun run = LogRun.of(manifest);
            return manifest.identity().database().equals(database) && run.end() == LogRun.end(id)
                    ? Optional.of(run)
                    : Optional.empty();
        } catch (DamagedSnapshotException
                | UnknownSnapshotFormatException
                | IllegalArgumentException
                | BufferUnderflowException e) {
            LOG.warn("A run of the log can't be used, and the log is read instead: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Whether a log is the one that a run was made of. It may be another if an older copy of it was brought back, and transactions have run
     * since.
     *
     * @param data the data directory
     */
    public boolean isOfLog(LogRun run, FileStore data, LogSettings log) {
        if (run.lastFrame() < 0) {
            return true;
        }
        LogRecords records = new LogRecords();
        try (LogReader reader = LogReader.upTo(data, log, database, run.lastFrame(), run.end());
                LogFrame frame = new LogFrame()) {
            if (!reader.next(frame)) {
                return false;
            }
            records.wrap(frame);
            return records.next()
                    && records.framePosition() == run.lastFrame()
                    && records.transactionId() == run.lastFrameId();
        } catch (DamagedLogException e) {
            // No frame begins there, or it is damaged: the log itself will tell.
            return false;
        }
    }

    /** Removes all runs but these, and what interrupted makings have left. */
    void removeAllBut(List<LogRun> kept) {
        files.make();
        directory.prepare();
        for (long id : directory.list()) {
            if (kept.stream().noneMatch(run -> run.id() == id)) {
                directory.remove(id);
            }
        }
    }

    /** Removes runs that end at a position or before. */
    void removeUpTo(long position) {
        for (long id : directory.list()) {
            if (LogRun.end(id) <= position) {
                directory.remove(id);
            }
        }
    }

    /** Removes a run, if it is still there. */
    void remove(LogRun run) {
        if (directory.list().contains(run.id())) {
            directory.remove(run.id());
        }
    }
}

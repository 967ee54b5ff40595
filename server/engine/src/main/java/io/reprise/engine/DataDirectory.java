package io.reprise.engine;

import io.reprise.log.DamagedLogException;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.recovery.run.LogRun;
import io.reprise.recovery.run.LogRuns;
import io.reprise.recovery.run.RunRecords;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.ReadOnlyFileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A data directory that is looked at from outside. Nothing in it is changed or locked, so an engine may be at work in it;
 * then the log is seen up to where it has been written, and a file may go away while it is read.
 */
public final class DataDirectory {
    /** The usual place of the log. */
    static final LogSettings LOG = LogSettings.DEFAULTS;
    /** The number of looks at something that an engine may have been changing. */
    static final int LOOKS = 5;

    private final FileStore files;
    private final SnapshotDirectory snapshots;
    private final LogDirectory log;

    private DataDirectory(FileStore files) {
        this.files = files;
        snapshots = new SnapshotDirectory(files);
        log = new LogDirectory(files, LOG.directory());
    }

    /** The directory at the path; throws {@link StorageException} if there is none, or nothing of a database in it. */
    public static DataDirectory at(Path path) {
        DataDirectory directory = of(SystemFileStore.openExisting(path));
        if (!directory.files.exists(SnapshotDirectory.ROOT) && !directory.files.exists(LOG.directory())) {
            throw new StorageException(
                    "use this as a data directory",
                    path.toString(),
                    "there is neither a folder " + LOG.directory() + " nor a folder " + SnapshotDirectory.ROOT
                            + " in it",
                    null);
        }
        return directory;
    }

    /** The directory that a store has. */
    static DataDirectory of(FileStore files) {
        return new DataDirectory(new ReadOnlyFileStore(files));
    }

    public FileStore files() {
        return files;
    }

    /** The ids of all snapshots, newest first. */
    public List<Long> snapshots() {
        return snapshots.list();
    }

    public boolean hasSnapshot(long id) {
        return files.exists(SnapshotDirectory.path(id));
    }

    public Manifest manifest(long id) {
        return snapshots.manifest(id);
    }

    /** The snapshot of that name; without a name the newest that seems undamaged. */
    public Manifest choose(Optional<String> name) {
        if (name.isPresent()) {
            return manifest(idOf(name.get()));
        }
        SnapshotReader.Choice choice = new SnapshotReader(files).choose();
        return choice.newest()
                .orElseThrow(() -> choice.damaged().isEmpty()
                        ? new IllegalArgumentException("there is no snapshot in the data directory")
                        : choice.damaged().getFirst());
    }

    private long idOf(String name) {
        try {
            long id = HexFormat.fromHexDigitsToLong(name);
            if (hasSnapshot(id)) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            // Not a number: not the name of a snapshot either.
        }
        List<String> names = snapshots().stream().map(SnapshotDirectory::name).toList();
        throw new IllegalArgumentException("there is no snapshot " + name + "; there "
                + (names.isEmpty() ? "is none at all" : "are " + String.join(", ", names)));
    }

    /** The positions of the log's segments. */
    List<Long> segments() {
        return log.positions();
    }

    /**
     * Tells whether an engine has removed the segment that was being read at the position. Bytes of such a segment
     * make no sense, because the file may be in use for another one.
     */
    boolean hasRemovedLogAt(long position) {
        List<Long> positions = segments();
        return !positions.isEmpty() && positions.getFirst() > position;
    }

    /**
     * Finds the log's end. A write under way can look like damage to a reader that goes piece by piece, but not twice
     * at the same place.
     */
    LogTail tail() {
        DamagedLogException before = null;
        for (int look = 0; ; look++) {
            List<Long> positions = segments();
            if (positions.isEmpty()) {
                throw new IllegalArgumentException("there is no log in the data directory");
            }
            try {
                return LogTail.find(files, LOG, positions.getFirst());
            } catch (DamagedLogException e) {
                boolean same = before != null
                        && e.file().equals(before.file())
                        && e.offset() == before.offset()
                        && positions.equals(segments());
                if (same || look >= LOOKS) {
                    throw e;
                }
                before = e;
            } catch (MissingFileException e) {
                // A segment that no snapshot needs any more went away.
                if (look >= LOOKS) {
                    throw e;
                }
            }
        }
    }

    /** Whether runs lead from a snapshot to the beginning of the log. */
    boolean hasRunsTo(LogTail tail, Manifest from) {
        return runsTo(tail, from).isPresent();
    }

    /** The runs that lead from a snapshot to the beginning of the log; empty if there are none, or if the log reaches back to it. */
    private Optional<List<LogRun>> runsTo(LogTail tail, Manifest from) {
        long position = from.origin().logPosition();
        if (position >= tail.firstPosition()) {
            return Optional.empty();
        }
        List<LogRun> runs = runsBefore(tail, from);
        return LogRuns.replaceLog(runs, position, tail.firstPosition()) ? Optional.of(runs) : Optional.empty();
    }

    /** The usable runs behind a snapshot that begin before the log. */
    private List<LogRun> runsBefore(LogTail tail, Manifest from) {
        return new LogRuns(files, tail.database())
                .usable(from.origin().logPosition(), files, LOG, tail.position()).stream()
                        .filter(run -> run.begin() < tail.firstPosition())
                        .toList();
    }

    /**
     * Runs that stand in the place of log.
     *
     * @param tail the log behind them
     * @param base the snapshot from which they lead to the log's beginning
     */
    record ReplacedLog(DataDirectory directory, LogTail tail, LogRuns sorted, Manifest base, List<LogRun> runs) {
        long from() {
            return base.origin().logPosition();
        }

        /** The log's beginning. */
        long to() {
            return tail.firstPosition();
        }

        RunRecords open(LogRun run) {
            return new RunRecords(sorted, directory.files, LOG, run);
        }
    }

    /** The longest chain of runs that leads from a snapshot to the beginning of the log, if there is one. */
    Optional<ReplacedLog> replacedLog(LogTail tail) {
        for (long id : snapshots().reversed()) {
            try {
                Manifest base = manifest(id);
                Optional<List<LogRun>> runs = runsTo(tail, base);
                if (runs.isPresent()) {
                    LogRuns sorted = new LogRuns(files, tail.database());
                    return Optional.of(new ReplacedLog(this, tail, sorted, base, runs.get()));
                }
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                // The verification reports it; printing the log does without this snapshot.
            }
        }
        return Optional.empty();
    }

    /** Reads every byte of the runs behind a snapshot, as far as they take the log's place; throws {@link DamagedSnapshotException}. */
    void verifyRuns(LogTail tail, Manifest from) {
        LogRuns runs = new LogRuns(files, tail.database());
        runsBefore(tail, from).forEach(runs::verify);
    }

    /** The newest readable snapshot whose place in the log is at the position or before it, and which the log reaches. */
    Optional<Manifest> newestUpTo(long position) {
        for (long id : snapshots()) {
            try {
                Manifest manifest = manifest(id);
                long at = manifest.origin().logPosition();
                if (at <= position && at >= segments().getFirst()) {
                    return Optional.of(manifest);
                }
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                // The verification reports it; printing the log does without this snapshot.
            }
        }
        return Optional.empty();
    }
}

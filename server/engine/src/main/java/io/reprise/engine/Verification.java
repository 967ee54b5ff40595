package io.reprise.engine;

import io.reprise.log.DamagedLogException;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogTail;
import io.reprise.log.UnknownLogFormatException;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads everything in a data directory and says what of it is good: of each snapshot every block with its checksum and
 * the rows with the counts and hashes in the manifest, of the log every frame with its checksum, its position and its
 * place in the chain, and every record's header. Then whether an engine could open the directory, and from what.
 */
public final class Verification {
    private final DataDirectory directory;
    private final Consumer<String> lines;
    private final List<Manifest> good = new ArrayList<>();

    /** The snapshots that have been read, good or not. */
    private final Set<Long> read = new HashSet<>();

    private int problems;

    public Verification(DataDirectory directory, Consumer<String> lines) {
        this.directory = directory;
        this.lines = lines;
    }

    /** Returns whether all is good; throws {@link IllegalStateException} if an engine has replaced everything while it was read. */
    public boolean run() {
        newSnapshots();
        if (directory.segments().isEmpty()) {
            problem("The log: there is none. Without it no engine opens the directory; a snapshot can be restored into"
                    + " another one.");
        } else {
            log();
        }
        try {
            Restore.checkFinished(directory.files());
        } catch (IllegalStateException e) {
            problem(e.getMessage());
        }
        return problems == 0;
    }

    /** Reads those that have not been read yet; returns whether there were any. */
    private boolean newSnapshots() {
        int before = read.size();
        for (long id : directory.snapshots()) {
            if (read.add(id)) {
                snapshot(id);
            }
        }
        return read.size() > before;
    }

    private void snapshot(long id) {
        String name = "Snapshot " + SnapshotDirectory.name(id) + ": ";
        try {
            Manifest manifest = new SnapshotReader(directory.files()).verify(id);
            good.add(manifest);
            lines.accept(name + "good, " + manifest.rows() + " rows, " + manifest.bytes() + " bytes, log from "
                    + hex(manifest.origin().logPosition()));
        } catch (DamagedSnapshotException | StorageException e) {
            if (directory.hasSnapshot(id)) {
                problem(name + "DAMAGED. " + e.getMessage());
            } else {
                lines.accept(name + "removed by the engine while it was read");
            }
        } catch (UnknownSnapshotFormatException e) {
            problem(name + "NOT READABLE. " + e.getMessage());
        }
    }

    private void log() {
        int look = 1;
        while (!logIsRead(look == DataDirectory.LOOKS)) {
            look++;
        }
    }

    /** Returns false if an engine has removed what was just being read, or all of the log up to it, so that it has to be begun again. */
    private boolean logIsRead(boolean lastLook) {
        long first = directory.segments().getFirst();
        long position = first;
        try {
            // Before the log, which an engine may be writing.
            DurablePosition.Found durable = DurablePosition.read(directory.files());
            LogTail tail = directory.tail();
            long[] counts = new long[2];
            try (LogReader reader = tail.read(tail.firstPosition());
                    LogFrame frame = new LogFrame()) {
                LogRecords records = new LogRecords();
                while (reader.next(frame)) {
                    records.wrap(frame);
                    while (records.next()) {
                        counts[1]++;
                    }
                    counts[0]++;
                    position = frame.endPosition();
                }
            }
            // Snapshots that take longer to read than to make are superseded meanwhile, and the log before the new ones
            // is removed.
            if (!meet(tail) && newSnapshots()) {
                if (lastLook) {
                    gaveUp();
                }
                return lastLook;
            }
            durable.check(tail);
            lines.accept("Log of database " + tail.database() + ": good, "
                    + directory.segments().size() + " segments, " + counts[0] + " frames, " + counts[1]
                    + " records, from " + hex(tail.firstPosition()) + " to " + hex(tail.position()));
            together(tail);
        } catch (DamagedLogException e) {
            if (!lastLook && directory.hasRemovedLogAt(position)) {
                return false;
            }
            String read = position == first ? "" : "good from " + hex(first) + " to " + hex(position) + ", then ";
            problem("Log: " + read + "DAMAGED. " + e.getMessage());
        } catch (UnknownLogFormatException e) {
            problem("Log: NOT READABLE. " + e.getMessage());
        }
        return true;
    }

    /** Damage is the answer, whatever else could not be seen. */
    private void gaveUp() {
        String why =
                "the engine at work makes snapshots, and removes the log before them, faster than they are read; whether one"
                        + " of them and the log go together could not be seen, and what was read stands above. Verify again while it"
                        + " makes none, or verify a backup";
        if (problems == 0) {
            throw new IllegalStateException(why);
        }
        lines.accept("Log: not read to its end, because " + why + ".");
    }

    /** Whether snapshots and log are of one database and meet. */
    private void together(LogTail tail) {
        try {
            new LogWitness(directory.files())
                    .checkIsOf(tail.database(), tail.directory().path());
        } catch (IllegalStateException e) {
            problem(e.getMessage());
        }
        for (Manifest manifest : good) {
            String name =
                    "Snapshot " + SnapshotDirectory.name(manifest.identity().transactionId()) + ": ";
            long from = manifest.origin().logPosition();
            if (!manifest.identity().database().equals(tail.database())) {
                problem(name + "is of database " + manifest.identity().database() + ", NOT that of the log.");
            } else if (from > tail.position()) {
                problem(name + "needs the log from " + hex(from) + " on, but the log ENDS before, at "
                        + hex(tail.position()) + ".");
            } else if (directory.hasRunsTo(tail, manifest)) {
                runs(tail, manifest, name);
            } else if (from < tail.firstPosition()) {
                lines.accept(name + "the log from there to " + hex(tail.firstPosition())
                        + " has been removed; it can be exported or restored, but not recovered from");
            }
        }
        if (!meet(tail)) {
            problem("The log begins at " + hex(tail.firstPosition())
                    + ", and no good snapshot goes on from there: an engine can NOT open the directory. Bring a snapshot or"
                    + " the missing segments back, or restore from a backup.");
        }
    }

    private void runs(LogTail tail, Manifest manifest, String name) {
        try {
            directory.verifyRuns(tail, manifest);
            lines.accept(name + "good runs have the log from there to " + hex(tail.firstPosition()));
        } catch (DamagedSnapshotException | StorageException e) {
            problem(name + "a run that the log was used again for is DAMAGED. " + e.getMessage());
        }
    }

    /** Whether an engine can be opened with what was read. */
    private boolean meet(LogTail tail) {
        return tail.firstPosition() == 0
                || good.stream()
                        .anyMatch(manifest -> (manifest.origin().logPosition() >= tail.firstPosition()
                                        || directory.hasRunsTo(tail, manifest))
                                && manifest.origin().logPosition() <= tail.position());
    }

    private void problem(String line) {
        problems++;
        lines.accept(line);
    }

    private static String hex(long position) {
        return "0x" + Long.toHexString(position);
    }
}

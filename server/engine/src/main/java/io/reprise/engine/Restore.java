package io.reprise.engine;

import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.LogWriter;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordKind;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.time.SystemClock;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Makes a new data directory of a backed up snapshot: the rows as a snapshot of a new database, and a log that goes on
 * from it. The database has an id of its own, so that log and snapshots of the old one are never mixed with it.
 *
 * <pre>
 *  the file restore-unfinished is there, forced; in another try a new one has taken its place
 *    -> the log with the snapshot's place, forced -> the snapshot, forced
 *    -> the file restore-unfinished is gone, forced: done
 * </pre>
 *
 * <p>While that file is there no engine opens the directory; restoring again begins anew.
 */
public final class Restore {
    /** Says that a directory is not whole yet. */
    public static final String UNFINISHED = "restore-unfinished";

    /** The same, on its way to that name, so that there is no moment without it while another try has left something. */
    private static final String UNFINISHED_AGAIN = "restore-unfinished-again";

    private static final String NOTE = "This directory was not restored to the end. Restore it again, or remove it.\n";

    private Restore() {}

    /**
     * Restores; when it returns the state is durable.
     *
     * @param into empty, or what an earlier try has left
     */
    static Manifest run(DetachedSnapshot snapshot, FileStore into, LogSettings log) {
        into.lock();
        try {
            into.lockFolder(log.directory());
            into.lockFolder(SnapshotDirectory.ROOT);
            begin(into, log);
            SeededRandomness random = SeededRandomness.unpredictable();
            Buckets buckets = snapshot.manifest().identity().database().buckets();
            DatabaseId database = DatabaseId.of(random.nextLong(), random.nextLong(), buckets);
            LogTail tail = LogTail.create(into, log, database);
            long position = begin(tail, log, snapshot.manifest().identity().transactionId());
            Manifest restored = snapshot.writeTo(into, tail.database(), position);
            into.delete(UNFINISHED);
            into.forceDirectory("");
            return restored;
        } finally {
            into.close();
        }
    }

    /**
     * Writes the snapshot's place into the log. An empty log would be made anew when it is opened, and a crash in that would
     * leave a snapshot without a log.
     */
    private static long begin(LogTail tail, LogSettings log, long transactionId) {
        long[] place = new long[1];
        PartitionLog ring = new PartitionLog(0, 0, log, new Waker());
        try (LogWriter writer = new LogWriter(
                tail,
                log,
                new PartitionLog[] {ring},
                new Waker[0],
                SystemClock.INSTANCE,
                (id, position) -> place[0] = position)) {
            writer.onStart();
            ring.begin(RecordKind.SNAPSHOT_BEGIN, transactionId, -1, 0).end();
            writer.onClose();
        } finally {
            ring.close();
        }
        if (place[0] == 0) {
            throw new IllegalStateException(
                    "the new log could not be written; make room on the disk and restore again");
        }
        return place[0];
    }

    private static void begin(FileStore into, LogSettings log) {
        List<String> names = into.list("");
        // In a directory in which an engine has been at work there is a database, whatever the note says.
        boolean again = isUnfinished(into) && !LogWitness.isIn(into);
        if (!again && !names.isEmpty()) {
            throw new StorageException(
                    "restore into a directory",
                    "",
                    "it is not empty (" + String.join(", ", names) + "); name a new one",
                    null);
        }
        // Its making may have failed at the force, and then it may never become durable: it is made anew.
        note(into, again ? UNFINISHED_AGAIN : UNFINISHED);
        if (again) {
            into.rename(UNFINISHED_AGAIN, UNFINISHED);
        }
        into.forceDirectory("");
        if (again) {
            removeFiles(into, log.directory());
            SnapshotDirectory snapshots = new SnapshotDirectory(into);
            snapshots.list().forEach(snapshots::remove);
            snapshots.prepareAtStart();
        }
    }

    private static void note(FileStore into, String path) {
        if (into.exists(path)) {
            into.delete(path);
        }
        try (DataFile file = into.create(path)) {
            file.write(0, ByteBuffer.wrap(NOTE.getBytes(StandardCharsets.US_ASCII)));
            file.force();
        }
    }

    private static boolean isUnfinished(FileStore files) {
        return files.exists(UNFINISHED) || files.exists(UNFINISHED_AGAIN);
    }

    private static void removeFiles(FileStore into, String directory) {
        if (into.exists(directory)) {
            for (String name : into.list(directory)) {
                into.delete(directory + "/" + name);
            }
            into.forceDirectory(directory);
        }
    }

    /**
     * Refuses a directory that a restore has not finished. If an engine has been at work there the restore had
     * finished, whatever its note says: the force behind the note's removal had failed, and a power failure has
     * brought it back.
     */
    static void checkFinished(FileStore files) {
        if (isUnfinished(files) && !LogWitness.isIn(files)) {
            throw new IllegalStateException("The data directory was being restored from a snapshot, and that was not"
                    + " finished: it has a file " + UNFINISHED + ". Restore it again, or remove the directory.");
        }
    }

    /** Removes a note that has come back; the directory is finished. */
    static void removeNote(FileStore files) {
        for (String note : List.of(UNFINISHED, UNFINISHED_AGAIN)) {
            if (files.exists(note)) {
                files.delete(note);
                files.forceDirectory("");
            }
        }
    }
}

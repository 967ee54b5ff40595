package io.reprise.engine;

import io.reprise.archive.ArchiveCatalog;
import io.reprise.archive.ObjectStore;
import io.reprise.id.TransactionId;
import io.reprise.log.DamagedLogException;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Restores a database as it was at a moment in the past: a snapshot, and the log behind it up to that moment. They come from a data
 * directory, at which a node may be at work, or from an archive; nothing is changed there.
 *
 * <pre>
 *  DIR.partial: copies of snapshot and log, up to the durable position
 *    -> recovered up to the moment, and a snapshot of it -> restored into DIR as a database of its own -> DIR.partial is removed,
 *       also after a failure
 * </pre>
 */
public final class PastRestore {
    private static final LogSettings LOG = LogSettings.DEFAULTS;
    private static final String LOCK = ".lock";
    private static final long PIECE = 1 << 20;

    private PastRestore() {}

    /**
     * The moment. Without either bound it is the end of the durable log.
     *
     * @param time transactions with a later time are left out, and all records behind the first of them
     * @param transaction this transaction is left out, and all records behind it
     */
    public record Moment(Optional<Instant> time, OptionalLong transaction) {
        /** Whether a record is behind the moment. */
        boolean isBefore(LogRecords record) {
            return transaction.isPresent() && record.transactionId() == transaction.getAsLong()
                    || time.isPresent() && timeOf(record.transactionId()).isAfter(time.get());
        }
    }

    /** The origin of snapshot and log. */
    interface Origin {
        /** Copies both into an empty data directory, as far as the moment needs them. Returns the moment's place in the log. */
        Cut copyTo(FileStore work, Moment moment);
    }

    /**
     * The place of a moment in a log.
     *
     * @param end the position up to which the log is needed
     * @param transaction the first one behind the moment, which is discarded with all that follows; empty if the log ends before
     */
    record Cut(long end, OptionalLong transaction) {}

    /**
     * Restores from a data directory.
     *
     * @param snapshot the folder of a backup, or of a snapshot, of the database whose log it is
     * @param data the data directory with the log
     * @param directory the new data directory
     * @return the manifest of the snapshot in the new directory
     */
    public static Manifest run(Path snapshot, Path data, Moment moment, Path directory, Consumer<String> lines) {
        DetachedSnapshot base = DetachedSnapshot.in(SystemFileStore.openExisting(snapshot), "");
        DataDirectory source = DataDirectory.at(data);
        checkBefore(base.manifest(), moment);
        Cut cut = cut(source.files(), base.manifest(), durable(source, base.manifest()), moment);
        return run(
                (work, _) -> {
                    copySnapshot(base, work);
                    copyLog(source, cut.end(), base.manifest().origin().logPosition(), work);
                    return cut;
                },
                moment,
                directory,
                lines);
    }

    /**
     * Restores from an archive.
     *
     * @param archive the archive
     * @param database the id of the database, or its beginning; empty if the archive has one only
     * @param directory the new data directory
     * @return the manifest of the snapshot in the new directory
     */
    public static Manifest fromArchive(
            ObjectStore archive, Optional<String> database, Moment moment, Path directory, Consumer<String> lines) {
        ArchiveCatalog catalog = ArchiveCatalog.read(archive, ArchiveCatalog.choose(archive, database));
        return run(new ArchiveOrigin(catalog, LOG, lines), moment, directory, lines);
    }

    private static Manifest run(Origin origin, Moment moment, Path directory, Consumer<String> lines) {
        Path partial = directory.resolveSibling(directory.getFileName() + ".partial");
        FileStore work = SystemFileStore.open(partial);
        if (!work.list("").isEmpty()) {
            throw new StorageException(
                    "restore with the help of a folder",
                    partial.toString(),
                    "it is not empty; an earlier restore may have left it: remove it",
                    null);
        }
        try {
            OptionalLong discarded = origin.copyTo(work, moment).transaction();
            OfflineRecovery.run(
                    partial,
                    discarded.isPresent()
                            ? List.of(RecoveryChoice.of(RecoveryChoice.Action.UP_TO, discarded.getAsLong()))
                            : List.of(),
                    lines);
            long made = new SnapshotDirectory(work).list().getFirst();
            return Backup.restoreTo(partial.resolve(SnapshotDirectory.path(made)), directory);
        } finally {
            remove(work, "");
            FileStore parent = SystemFileStore.open(partial.toAbsolutePath().getParent());
            parent.delete(partial.getFileName().toString());
        }
    }

    static Instant timeOf(long transactionId) {
        return Instant.EPOCH.plus(TransactionId.epochMicros(transactionId), ChronoUnit.MICROS);
    }

    static void checkBefore(Manifest base, Moment moment) {
        Instant made = timeOf(base.identity().transactionId());
        if (moment.time().isPresent() && made.isAfter(moment.time().get())) {
            throw new IllegalArgumentException("the snapshot was made at " + made + ", later than "
                    + moment.time().get() + "; name an older one");
        }
    }

    static void copySnapshot(DetachedSnapshot base, FileStore work) {
        work.createDirectory(SnapshotDirectory.ROOT);
        DetachedSnapshot.copy(
                base.asDataDirectory(),
                base.manifest(),
                work,
                SnapshotDirectory.path(base.manifest().identity().transactionId()));
    }

    private static long durable(DataDirectory source, Manifest base) {
        DurablePosition.Found durable = DurablePosition.read(source.files());
        if (!durable.database().equals(base.identity().database())) {
            throw new IllegalArgumentException("the snapshot is of database "
                    + base.identity().database() + ", and the log is of database " + durable.database());
        }
        long from = base.origin().logPosition();
        List<Long> positions = source.segments();
        if (positions.isEmpty() || positions.getFirst() > from) {
            throw new IllegalArgumentException("the snapshot needs the log from position 0x" + Long.toHexString(from)
                    + " on, and that is not there any more; name a newer snapshot");
        }
        return durable.position();
    }

    /**
     * Looks for the moment in a log. The log behind the first record after it is not read, so it may be damaged. If there is no such record before a
     * damage, the log up to there is enough only for the moment of the last transaction in it, which the message names.
     */
    static Cut cut(FileStore files, Manifest base, long durable, Moment moment) {
        LogRecords records = new LogRecords();
        long from = base.origin().logPosition();
        long read = from;
        long last = 0;
        try (LogReader reader = LogReader.upTo(files, LOG, base.identity().database(), from, durable);
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (RecoveryChoice.mayCut(records.kind())) {
                        if (moment.isBefore(records)) {
                            return new Cut(frame.endPosition(), OptionalLong.of(records.transactionId()));
                        }
                        last = Math.max(last, records.transactionId());
                    }
                }
                read = frame.endPosition();
            }
        } catch (DamagedLogException damage) {
            if (last != 0 && moment.time().filter(timeOf(last)::equals).isPresent()) {
                return new Cut(read, OptionalLong.empty());
            }
            throw new IllegalArgumentException(
                    damage.getMessage() + " Or restore what is before it: "
                            + (last == 0 ? "the snapshot without --log" : "--to " + timeOf(last)),
                    damage);
        }
        if (moment.transaction().isPresent()) {
            throw new IllegalArgumentException("transaction 0x"
                    + Long.toHexString(moment.transaction().getAsLong())
                    + " is not in the log behind the snapshot; \"reprise log print\" shows the ids");
        }
        return new Cut(durable, OptionalLong.empty());
    }

    /** Copies the segments from a position on. A node may be writing bytes behind the durable position; they are left out. */
    static void copyLog(DataDirectory source, long durable, long from, FileStore work) {
        List<Long> positions = source.segments();
        work.createDirectory(LOG.directory());
        LogDirectory names = new LogDirectory(work, LOG.directory());
        for (int i = 0; i < positions.size(); i++) {
            long position = positions.get(i);
            boolean needed = i + 1 == positions.size() || positions.get(i + 1) > from;
            if (needed && position < durable) {
                try (DataFile segment = source.files().openReadOnly(names.path(position));
                        DataFile copy = work.create(names.path(position))) {
                    copy.preallocate(segment.size());
                    copy(segment, Math.min(segment.size(), durable - position), copy);
                }
            }
        }
    }

    private static void copy(DataFile from, long bytes, DataFile to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE);
            for (long at = 0; at < bytes; at += PIECE) {
                MemorySegment part = piece.asSlice(0, Math.min(PIECE, bytes - at));
                from.read(at, part);
                to.write(at, part);
            }
        }
    }

    static void remove(FileStore work, String folder) {
        for (String name : work.list(folder)) {
            String path = folder.isEmpty() ? name : folder + "/" + name;
            boolean snapshot = folder.equals(SnapshotDirectory.ROOT) && !name.startsWith(".");
            if (path.equals(LOG.directory()) || path.equals(SnapshotDirectory.ROOT) || snapshot) {
                remove(work, path);
            } else {
                work.delete(path);
            }
        }
        // A store does not list it.
        String lock = folder.isEmpty() ? LOCK : folder + "/" + LOCK;
        if (work.exists(lock)) {
            work.delete(lock);
        }
        if (!folder.isEmpty()) {
            work.delete(folder);
        }
    }
}

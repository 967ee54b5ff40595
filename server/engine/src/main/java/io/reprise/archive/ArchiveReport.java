package io.reprise.archive;

import io.reprise.id.DatabaseId;
import io.reprise.id.TransactionId;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells what an archive has, and from where to where a database can be restored. A verification reads every byte besides. Nothing is
 * changed, so a node may be archiving. One thread.
 */
public final class ArchiveReport {
    private final ObjectStore objects;
    private final boolean bytes;
    private final Consumer<String> lines;
    private int problems;

    /**
     * A report.
     *
     * @param bytes whether every byte is read
     */
    public ArchiveReport(ObjectStore objects, boolean bytes, Consumer<String> lines) {
        this.objects = objects;
        this.bytes = bytes;
        this.lines = lines;
    }

    /** Returns whether all is good, and each database can be restored. */
    public boolean run() {
        List<DatabaseId> databases = ArchiveCatalog.databases(objects);
        if (databases.isEmpty()) {
            problem("There is no database in the archive " + objects.place() + ".");
        }
        databases.forEach(this::database);
        return problems == 0;
    }

    private void database(DatabaseId database) {
        lines.accept("Database " + database);
        ArchiveCatalog catalog = ArchiveCatalog.read(objects, database);
        log(catalog);
        Optional<Instant> oldest = Optional.empty();
        for (long id : catalog.snapshots()) {
            Optional<List<PieceName>> log = snapshot(catalog, id);
            if (log.isPresent() && log.get().getLast().end() == catalog.end()) {
                oldest = Optional.of(timeOf(id));
            }
        }
        if (oldest.isEmpty()) {
            problem("  NOT restorable to the end: no snapshot has all log behind it.");
            return;
        }
        try {
            lines.accept("  Restorable from " + oldest.get() + " to "
                    + time(new ArchivedLog(catalog)
                            .times(catalog.pieces().getLast())
                            .copiedMicros()) + ".");
        } catch (DamagedArchiveException | StorageException e) {
            problem("  " + e.getMessage());
        }
    }

    private void log(ArchiveCatalog catalog) {
        PieceName before = null;
        for (PieceName piece : catalog.pieces()) {
            if (before != null && before.end() != piece.begin()) {
                lines.accept("  Log: GAP from 0x" + Long.toHexString(before.end()) + " to 0x"
                        + Long.toHexString(piece.begin()) + "; moments behind a gap need a snapshot behind it.");
            }
            before = piece;
            verify(catalog, piece);
        }
        lines.accept("  Log: " + catalog.pieces().size() + " pieces, from 0x" + Long.toHexString(catalog.start())
                + " to 0x" + Long.toHexString(catalog.end()) + " without a gap");
    }

    private void verify(ArchiveCatalog catalog, PieceName piece) {
        if (bytes) {
            try {
                new ArchivedLog(catalog).verify(piece);
            } catch (DamagedArchiveException | StorageException e) {
                problem("  " + e.getMessage());
            }
        }
    }

    /** Returns the log behind it, if both can be used. */
    private Optional<List<PieceName>> snapshot(ArchiveCatalog catalog, long id) {
        String name = "  Snapshot " + SnapshotDirectory.name(id) + ": ";
        try {
            Manifest manifest = catalog.manifest(id);
            if (bytes) {
                catalog.snapshot(id).verify();
            }
            lines.accept(name + timeOf(id) + ", " + manifest.rows() + " rows, " + manifest.bytes() + " bytes");
            return Optional.of(catalog.behind(manifest));
        } catch (DamagedSnapshotException
                | DamagedArchiveException
                | UnknownSnapshotFormatException
                | StorageException e) {
            problem(name + e.getMessage());
            return Optional.empty();
        }
    }

    private static Instant timeOf(long id) {
        return time(TransactionId.epochMicros(id));
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private void problem(String line) {
        problems++;
        lines.accept(line);
    }
}

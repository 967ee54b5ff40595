package io.reprise.engine;

import io.reprise.archive.ArchiveCatalog;
import io.reprise.archive.DamagedArchiveException;
import io.reprise.archive.ObjectStore;
import io.reprise.archive.SegmentRepair;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Repairs a data directory from its archive while no engine is at work there: archived log and snapshots take the place of damaged or
 * missing bytes. Log that is not archived stays as it is. Each file is replaced in one step, and a repair may be repeated. One thread.
 */
public final class ArchiveRepair {
    private final FileStore files;
    private final ArchiveCatalog catalog;
    private final LogSettings log;
    private final Consumer<String> lines;
    private int repaired;

    private ArchiveRepair(FileStore files, ArchiveCatalog catalog, LogSettings log, Consumer<String> lines) {
        this.files = files;
        this.catalog = catalog;
        this.log = log;
        this.lines = lines;
    }

    /** Repairs the directory; returns how many segments and snapshots were replaced. */
    public static int run(Path directory, ObjectStore archive, Consumer<String> lines) {
        // Throws if there is no data directory.
        DataDirectory.at(directory);
        return run(SystemFileStore.openExisting(directory), archive, LogSettings.DEFAULTS, lines);
    }

    static int run(FileStore files, ObjectStore archive, LogSettings log, Consumer<String> lines) {
        files.lock();
        try {
            files.lockFolder(log.directory());
            files.lockFolder(SnapshotDirectory.ROOT);
            DatabaseId database = new LogWitness(files)
                    .database()
                    .orElseThrow(
                            () -> new IllegalArgumentException(
                                    "the file " + LogWitness.FILE
                                            + " does not tell which database this is; restore from the archive into another directory"));
            ArchiveCatalog catalog = ArchiveCatalog.read(archive, database);
            if (catalog.pieces().isEmpty()) {
                throw new IllegalArgumentException("the archive has no log of database " + database);
            }
            ArchiveRepair repair = new ArchiveRepair(files, catalog, log, lines);
            repair.log();
            repair.snapshots();
            return repair.repaired;
        } finally {
            files.close();
        }
    }

    private void log() {
        SnapshotDirectory directory = new SnapshotDirectory(files);
        long from = Long.MAX_VALUE;
        for (long id : directory.list()) {
            try {
                from = Math.min(from, directory.manifest(id).origin().logPosition());
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                // The archived one may take its place, and then the log behind it is needed.
                from = catalog.snapshots().contains(id)
                        ? Math.min(from, catalog.manifest(id).origin().logPosition())
                        : from;
            }
        }
        for (long position : new LogDirectory(files, log.directory()).positions()) {
            from = Math.min(from, position);
        }
        repaired += new SegmentRepair(catalog, files, log, lines).run(from);
    }

    private void snapshots() {
        SnapshotDirectory directory = new SnapshotDirectory(files);
        for (long id : directory.list()) {
            String name = "Snapshot " + SnapshotDirectory.name(id);
            try {
                new SnapshotReader(files).verify(id);
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                if (catalog.snapshots().contains(id)) {
                    replace(directory, id, name);
                } else {
                    lines.accept(name + " is damaged, and the archive does not have it: " + e.getMessage());
                }
            }
        }
    }

    private void replace(SnapshotDirectory directory, long id, String name) {
        try {
            DetachedSnapshot archived = catalog.snapshot(id);
            archived.verify();
            Manifest manifest = archived.manifest();
            directory.remove(id);
            DetachedSnapshot.copy(archived.asDataDirectory(), manifest, files, SnapshotDirectory.path(id));
            files.forceDirectory(SnapshotDirectory.ROOT);
            repaired++;
            lines.accept(name + " was damaged; the archived one has taken its place.");
        } catch (DamagedSnapshotException | DamagedArchiveException e) {
            lines.accept(name + " is damaged, also in the archive: " + e.getMessage());
        }
    }
}

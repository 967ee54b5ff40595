package io.reprise.engine;

import io.reprise.archive.ArchiveCatalog;
import io.reprise.archive.DamagedArchiveException;
import io.reprise.archive.ObjectStore;
import io.reprise.archive.SegmentRepair;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogTail;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archived snapshots from which a directory is recovered that has lost its own. Their rows are read where they are archived. Missing
 * segments of the log are made from archived pieces before the log is opened; a crash meanwhile leaves whole segments, and the next start
 * makes the others. Used by the opening thread.
 */
final class ArchivedBase {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");

    private final EngineSettings settings;
    private final FileStore files;
    private final ArchiveCatalog catalog;
    private final String place;
    private final boolean restores;

    /** Those that have not been tried, newest first. */
    private final Deque<Long> snapshots;

    private ArchivedBase(
            EngineSettings settings, FileStore files, ArchiveCatalog catalog, String place, boolean restores) {
        this.settings = settings;
        this.files = files;
        this.catalog = catalog;
        this.place = place;
        this.restores = restores;
        snapshots = new ArrayDeque<>(catalog.snapshots());
    }

    /**
     * The archived snapshots that a directory without snapshots needs; empty if there is no archive, or the log is enough without it.
     * Without a log the archive is used only if the settings say so, because it may lack the last transactions.
     */
    static Optional<ArchivedBase> neededBy(EngineSettings settings, FileStore files) {
        if (settings.storage().archive().isEmpty() || settings.cluster().isPresent()) {
            return Optional.empty();
        }
        List<Long> segments =
                new LogDirectory(files, settings.durability().log().directory()).positions();
        boolean restores = settings.storage().archive().get().restores();
        if (segments.isEmpty() ? !restores : segments.getFirst() == 0) {
            return Optional.empty();
        }
        ObjectStore objects = settings.storage().archive().get().place().get();
        return database(settings, files, objects)
                .map(id ->
                        new ArchivedBase(settings, files, ArchiveCatalog.read(objects, id), objects.place(), restores));
    }

    /** The database of the directory; empty if the archive has nothing of it. */
    private static Optional<DatabaseId> database(EngineSettings settings, FileStore files, ObjectStore objects) {
        Optional<DatabaseId> witness = new LogWitness(files).database();
        List<DatabaseId> found = ArchiveCatalog.databases(objects).stream()
                .filter(id -> witness.isEmpty() || witness.get().equals(id))
                .filter(id -> !LogTail.isOfAnother(files, settings.durability().log(), id))
                .toList();
        if (found.size() > 1) {
            throw new IllegalStateException("The archive " + objects.place() + " has several databases, and the data"
                    + " directory does not say which of them it had. Restore one by \"reprise restore\" into another"
                    + " directory. Nothing has been changed.");
        }
        return found.stream().findFirst();
    }

    /** The next older snapshot that is readable, with the log behind it in its place; empty if there is none. */
    Optional<SnapshotBase> next() {
        while (!snapshots.isEmpty()) {
            long id = snapshots.poll();
            try {
                DetachedSnapshot snapshot = catalog.snapshot(id);
                fillLog(snapshot);
                LOG.info(
                        "The directory has no snapshot to recover from: archived snapshot {} in {} is used",
                        SnapshotDirectory.name(id),
                        place);
                return Optional.of(new SnapshotBase(snapshot.asDataDirectory(), snapshot.manifest(), true));
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException | DamagedArchiveException e) {
                LOG.warn("Archived snapshot {} can't be used: {}", SnapshotDirectory.name(id), e.getMessage());
            }
        }
        return Optional.empty();
    }

    private void fillLog(DetachedSnapshot snapshot) {
        String folder = settings.durability().log().directory();
        LogDirectory directory = new LogDirectory(files, folder);
        List<Long> segments = directory.positions();
        long from = snapshot.manifest().origin().logPosition();
        if (!segments.isEmpty() && segments.getFirst() <= from && !restores) {
            return;
        }
        // Throws if the archive has not all of it.
        catalog.behind(snapshot.manifest());
        if (!files.exists(folder)) {
            files.createDirectory(folder);
            files.forceDirectory("");
        }
        files.lockFolder(folder);
        long below = segments.isEmpty() || restores ? Long.MAX_VALUE : segments.getFirst();
        int made = new SegmentRepair(catalog, files, settings.durability().log(), LOG::info).fill(from, below);
        LOG.info("{} segments of the log were made from the archive {}", made, place);
    }
}

package io.reprise.archive;

import io.reprise.id.TransactionId;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.util.List;

/**
 * Removes what no moment within the retention needs: snapshots before the newest one that is older than the retention, and the log
 * before that one. A crash leaves files without a manifest, or log that no snapshot needs; the next run removes them. One thread.
 */
final class ArchiveRetention {
    private final ObjectStore objects;
    private final ArchiveCatalog catalog;
    private int removed;

    ArchiveRetention(ObjectStore objects, ArchiveCatalog catalog) {
        this.objects = objects;
        this.catalog = catalog;
    }

    /** Returns how many objects were removed. */
    int run(long oldestMicros) {
        removeUnfinished();
        for (long id : catalog.snapshots()) {
            if (TransactionId.epochMicros(id) <= oldestMicros) {
                removeBefore(id);
                break;
            }
        }
        return removed;
    }

    private void removeBefore(long base) {
        List<PieceName> needed;
        try {
            needed = catalog.behind(catalog.manifest(base));
        } catch (DamagedArchiveException e) {
            // Nothing can be restored from this snapshot, so older ones stay.
            return;
        }
        for (long id : catalog.snapshots().reversed()) {
            if (id < base) {
                removeSnapshot(SnapshotDirectory.name(id));
            }
        }
        for (PieceName piece : catalog.pieces()) {
            if (piece.end() <= needed.getFirst().begin()) {
                remove(ArchiveCatalog.logFolder(catalog.database()) + "/" + piece.text());
            }
        }
    }

    /** Removes snapshots without a manifest. None is being copied meanwhile. */
    private void removeUnfinished() {
        for (String name : objects.list(catalog.database() + "/" + SnapshotDirectory.ROOT)) {
            String manifest =
                    ArchiveCatalog.snapshotFolder(catalog.database(), name) + "/" + SnapshotDirectory.MANIFEST;
            if (!objects.exists(manifest)) {
                removeSnapshot(name);
            }
        }
    }

    private void removeSnapshot(String name) {
        String folder = ArchiveCatalog.snapshotFolder(catalog.database(), name);
        if (objects.exists(folder + "/" + SnapshotDirectory.MANIFEST)) {
            remove(folder + "/" + SnapshotDirectory.MANIFEST);
        }
        objects.removeUnfinished(folder);
        for (String file : objects.list(folder)) {
            remove(folder + "/" + file);
        }
        objects.delete(folder);
    }

    private void remove(String name) {
        objects.delete(name);
        removed++;
    }
}

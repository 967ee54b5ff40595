package io.reprise.snapshot;

import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.util.Set;

/**
 * Removes all but the newest snapshots, and finds out from where on those that are left need the log. A damaged one does not
 * count: it would take the place of an older one that can be used, and the log behind that. It stays, because its files may be
 * brought back, until there are enough newer ones.
 */
final class SnapshotPruning {
    private final SnapshotDirectory directory;
    private final SnapshotReader reader;
    private final int keep;
    private final Set<Long> damaged;

    /**
     * A pruning.
     *
     * @param damaged snapshots of which something is damaged that only a load finds out
     */
    SnapshotPruning(FileStore files, int keep, Set<Long> damaged) {
        this.directory = new SnapshotDirectory(files);
        this.reader = new SnapshotReader(files);
        this.keep = keep;
        this.damaged = Set.copyOf(damaged);
    }

    /**
     * The remaining snapshots.
     *
     * @param oldestLogPosition the log has to be kept from here on; 0 if that isn't known
     * @param problem the failure on the way, for people; empty if nothing
     */
    record Left(long oldestLogPosition, String problem) {}

    /** After a snapshot has been completed. */
    Left run() {
        try {
            return prune();
        } catch (StorageException e) {
            return new Left(0, "The snapshot is complete, but an older one could not be removed: " + e.getMessage());
        }
    }

    private Left prune() {
        int usable = 0;
        long oldest = Long.MAX_VALUE;
        String problem = "";
        for (long id : directory.list()) {
            if (usable == keep) {
                directory.remove(id);
                continue;
            }
            try {
                Manifest manifest = reader.look(id);
                if (damaged.contains(id)) {
                    problem = "The snapshot is complete, but an older one, " + SnapshotDirectory.name(id)
                            + ", is of no use: it is damaged.";
                } else {
                    oldest = Math.min(oldest, manifest.origin().logPosition());
                    usable++;
                }
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                problem = "The snapshot is complete, but an older one is of no use: " + e.getMessage();
            }
        }
        return new Left(oldest, problem);
    }
}

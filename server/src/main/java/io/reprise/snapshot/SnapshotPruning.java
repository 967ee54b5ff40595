package io.reprise.snapshot;

import io.reprise.runtime.file.StorageException;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.UnknownSnapshotFormatException;
import java.util.List;

/** Removes all but the newest snapshots, and finds out from where on those that are left need the log. */
final class SnapshotPruning {
    private final SnapshotDirectory directory;
    private final int keep;

    SnapshotPruning(SnapshotDirectory directory, int keep) {
        this.directory = directory;
        this.keep = keep;
    }

    /**
     * What is left.
     *
     * @param oldestLogPosition where the log has to be kept from; 0 if that isn't known
     * @param problem what went wrong on the way, for people; empty if nothing
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
        List<Long> ids = directory.list();
        for (int i = keep; i < ids.size(); i++) {
            directory.remove(ids.get(i));
        }
        long oldest = Long.MAX_VALUE;
        String problem = "";
        for (long id : ids.subList(0, Math.min(keep, ids.size()))) {
            try {
                oldest = Math.min(oldest, directory.manifest(id).origin().logPosition());
            } catch (DamagedSnapshotException | UnknownSnapshotFormatException e) {
                problem = "The snapshot is complete, but an older one is of no use: " + e.getMessage();
            }
        }
        return new Left(oldest, problem);
    }
}

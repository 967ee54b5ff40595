package io.reprise.engine;

import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Snapshots outside data directories: copied there, and made into new data directories. */
public final class Backup {
    /**
     * The folders that this process is making. A second one would find the file locked that the first has locked, but
     * by closing it would give the first one's lock up: then other processes get it.
     */
    private static final Set<Path> UNDER_WAY = ConcurrentHashMap.newKeySet();

    private Backup() {}

    /**
     * Makes a new data directory of a snapshot's folder: of a backup, or of a snapshot in another data directory. An
     * engine with any number of partitions can be opened on it; it holds the snapshot's content and is a database of
     * its own. Durable when this returns; a directory in which it was interrupted is refused by engines, and can be
     * restored into again.
     *
     * @param snapshot the folder with the snapshot's manifest
     * @param directory the new data directory: empty, or not there
     */
    public static void restore(Path snapshot, Path directory) {
        restoreTo(snapshot, directory);
    }

    public static Manifest restoreTo(Path snapshot, Path directory) {
        DetachedSnapshot from = DetachedSnapshot.in(SystemFileStore.openExisting(snapshot), "");
        return Restore.run(from, SystemFileStore.open(directory), LogSettings.DEFAULTS);
    }

    /** Copies a snapshot of a data directory into a new folder, and reads the copy to see that it is right. */
    public static void copy(FileStore directory, Manifest manifest, Path folder) {
        Path target = folder.toAbsolutePath().normalize();
        Path name = target.getFileName();
        if (name == null) {
            throw new IllegalArgumentException(folder + " can't be the folder of a backup; name a new one");
        }
        FileStore parent = SystemFileStore.open(target.getParent());
        Path real = real(target);
        if (!UNDER_WAY.add(real)) {
            throw DetachedSnapshot.underWay(name.toString());
        }
        try {
            copy(directory, manifest, parent, name.toString());
        } finally {
            UNDER_WAY.remove(real);
        }
    }

    private static Path real(Path target) {
        try {
            return target.getParent().toRealPath().resolve(target.getFileName());
        } catch (IOException e) {
            throw new StorageException("make a backup", target.toString(), "its folder can't be found: " + e, e);
        }
    }

    public static void copy(FileStore directory, Manifest manifest, FileStore into, String name) {
        if (into.exists(name)) {
            throw new StorageException("make a backup", name, "it exists already; name a new folder", null);
        }
        try {
            DetachedSnapshot.copy(directory, manifest, into, name);
        } catch (DamagedSnapshotException e) {
            throw removedOr(e, directory, manifest);
        }
    }

    /** A file that an engine removes during the reading looks like damage, and is none. */
    public static RuntimeException removedOr(DamagedSnapshotException damage, FileStore directory, Manifest manifest) {
        String path = SnapshotDirectory.path(manifest.identity().transactionId());
        if (directory.exists(path)) {
            return damage;
        }
        return new StorageException(
                "read the snapshot to its end",
                path,
                "the engine that is at work there has removed it meanwhile, because it has newer ones; begin again with one"
                        + " of these",
                damage);
    }
}

package io.reprise.snapshot.file;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.StorageReadOnlyException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names of snapshots in the data directory, and when they begin and cease to exist.
 *
 * <pre>
 *   snapshot/0123456789abcdef.partial/     being written, or being removed: removed at the next start
 *   snapshot/0123456789abcdef/             a snapshot, named after its transaction
 *       manifest
 *       partition-0.data ...
 * </pre>
 *
 * <p>A snapshot comes to be in this order: data files written and forced; manifest written and forced; directory of these
 * forced; directory renamed; {@code snapshot} forced. So whatever has a name without {@code .partial} was complete when
 * it got it. Removing goes the other way: the name first.
 */
public final class SnapshotDirectory {
    /** The folder of snapshots in the data directory. */
    public static final String ROOT = "snapshot";

    /** The file that a whole snapshot has. */
    public static final String MANIFEST = "manifest";

    private static final String PARTIAL = ".partial";
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern PARTIAL_NAME = Pattern.compile("[0-9a-f]{16}\\.partial");
    private static final Pattern DATA_FILE = Pattern.compile("partition-[0-9]+\\.data");

    private final FileStore files;

    /** The snapshots of a data directory. */
    public SnapshotDirectory(FileStore files) {
        this.files = files;
    }

    /** A snapshot as its folder is called, and as people name it. */
    public static String name(long transactionId) {
        return HexFormat.of().toHexDigits(transactionId);
    }

    /** The path of a snapshot. */
    public static String path(long transactionId) {
        return ROOT + "/" + name(transactionId);
    }

    static String dataFile(int partition) {
        return "partition-" + partition + ".data";
    }

    static boolean isFileOfSnapshot(String name) {
        return name.equals(MANIFEST) || DATA_FILE.matcher(name).matches();
    }

    private static String partial(long transactionId) {
        return path(transactionId) + PARTIAL;
    }

    /** The transaction ids of the snapshots that there are, newest first. Says nothing of their being undamaged. */
    public List<Long> list() {
        if (!files.exists(ROOT)) {
            return List.of();
        }
        List<Long> ids = new ArrayList<>();
        for (String name : files.list(ROOT)) {
            if (NAME.matcher(name).matches()) {
                ids.add(HexFormat.fromHexDigitsToLong(name));
            }
        }
        return ids.reversed();
    }

    /**
     * Claims the place for snapshots, if there is one: links of other data directories may lead to it. Returns why that can't be done
     * for now, because it is on another disk, and that is full or read-only; then it is only to be read.
     */
    public Optional<StorageException> lock() {
        try {
            files.lockFolder(ROOT);
            return Optional.empty();
        } catch (StorageFullException | StorageReadOnlyException e) {
            return Optional.of(e);
        }
    }

    /** Makes the place for snapshots if it is missing, and removes what was left of unfinished ones. Returns how many. */
    public int prepare() {
        prepareRoot();
        // It may have been impossible before, and what another directory leads to as well is its own only with it.
        files.lockFolder(ROOT);
        int removed = 0;
        for (String name : files.list(ROOT)) {
            if (PARTIAL_NAME.matcher(name).matches()) {
                removeTree(ROOT + "/" + name);
                removed++;
            }
        }
        return removed;
    }

    /**
     * The same before anything is written. A place in which there is nothing is made anew: the force that was to make its name
     * durable may have failed, and would not be tried again; then all snapshots would be lost with the name. One that leads
     * elsewhere is not the directory's own, and stays; so does one that can't be removed, as a folder of the same disk that is
     * mounted there.
     */
    public void prepareAtStart() {
        boolean made = files.exists(ROOT);
        prepare();
        if (made && files.list(ROOT).isEmpty() && !files.leadsElsewhere(ROOT)) {
            try {
                files.delete(ROOT);
            } catch (StorageException kept) {
                files.lockFolder(ROOT);
                files.forceDirectory("");
            }
            prepareRoot();
        }
    }

    /** Reads what a snapshot says of itself; throws {@link DamagedSnapshotException} if that is not readable. */
    public Manifest manifest(long transactionId) {
        String path = path(transactionId) + "/" + MANIFEST;
        Manifest manifest = readManifest(files, path);
        if (manifest.identity().transactionId() != transactionId) {
            throw new DamagedSnapshotException(
                    path,
                    36,
                    "it is the manifest of snapshot " + name(manifest.identity().transactionId()));
        }
        return manifest;
    }

    /** Reads a manifest that lies anywhere. */
    static Manifest readManifest(FileStore files, String path) {
        byte[] bytes;
        try (DataFile file = files.openReadOnly(path)) {
            long size = file.size();
            if (size > Integer.MAX_VALUE - 8) {
                throw new DamagedSnapshotException(path, 0, "it has " + size + " bytes, which no manifest has");
            }
            bytes = new byte[(int) size];
            int count = file.read(0, ByteBuffer.wrap(bytes));
            if (count < size) {
                throw new DamagedSnapshotException(path, count, "only " + count + " of " + size + " bytes can be read");
            }
        } catch (StorageException e) {
            throw DamagedSnapshotException.unreadable(path, 0, e);
        }
        return ManifestCodec.decode(bytes, path);
    }

    String makePartial(long transactionId) {
        prepareRoot();
        String path = partial(transactionId);
        if (files.exists(path)) {
            removeTree(path);
        }
        files.createDirectory(path);
        return path;
    }

    private void prepareRoot() {
        if (!files.exists(ROOT)) {
            files.createDirectory(ROOT);
            files.forceDirectory("");
        }
    }

    /** Everything but the manifest is on stable storage: adds that, and gives the snapshot its name. */
    void publish(long transactionId, byte[] manifest) {
        String path = partial(transactionId);
        try (DataFile file = files.create(path + "/" + MANIFEST)) {
            file.write(0, MemorySegment.ofArray(manifest));
            file.force();
        }
        files.forceDirectory(path);
        files.rename(path, path(transactionId));
        files.forceDirectory(ROOT);
    }

    /** Removes a snapshot; one that is half removed is never taken for one. */
    public void remove(long transactionId) {
        files.rename(path(transactionId), partial(transactionId));
        files.forceDirectory(ROOT);
        removeTree(partial(transactionId));
    }

    void removePartial(long transactionId) {
        if (files.exists(path(transactionId))) {
            remove(transactionId);
        } else if (files.exists(partial(transactionId))) {
            removeTree(partial(transactionId));
        }
    }

    private void removeTree(String path) {
        for (String name : files.list(path)) {
            files.delete(path + "/" + name);
        }
        files.delete(path);
    }
}

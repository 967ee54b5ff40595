package io.reprise.snapshot.file;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.ExistingFileException;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.ReadOnlyFileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.memory.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A snapshot in a folder of any name, outside a data directory: a backup. Files are the same as in a data directory.
 */
public final class DetachedSnapshot {
    /** Says that a folder is not a whole backup yet, and of which. */
    static final String UNFINISHED = "backup-unfinished";

    private static final long PIECE = 1 << 20;
    private static final long WAITING_BYTES = 64 << 20;

    private final FileStore store;
    private final String folder;
    private final Manifest manifest;

    private DetachedSnapshot(FileStore store, String folder, Manifest manifest) {
        this.store = store;
        this.folder = folder;
        this.manifest = manifest;
    }

    /** The snapshot that lies in a folder of the store; the empty path is all of it. Reads the manifest only. */
    public static DetachedSnapshot in(FileStore store, String folder) {
        String path = folder.isEmpty() ? SnapshotDirectory.MANIFEST : folder + "/" + SnapshotDirectory.MANIFEST;
        if (!store.exists(path)) {
            throw new StorageException(
                    "read a snapshot",
                    path,
                    "there is no such file, so the folder has no snapshot. Name the folder of a backup, or of a snapshot in a"
                            + " data directory, as DIR/snapshot/NAME; \"reprise snapshots DIR\" lists the names",
                    null);
        }
        return new DetachedSnapshot(store, folder, SnapshotDirectory.readManifest(store, path));
    }

    /** The snapshot's manifest. */
    public Manifest manifest() {
        return manifest;
    }

    /** Reads every byte; throws {@link DamagedSnapshotException} at the first one that is wrong. */
    public void verify() {
        new SnapshotReader(asDataDirectory()).verify(manifest.identity().transactionId());
    }

    /** A data directory in which there is nothing but this snapshot. */
    public FileStore asDataDirectory() {
        return new ReadOnlyFileStore(
                store, folder, SnapshotDirectory.path(manifest.identity().transactionId()));
    }

    /**
     * Copies a snapshot out of a data directory, and reads the copy to check it. It gets its name last, so that a
     * copy with the name is whole and undamaged, also after a power failure. Until then a file in it names the backup
     * that it is to become. The file goes when the name is durable, and the maker of the backup has it locked.
     *
     * @param into a store in which there is nothing of that name
     */
    public static void copy(FileStore from, Manifest manifest, FileStore into, String name) {
        String partial = name + ".partial";
        if (into.exists(partial)) {
            checkIsUnfinished(into, partial, name);
        }
        into.createDirectory(partial);
        try (DataFile note = openNote(into, partial)) {
            claim(note, into, name);
            removeLeft(into, partial);
            write(note, into, partial, name);
            copyInto(from, manifest, into, partial);
            in(into, partial).verify();
            into.rename(partial, name);
            into.forceDirectory("");
            into.delete(name + "/" + UNFINISHED);
            into.forceDirectory(name);
        }
    }

    private static void copyInto(FileStore from, Manifest manifest, FileStore into, String partial) {
        String source = SnapshotDirectory.path(manifest.identity().transactionId()) + "/";
        List<String> names = new ArrayList<>();
        manifest.files().forEach(file -> names.add(file.name()));
        names.add(SnapshotDirectory.MANIFEST);
        // All are opened before any is copied: an open file can be read to its end, even if the engine at work
        // removes it meanwhile.
        List<DataFile> sources = new ArrayList<>();
        try {
            for (String file : names) {
                sources.add(openSource(from, source + file));
            }
            for (int i = 0; i < names.size(); i++) {
                try (DataFile written = into.create(partial + "/" + names.get(i))) {
                    copy(sources.get(i), written);
                }
            }
        } finally {
            sources.forEach(DataFile::close);
        }
        into.forceDirectory(partial);
    }

    private static DataFile openSource(FileStore from, String path) {
        try {
            return from.openReadOnly(path);
        } catch (MissingFileException e) {
            throw new DamagedSnapshotException(path, 0, "the file is missing", e);
        }
    }

    private static DataFile openNote(FileStore into, String partial) {
        String path = partial + "/" + UNFINISHED;
        try {
            return into.create(path);
        } catch (ExistingFileException e) {
            return into.open(path);
        }
    }

    /** Two that make a backup of one name would take each other's files away. */
    private static void claim(DataFile note, FileStore into, String name) {
        if (!note.tryLock()) {
            throw underWay(name);
        }
        // The lock may be that of a backup that has got its name since.
        if (into.exists(name)) {
            throw new ExistingFileException("make a backup", name, null);
        }
    }

    /** Why a second backup of a name is refused while the first one is being made. */
    public static StorageException underWay(String name) {
        return new StorageException(
                "make a backup", name, "another one of that name is being made; name another folder", null);
    }

    private static void write(DataFile note, FileStore into, String partial, String name) {
        note.truncate(0);
        note.write(0, ByteBuffer.wrap(noteOf(name)));
        note.force();
        into.forceDirectory(partial);
    }

    private static byte[] noteOf(String name) {
        return ("This is an unfinished backup, to be called\n" + name + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The rest of an interrupted copy is removed. A folder with other content belongs to the user and stays. So does one
     * that has a manifest and no note of this backup, because it may be a whole one to which such a name was given.
     */
    private static void checkIsUnfinished(FileStore into, String partial, String name) {
        List<String> left = into.list(partial);
        List<String> others = left.stream()
                .filter(file -> !SnapshotDirectory.isFileOfSnapshot(file) && !file.equals(UNFINISHED))
                .toList();
        if (!others.isEmpty()) {
            throw new StorageException(
                    "make a backup",
                    partial,
                    "the folder is needed, and has what an unfinished backup has not (" + String.join(", ", others)
                            + "); move it away, or name another folder",
                    null);
        }
        if (left.contains(SnapshotDirectory.MANIFEST) && !isNoted(into, partial, name)) {
            throw new StorageException(
                    "make a backup",
                    partial,
                    "the folder is needed, and may be a whole backup; move it away, or name another folder",
                    null);
        }
    }

    /** The note is written anew behind this: an interruption here leaves the folder as unfinished as before. */
    private static void removeLeft(FileStore into, String partial) {
        into.list(partial).stream()
                .filter(file -> !file.equals(UNFINISHED))
                .forEach(file -> into.delete(partial + "/" + file));
        into.forceDirectory(partial);
    }

    private static boolean isNoted(FileStore into, String partial, String name) {
        String path = partial + "/" + UNFINISHED;
        if (!into.exists(path)) {
            return false;
        }
        byte[] expected = noteOf(name);
        ByteBuffer read = ByteBuffer.allocate(expected.length + 1);
        try (DataFile file = into.openReadOnly(path)) {
            return file.read(0, read) == expected.length && read.flip().equals(ByteBuffer.wrap(expected));
        }
    }

    private static void copy(DataFile from, DataFile to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE);
            long at = 0;
            while (true) {
                long count = from.read(at, piece);
                to.write(at, piece.asSlice(0, count));
                at += count;
                if (count < PIECE) {
                    break;
                }
            }
            to.force();
        }
    }

    /**
     * Writes the same rows as a snapshot of another database, row by row, and checks them on the way. Nothing is
     * there of it unless all of it is.
     *
     * @param logPosition the log of that database goes on from here
     */
    public Manifest writeTo(FileStore files, DatabaseId database, long logPosition) {
        List<TableContents> tables = new ArrayList<>();
        for (TableContents table : manifest.tables()) {
            TableContents copy = table.emptyCopy();
            for (int bucket = 0; bucket < table.buckets(); bucket++) {
                copy.nextRowId(bucket, table.nextRowId(bucket));
            }
            tables.add(copy);
        }
        SnapshotIdentity identity =
                new SnapshotIdentity(database, manifest.identity().transactionId());
        try (SnapshotBuffers buffers = new SnapshotBuffers(WAITING_BYTES);
                SnapshotWriter writer = new SnapshotWriter(
                        files, identity, manifest.partitions(), tables, buffers, SnapshotWriter.Settings.usual())) {
            manifest.parts().forEach(part -> copyRows(part, writer));
            Manifest.Origin origin = manifest.origin();
            return writer.publish(
                    new Manifest.Origin(
                            logPosition,
                            origin.epochMicros(),
                            origin.catalogVersion(),
                            origin.nextTableId(),
                            origin.ddl(),
                            origin.attachment(),
                            List.of()),
                    writer.finishFiles());
        }
    }

    private void copyRows(Manifest part, SnapshotWriter writer) {
        ContentCheck check = new ContentCheck(part);
        try (BlockReader reader = new BlockReader(asDataDirectory(), part);
                Memory memory = Memory.reserve(BlockFormat.MOST_PAYLOAD + 2L * Memory.HUGE_PAGE)) {
            BlockRows rows = new BlockRows();
            RowBatch batch = new RowBatch(memory, Memory.PAGE, BlockFormat.MOST_PAYLOAD + (long) Memory.HUGE_PAGE);
            for (DataFileEntry file : part.files()) {
                reader.open(file);
                for (int block = 0; block < reader.blocks(); block++) {
                    reader.read(block, rows);
                    while (rows.next()) {
                        check.add(rows);
                        batch.clear();
                        memory.copyFrom(rows.memory(), rows.image(), batch.rowAddress(), rows.length());
                        int table = reader.table(rows.table()).id();
                        batch.addImage(table, rows.rowId(), batch.rowAddress() + rows.length());
                        writer.add(file.partition(), batch);
                    }
                }
            }
        }
        check.check(bucket -> true);
    }
}

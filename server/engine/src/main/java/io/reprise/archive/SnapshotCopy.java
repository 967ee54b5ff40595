package io.reprise.archive;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DataFileEntry;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The copy of a snapshot under way. All files are open from the beginning, so the engine may remove the snapshot meanwhile. The checksum
 * of each file is compared with the manifest's, and the manifest comes last. One thread.
 */
final class SnapshotCopy implements AutoCloseable {
    private static final long PIECE = 1 << 20;

    private final ObjectStore objects;
    private final String folder;
    private final Manifest manifest;
    private final List<DataFile> sources = new ArrayList<>();
    /** Shared, because an orderly stop goes on with the copy on another thread. */
    private final Arena arena = Arena.ofShared();

    private final MemorySegment piece = arena.allocate(PIECE);
    private final CRC32C crc = new CRC32C();

    /** Null between two files. */
    private ObjectUpload upload;

    private int next;
    private long position;
    private long copied;

    SnapshotCopy(FileStore files, Manifest manifest, ObjectStore objects) {
        this.objects = objects;
        this.manifest = manifest;
        long id = manifest.identity().transactionId();
        folder = ArchiveCatalog.snapshotFolder(manifest.identity().database(), SnapshotDirectory.name(id)) + "/";
        try {
            for (DataFileEntry file : manifest.files()) {
                sources.add(files.openReadOnly(SnapshotDirectory.path(id) + "/" + file.name()));
            }
            sources.add(files.openReadOnly(SnapshotDirectory.path(id) + "/" + SnapshotDirectory.MANIFEST));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    Manifest manifest() {
        return manifest;
    }

    /** The bytes copied so far. */
    long copied() {
        return copied;
    }

    /** Copies a piece. Returns whether the snapshot is complete and on stable storage. */
    boolean step() {
        if (upload == null) {
            upload = objects.upload(folder + name(next));
            position = 0;
            crc.reset();
        }
        long count = sources.get(next).read(position, piece);
        MemorySegment bytes = piece.asSlice(0, count);
        crc.update(bytes.asByteBuffer());
        upload.write(bytes);
        position += count;
        copied += count;
        if (count == PIECE) {
            return false;
        }
        if (next < manifest.files().size()) {
            check(manifest.files().get(next));
        }
        upload.complete();
        upload.close();
        upload = null;
        next++;
        return next == sources.size();
    }

    private String name(int file) {
        return file < manifest.files().size() ? manifest.files().get(file).name() : SnapshotDirectory.MANIFEST;
    }

    private void check(DataFileEntry file) {
        if (position != file.size() || (int) crc.getValue() != file.crc32c()) {
            throw new DamagedSnapshotException(
                    SnapshotDirectory.path(manifest.identity().transactionId()) + "/" + file.name(),
                    0,
                    "its bytes are not those that the manifest has the checksum of");
        }
    }

    @Override
    public void close() {
        if (upload != null) {
            upload.close();
        }
        sources.forEach(DataFile::close);
        arena.close();
    }
}

package io.reprise.archive;

import io.reprise.id.DatabaseId;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogReader;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * The copy of a piece of log under way: from a position to the durable position, or to the end of the segment if that comes first.
 * Checksum and place of each frame are compared. One thread.
 */
final class PieceCopy implements AutoCloseable {
    /** The bytes of a segment before its first frame. */
    private static final long HEADER = 512;

    private final LogReader reader;
    private final ObjectUpload upload;
    private final CRC32C crc = new CRC32C();
    private final ArchiveCatalog catalog;
    private final PieceName name;
    private final long copiedMicros;
    private long content;
    private long firstTransaction;
    private long lastTransaction;
    private long records;

    private PieceCopy(
            LogReader reader, ObjectUpload upload, ArchiveCatalog catalog, PieceName name, long copiedMicros) {
        this.reader = reader;
        this.upload = upload;
        this.catalog = catalog;
        this.name = name;
        this.copiedMicros = copiedMicros;
    }

    /**
     * Begins a copy.
     *
     * @param begin a segment's position, or the end of the piece before
     * @param durable the log is durable up to there
     * @return null if there is no frame between the two
     */
    static PieceCopy begin(
            FileStore files,
            LogSettings log,
            ObjectStore objects,
            ArchiveCatalog catalog,
            long begin,
            long durable,
            long nowMicros) {
        DatabaseId database = catalog.database();
        LogReader reader = LogReader.upTo(files, log, database, begin, durable);
        boolean handedOver = false;
        try {
            if (reader.position() >= durable) {
                return null;
            }
            PieceName name = new PieceName(begin, Math.min(durable, reader.segment() + reader.segmentBytes()));
            ObjectUpload upload = objects.upload(ArchiveCatalog.logFolder(database) + "/" + name.text());
            PieceCopy copy = new PieceCopy(reader, upload, catalog, name, nowMicros);
            handedOver = true;
            if (begin == reader.segment()) {
                copy.copyHeader(files, new LogDirectory(files, log.directory()).path(begin));
            }
            return copy;
        } finally {
            if (!handedOver) {
                reader.close();
            }
        }
    }

    private void copyHeader(FileStore files, String path) {
        try (Arena arena = Arena.ofConfined();
                DataFile file = files.openReadOnly(path)) {
            MemorySegment header = arena.allocate(HEADER);
            if (file.read(0, header) < HEADER) {
                throw new StorageException("archive a segment", path, "it is cut off", null);
            }
            write(header);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void write(MemorySegment bytes) {
        crc.update(bytes.asByteBuffer());
        upload.write(bytes);
        content += bytes.byteSize();
    }

    /** Copies up to so many bytes, and one frame. Returns whether the piece is complete and on stable storage. */
    boolean step(long bytes) {
        long until = content + bytes;
        while (content < until) {
            if (!reader.nextRaw(this::add)) {
                complete();
                return true;
            }
        }
        return false;
    }

    private void add(MemorySegment frame, int count, long transaction) {
        write(frame);
        if (count > 0) {
            firstTransaction = firstTransaction == 0 ? transaction : firstTransaction;
            lastTransaction = transaction;
            records += count;
        }
    }

    private void complete() {
        LogPiece piece = piece();
        if (catalog.pieces().contains(name) && catalog.piece(name).crc() != piece.crc()) {
            throw new DamagedArchiveException("The archive has other bytes in the piece of log " + name.text() + ".");
        }
        upload.write(MemorySegment.ofBuffer(piece.footer()));
        upload.complete();
    }

    /** The piece as it is now. */
    LogPiece piece() {
        return new LogPiece(
                catalog.database(),
                reader.segment(),
                reader.segmentBytes(),
                name.begin(),
                name.end(),
                firstTransaction,
                lastTransaction,
                records,
                copiedMicros,
                content,
                (int) crc.getValue());
    }

    @Override
    public void close() {
        reader.close();
        upload.close();
    }
}

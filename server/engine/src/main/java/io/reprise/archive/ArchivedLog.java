package io.reprise.archive;

import io.reprise.log.LogDirectory;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.zip.CRC32C;

/** Makes segments of a log again from archived pieces, whose checksums it compares. One thread. */
public final class ArchivedLog {
    private static final long PIECE = 1 << 20;

    private final ArchiveCatalog catalog;

    /** The log of a database in an archive. */
    public ArchivedLog(ArchiveCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * The time up to which the log is archived, in microseconds since 1970, and the transaction that it begins with.
     *
     * @param firstTransaction 0 if the piece has no records
     */
    public record Times(long firstTransaction, long lastTransaction, long copiedMicros) {}

    /** The times of a piece. */
    public Times times(PieceName name) {
        LogPiece piece = catalog.piece(name);
        return new Times(piece.firstTransaction(), piece.lastTransaction(), piece.copiedMicros());
    }

    /** Writes pieces that follow each other into the log of a data directory. */
    public void copyTo(FileStore work, LogSettings log, List<PieceName> pieces) {
        if (!work.exists(log.directory())) {
            work.createDirectory(log.directory());
        }
        LogDirectory names = new LogDirectory(work, log.directory());
        for (PieceName name : pieces) {
            try (DataFile from = catalog.open(name)) {
                LogPiece piece = LogPiece.read(from, catalog.database(), name);
                String path = names.path(piece.segment());
                try (DataFile segment = work.exists(path) ? work.open(path) : work.create(path)) {
                    segment.preallocate(piece.segmentBytes());
                    copy(from, piece, name, segment);
                }
            }
        }
    }

    static void copy(DataFile from, LogPiece piece, PieceName name, DataFile segment) {
        long at = piece.begin() - piece.segment();
        if (at < 0 || at + piece.content() > piece.segmentBytes()) {
            throw LogPiece.damaged(name, "it does not fit into its segment");
        }
        read(from, piece, name, (done, part) -> segment.write(at + done, part));
    }

    /** Reads all bytes of a piece; throws {@link DamagedArchiveException} if they are not what was archived. */
    public void verify(PieceName name) {
        try (DataFile from = catalog.open(name)) {
            read(from, LogPiece.read(from, catalog.database(), name), name, (done, part) -> {});
        }
    }

    private interface Content {
        void take(long offset, MemorySegment bytes);
    }

    private static void read(DataFile from, LogPiece piece, PieceName name, Content content) {
        CRC32C crc = new CRC32C();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(PIECE);
            for (long done = 0; done < piece.content(); done += PIECE) {
                MemorySegment part = bytes.asSlice(0, Math.min(PIECE, piece.content() - done));
                if (from.read(done, part) < part.byteSize()) {
                    throw LogPiece.damaged(name, "it is cut off");
                }
                crc.update(part.asByteBuffer());
                content.take(done, part);
            }
        }
        if ((int) crc.getValue() != piece.crc()) {
            throw LogPiece.damaged(name, "its checksum is wrong");
        }
    }
}

package io.reprise.archive;

import io.reprise.log.LogDirectory;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** Compares an archived piece of log with the segment that it was copied from. One thread. */
final class PieceComparison {
    private static final long PIECE = 1 << 20;

    private final FileStore files;
    private final LogDirectory directory;

    PieceComparison(FileStore files, LogSettings log) {
        this.files = files;
        directory = new LogDirectory(files, log.directory());
    }

    /** Whether the segment has the piece's bytes, or is not there any more. */
    boolean agrees(LogPiece piece) {
        if (!directory.positions().contains(piece.segment())) {
            return true;
        }
        CRC32C crc = new CRC32C();
        try (Arena arena = Arena.ofConfined();
                DataFile segment = files.openReadOnly(directory.path(piece.segment()))) {
            MemorySegment bytes = arena.allocate(PIECE);
            long from = piece.begin() - piece.segment();
            for (long at = 0; at < piece.content(); at += PIECE) {
                MemorySegment part = bytes.asSlice(0, Math.min(PIECE, piece.content() - at));
                if (segment.read(from + at, part) < part.byteSize()) {
                    return false;
                }
                crc.update(part.asByteBuffer());
            }
        }
        return (int) crc.getValue() == piece.crc();
    }
}

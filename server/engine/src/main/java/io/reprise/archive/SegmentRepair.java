package io.reprise.archive;

import io.reprise.log.DamagedLogException;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogReader;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Puts archived bytes in the place of damaged or missing segments of a log. A segment is made beside the damaged one, and takes its
 * name in one step. Bytes that are not archived stay. One thread, while no engine is at work in the directory.
 */
public final class SegmentRepair {
    private static final long PIECE = 1 << 20;

    private final ArchiveCatalog catalog;
    private final FileStore files;
    private final LogSettings log;
    private final LogDirectory directory;
    private final Consumer<String> lines;

    /** A repair of the log in a data directory. */
    public SegmentRepair(ArchiveCatalog catalog, FileStore files, LogSettings log, Consumer<String> lines) {
        this.catalog = catalog;
        this.files = files;
        this.log = log;
        this.lines = lines;
        directory = new LogDirectory(files, log.directory());
    }

    /**
     * Repairs the segments from a position on; returns how many were replaced. Throws {@link IllegalStateException} if undamaged log
     * differs from the archive.
     */
    public int run(long from) {
        int repaired = 0;
        for (List<LogPiece> pieces : segments(from).values()) {
            repaired += repair(pieces) ? 1 : 0;
        }
        return repaired;
    }

    /** The pieces of segments that reach beyond a position. */
    private SequencedMap<Long, List<LogPiece>> segments(long from) {
        SequencedMap<Long, List<LogPiece>> segments = new TreeMap<>();
        for (PieceName name : catalog.pieces()) {
            LogPiece piece = catalog.piece(name);
            if (piece.segment() + piece.segmentBytes() > from) {
                segments.computeIfAbsent(piece.segment(), s -> new ArrayList<>())
                        .add(piece);
            }
        }
        return segments;
    }

    /**
     * Makes missing segments from a position on; returns how many. The last one of the archive may lack its end, and the log ends there
     * then.
     *
     * @param below segments from this position on are left out
     */
    public int fill(long from, long below) {
        int made = 0;
        for (List<LogPiece> pieces : segments(from).values()) {
            String path = directory.path(pieces.getFirst().segment());
            if (pieces.getFirst().segment() < below && !files.exists(path) && isJoined(pieces)) {
                replace(path, pieces, false);
                made++;
            }
        }
        return made;
    }

    private boolean repair(List<LogPiece> pieces) {
        LogPiece first = pieces.getFirst();
        String path = directory.path(first.segment());
        boolean there = hasWholeFile(path, first.segmentBytes());
        if (there && pieces.stream().allMatch(this::isIntact)) {
            return false;
        }
        if (!there && !isWhole(pieces)) {
            lines.accept(
                    "Segment " + path + " is missing or cut off, and not all of it is archived: it was not repaired.");
            return false;
        }
        replace(path, pieces, there);
        lines.accept("Segment " + path + " was damaged or missing; archived bytes have taken the place.");
        return true;
    }

    private boolean hasWholeFile(String path, long bytes) {
        if (!files.exists(path)) {
            return false;
        }
        try (DataFile file = files.openReadOnly(path)) {
            return file.size() == bytes;
        }
    }

    /** Whether the pieces have the segment from its beginning on without a gap. */
    private static boolean isJoined(List<LogPiece> pieces) {
        long at = pieces.getFirst().segment();
        for (LogPiece piece : pieces) {
            if (piece.begin() != at) {
                return false;
            }
            at = piece.end();
        }
        return true;
    }

    private static boolean isWhole(List<LogPiece> pieces) {
        return isJoined(pieces)
                && pieces.getLast().end()
                        == pieces.getFirst().segment() + pieces.getFirst().segmentBytes();
    }

    private boolean isIntact(LogPiece piece) {
        if (new PieceComparison(files, log).agrees(piece)) {
            return true;
        }
        try (LogReader reader = LogReader.upTo(files, log, catalog.database(), piece.begin(), piece.end())) {
            while (reader.nextRaw((_, _, _) -> {})) {
                // The reader compares checksums.
            }
        } catch (DamagedLogException e) {
            return false;
        }
        throw new IllegalStateException("the log is not damaged at position " + piece.begin()
                + ", but the archive has other bytes there: two copies of the data directory have been at work. Nothing was"
                + " repaired from there on");
    }

    private void replace(String path, List<LogPiece> pieces, boolean there) {
        // An opening removes what has this ending.
        String prepared = path.replace(".log", ".prepared");
        if (files.exists(prepared)) {
            files.delete(prepared);
        }
        try (DataFile target = files.create(prepared)) {
            target.preallocate(pieces.getFirst().segmentBytes());
            if (there) {
                copyOld(path, target);
            }
            for (LogPiece piece : pieces) {
                PieceName name = new PieceName(piece.begin(), piece.end());
                try (DataFile from = catalog.open(name)) {
                    ArchivedLog.copy(from, piece, name, target);
                }
            }
            target.force();
        }
        files.rename(prepared, path);
        files.forceDirectory(log.directory());
    }

    private void copyOld(String path, DataFile target) {
        try (Arena arena = Arena.ofConfined();
                DataFile old = files.openReadOnly(path)) {
            MemorySegment bytes = arena.allocate(PIECE);
            for (long at = 0; at < old.size(); at += PIECE) {
                long count = old.read(at, bytes);
                target.write(at, bytes.asSlice(0, count));
            }
        }
    }
}

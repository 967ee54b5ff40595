package io.reprise.log;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.MissingFileException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The segments of a log as a source of frames, from a position up to the log's end. It checks checksums, positions, and
 * that each frame and segment follows the one before it. Any mismatch is damage, because the end is known. It has memory for one
 * chunk of the file, or the largest frame. Confined to one thread; frames may be handed to others.
 */
public final class LogReader implements FrameSource, AutoCloseable {
    private static final long CHUNK = 1 << 20;

    private final LogDirectory directory;
    private final LogChecks checks;
    private final long end;
    private final LZ4SafeDecompressor lz4 = LZ4Factory.fastestInstance().safeDecompressor();

    private Arena arena;
    private MemorySegment chunk;
    private ByteBuffer view;
    private long chunkOffset;
    private long chunkBytes;

    private DataFile file;
    private String path;
    private long segment;
    private long segmentBytes;
    private long offset;
    private int previousCrc;
    private boolean chained;

    LogReader(LogDirectory directory, DatabaseId database, long from, long end) {
        this.directory = directory;
        this.checks = new LogChecks(database);
        this.end = end;
        allocate(CHUNK);
        long position = from;
        for (long start : directory.positions()) {
            if (start <= from) {
                position = start;
            }
        }
        if (from < end) {
            openSegment(position);
            if (from > segment + LogFormat.BLOCK) {
                offset = from - segment;
                chained = false;
            }
        } else {
            segment = from;
        }
    }

    /**
     * Reads a log at which an engine may be at work.
     *
     * @param from the position of a frame, or of a segment
     * @param end a position that is known to be durable
     */
    public static LogReader upTo(FileStore store, LogSettings settings, DatabaseId database, long from, long end) {
        return new LogReader(new LogDirectory(store, settings.directory()), database, from, end);
    }

    @Override
    public long position() {
        return segment + offset;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public boolean next(LogFrame frame) {
        int size = moveToFrame();
        if (size > 0) {
            fill(frame, offset - chunkOffset, size);
            offset += size;
        }
        return size > 0;
    }

    /** Checks the next frame and moves behind it, but does not decompress it. Returns its position; -1 at the end of the log. */
    public long skip() {
        int size = moveToFrame();
        if (size == 0) {
            return -1;
        }
        long at = position();
        offset += size;
        return at;
    }

    /** Moves to the next frame that has records and checks it. Returns its size; 0 at the end of the log. */
    private int moveToFrame() {
        while (position() < end) {
            if (offset >= segmentBytes) {
                throw damaged("the segment has no end mark");
            }
            int size = checkedFrame();
            long at = offset - chunkOffset;
            boolean last = (LogChecks.flags(chunk, at) & LogFormat.FLAG_END) != 0;
            if (LogChecks.records(chunk, at) > 0) {
                return size;
            }
            offset += size;
            if (last && segment + segmentBytes < end) {
                openSegment(segment + segmentBytes);
            } else if (last) {
                offset = segmentBytes;
            }
        }
        return 0;
    }

    /**
     * Passes on the next frame, seal or end mark of the segment as it is in the file. Returns false at the end of the segment, or of the
     * log. A reader that passes frames on is not used otherwise.
     */
    public boolean nextRaw(RawFrames frames) {
        if (position() >= end || offset >= segmentBytes) {
            return false;
        }
        int size = checkedFrame();
        long at = offset - chunkOffset;
        boolean last = (LogChecks.flags(chunk, at) & LogFormat.FLAG_END) != 0;
        frames.frame(chunk.asSlice(at, size), LogChecks.records(chunk, at), LogChecks.firstTransaction(chunk, at));
        offset = last ? segmentBytes : offset + size;
        return true;
    }

    /** The position of the segment that is being read. */
    public long segment() {
        return segment;
    }

    /** The size of that segment. */
    public long segmentBytes() {
        return segmentBytes;
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
            file = null;
        }
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }

    /** Loads the frame at the offset into the chunk and checks it. Returns its size. */
    private int checkedFrame() {
        load(LogFormat.FRAME_HEADER);
        long at = offset - chunkOffset;
        if (chunkBytes - at >= LogFormat.FRAME_HEADER
                && chunk.get(LogFormat.INT, at) == LogFormat.FRAME_MAGIC
                && LogChecks.frameBytes(chunk, at) > chunkBytes - at) {
            load(Math.min(LogChecks.frameBytes(chunk, at), segmentBytes - offset));
            at = offset - chunkOffset;
        }
        String problem = checks.problemOfFrame(chunk, view, at, chunkBytes, segment + offset);
        if (problem == null && chained && LogChecks.previousCrc(chunk, at) != previousCrc) {
            problem = "the frame does not follow the one before it";
        }
        if (problem != null) {
            throw damaged(problem);
        }
        previousCrc = LogChecks.crc(chunk, at);
        chained = true;
        return LogChecks.frameBytes(chunk, at);
    }

    private void fill(LogFrame frame, long at, int size) {
        int rawBytes = LogChecks.rawBytes(chunk, at);
        int storedBytes = LogChecks.storedBytes(chunk, at);
        frame.fill(
                path,
                segment,
                segment + offset,
                segment + offset + size,
                LogChecks.firstTransaction(chunk, at),
                LogChecks.records(chunk, at),
                rawBytes);
        long payload = at + LogFormat.FRAME_HEADER;
        if ((LogChecks.flags(chunk, at) & LogFormat.FLAG_LZ4) == 0) {
            frame.memory().copyIn(chunk, payload, frame.start(), rawBytes);
            return;
        }
        ByteBuffer target =
                frame.memory().segment().asSlice(frame.start(), rawBytes).asByteBuffer();
        int count;
        try {
            count = lz4.decompress(view.clear(), (int) payload, storedBytes, target, 0, rawBytes);
        } catch (LZ4Exception e) {
            count = -1;
        }
        if (count != rawBytes) {
            throw damaged("the frame can't be decompressed");
        }
    }

    private void openSegment(long position) {
        if (file != null) {
            file.close();
            file = null;
        }
        path = directory.path(position);
        segment = position;
        offset = 0;
        chunkOffset = 0;
        chunkBytes = 0;
        try {
            file = directory.store().openReadOnly(path);
        } catch (MissingFileException e) {
            throw damaged("the segment is missing");
        }
        segmentBytes = file.size();
        load(LogFormat.BLOCK);
        String problem =
                chunkBytes < LogFormat.BLOCK ? "the file is cut off" : checks.problemOfHeader(chunk, view, position);
        LogChecks.SegmentHeader header = LogChecks.header(chunk);
        if (problem == null && chained && header.previousCrc() != previousCrc) {
            problem = "the segment does not follow the one before it";
        }
        if (problem == null && header.bytes() != segmentBytes) {
            problem = "the file has " + segmentBytes + " bytes instead of " + header.bytes();
        }
        if (problem != null) {
            throw damaged(problem);
        }
        previousCrc = header.crc();
        chained = true;
        offset = LogFormat.BLOCK;
    }

    /** Loads so many bytes from the offset on into the chunk, or as many as the file has. */
    private void load(long bytes) {
        long at = offset - chunkOffset;
        if (at >= 0 && chunkBytes - at >= bytes) {
            return;
        }
        if (bytes > chunk.byteSize()) {
            arena.close();
            allocate(Math.max(CHUNK, Long.highestOneBit(bytes) * 2));
        }
        chunkOffset = offset;
        chunkBytes = file.read(offset, chunk);
    }

    private void allocate(long bytes) {
        arena = Arena.ofShared();
        chunk = arena.allocate(bytes, Long.BYTES);
        view = chunk.asByteBuffer();
    }

    private DamagedLogException damaged(String what) {
        return new DamagedLogException(path, offset, what);
    }
}

package io.reprise.log;

import io.reprise.id.DatabaseId;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Validity checks of segment headers and frames in memory. Confined to one thread. */
final class LogChecks {
    private final DatabaseId database;
    private final FrameChecksum checksum;

    LogChecks(DatabaseId database) {
        this.database = database;
        this.checksum = new FrameChecksum(database);
    }

    DatabaseId database() {
        return database;
    }

    /** The fields of a header block. */
    record SegmentHeader(DatabaseId database, long position, long bytes, int version, int previousCrc, int crc) {}

    /** The database that the header block names. Callers check the block against it before they rely on it. */
    static DatabaseId databaseIn(MemorySegment block) {
        return new DatabaseId(
                block.get(LogFormat.LONG, LogFormat.SEGMENT_DATABASE_HIGH),
                block.get(LogFormat.LONG, LogFormat.SEGMENT_DATABASE_LOW));
    }

    static SegmentHeader header(MemorySegment block) {
        return new SegmentHeader(
                databaseIn(block),
                block.get(LogFormat.LONG, LogFormat.SEGMENT_POSITION),
                block.get(LogFormat.LONG, LogFormat.SEGMENT_BYTES),
                block.get(LogFormat.INT, LogFormat.SEGMENT_VERSION),
                block.get(LogFormat.INT, LogFormat.SEGMENT_PREVIOUS_CRC),
                block.get(LogFormat.INT, LogFormat.SEGMENT_CRC));
    }

    /** The first problem of a header block, or null. The view is of the same bytes. */
    String problemOfHeader(MemorySegment block, ByteBuffer view, long position) {
        if (block.get(LogFormat.LONG, 0) != LogFormat.SEGMENT_MAGIC) {
            return "there is no segment header";
        }
        if (block.get(LogFormat.INT, LogFormat.SEGMENT_CRC) != checksum.of(view, 0, LogFormat.SEGMENT_CRC)) {
            return databaseIn(block).equals(database)
                    ? "the checksum of the segment header is wrong"
                    : "the segment is of another database (" + databaseIn(block) + ", not " + database
                            + "), or its header is damaged";
        }
        SegmentHeader header = header(block);
        if (header.version() != LogFormat.VERSION) {
            return "the segment has format version " + header.version() + ", and this program reads version "
                    + LogFormat.VERSION + " only; use the version that wrote it";
        }
        if (header.position() != position) {
            return "the segment belongs at position " + header.position() + ", but its name says " + position;
        }
        return null;
    }

    /**
     * Returns whether this is a valid header of this segment, in a version that this program does not read. The format document
     * names the fields that stay in place in all versions.
     */
    boolean isHeaderOfOtherVersion(MemorySegment block, ByteBuffer view, long position) {
        SegmentHeader header = header(block);
        return block.get(LogFormat.LONG, 0) == LogFormat.SEGMENT_MAGIC
                && header.crc() == checksum.of(view, 0, LogFormat.SEGMENT_CRC)
                && header.position() == position
                && header.version() != LogFormat.VERSION;
    }

    /**
     * The first problem of a frame, or null.
     *
     * @param view of the same bytes
     * @param offset its first byte in them
     * @param limit the end of the bytes that may belong to it
     * @param position its position in the log
     */
    String problemOfFrame(MemorySegment bytes, ByteBuffer view, long offset, long limit, long position) {
        if (limit - offset < LogFormat.FRAME_HEADER) {
            return "there is no room for a frame";
        }
        if (bytes.get(LogFormat.INT, offset) != LogFormat.FRAME_MAGIC) {
            return "there is no frame";
        }
        int size = frameBytes(bytes, offset);
        if (size < LogFormat.FRAME_HEADER
                || (size & 7) != 0
                || size > limit - offset
                || storedBytes(bytes, offset) < 0
                || storedBytes(bytes, offset) > size - LogFormat.FRAME_HEADER) {
            return "the frame's length makes no sense";
        }
        if (position(bytes, offset) != position) {
            return "the frame belongs at position " + position(bytes, offset);
        }
        int crc = checksum.of(view, (int) offset + LogFormat.FRAME_BYTES, (int) offset + size);
        return crc == crc(bytes, offset) ? null : "the checksum of the frame is wrong";
    }

    static int crc(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.INT, offset + LogFormat.FRAME_CRC);
    }

    static int frameBytes(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.INT, offset + LogFormat.FRAME_BYTES);
    }

    static int storedBytes(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.INT, offset + LogFormat.FRAME_STORED_BYTES);
    }

    static int rawBytes(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.INT, offset + LogFormat.FRAME_RAW_BYTES);
    }

    static int records(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.INT, offset + LogFormat.FRAME_RECORDS);
    }

    static long position(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.LONG, offset + LogFormat.FRAME_POSITION);
    }

    static long durable(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.LONG, offset + LogFormat.FRAME_DURABLE);
    }

    static long firstTransaction(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.LONG, offset + LogFormat.FRAME_FIRST_TRANSACTION);
    }

    static int previousCrc(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.INT, offset + LogFormat.FRAME_PREVIOUS_CRC);
    }

    static int flags(MemorySegment bytes, long offset) {
        return bytes.get(LogFormat.INT, offset + LogFormat.FRAME_FLAGS);
    }
}

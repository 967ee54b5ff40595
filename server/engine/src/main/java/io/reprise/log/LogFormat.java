package io.reprise.log;

import io.reprise.id.DatabaseId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The layout of a segment. All numbers little endian. {@code docs/reference/formats/log.md} draws it and gives the
 * reasons.
 *
 * <pre>
 *  segment: header block | batch | batch |... | end mark | zeros
 *  batch:   frame | frame | ... , padded to a whole number of blocks
 *
 *  header block, 512 bytes                  frame, a multiple of 8 bytes
 *    0  long magic "RPRSLOG1"                 0  int  magic "RFRM"
 *    8  long database id, high                4  int  CRC32C over the database id and [8, end)
 *   16  long database id, low                 8  int  bytes of the frame, header and padding included
 *   24  long position of the segment         12  int  bytes of the payload
 *   32  long bytes of the segment            16  int  bytes of the payload when not compressed
 *   40  int  version                         20  int  number of records
 *   44  int  CRC of the frame before it      24  long position of the frame
 *   48  zeros                                32  long durable position when it was written
 *  508  int  CRC32C over the database id     40  long transaction id of the first record
 *            and [0, 508)                    48  int  CRC of the frame (or header block) before it
 *                                            52  int  flags: 1 LZ4, 2 seal, 4 end mark
 *                                            56  payload, then zeros
 * </pre>
 */
final class LogFormat {
    /** The version that is written, and the only one that is read. */
    static final int VERSION = 3;

    /**
     * The unit that a disk writes as a whole. Batches begin at a multiple, so that none shares a block with an older
     * one.
     */
    static final int BLOCK = 512;

    /** The unit that a disk or the system may lose as a whole: a sector of most of today's, and a page in memory. */
    static final int PAGE = 4096;

    /** The bytes of a segment beside its largest record: header block, end mark, frame and record headers, padding. */
    static final int LEAST_BESIDE_RECORD = 4 * BLOCK;

    static final long SEGMENT_MAGIC = 0x31474F4C53525052L;
    static final int SEGMENT_DATABASE_HIGH = 8;
    static final int SEGMENT_DATABASE_LOW = 16;
    static final int SEGMENT_POSITION = 24;
    static final int SEGMENT_BYTES = 32;
    static final int SEGMENT_VERSION = 40;
    static final int SEGMENT_PREVIOUS_CRC = 44;
    static final int SEGMENT_CRC = 508;

    static final int FRAME_MAGIC = 0x4D524652;
    static final int FRAME_CRC = 4;
    static final int FRAME_BYTES = 8;
    static final int FRAME_STORED_BYTES = 12;
    static final int FRAME_RAW_BYTES = 16;
    static final int FRAME_RECORDS = 20;
    static final int FRAME_POSITION = 24;
    static final int FRAME_DURABLE = 32;
    static final int FRAME_FIRST_TRANSACTION = 40;
    static final int FRAME_PREVIOUS_CRC = 48;
    static final int FRAME_FLAGS = 52;
    static final int FRAME_HEADER = 56;

    static final int FLAG_LZ4 = 1;
    static final int FLAG_SEAL = 2;
    static final int FLAG_END = 4;

    /** The first byte of a record: its kind in the low four bits, and these flags. */
    static final int RECORD_MULTI = 0x10;

    static final int RECORD_BUCKET = 0x20;
    static final int RECORD_HASH = 0x40;
    static final int RECORD_CALLER = 0x80;
    static final int RECORD_KIND_MASK = 0x0F;

    /** In a caller's kind of result: another caller follows. */
    static final int ANOTHER_CALLER = 0x80;

    /** More than a record has before its payload: kind, length, difference of ids, partition, bucket, hash. */
    static final int MOST_RECORD_HEADER = 1 + 5 + 10 + 5 + 5 + 4;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LogFormat() {}

    static long alignToBlock(long position) {
        return align(position, BLOCK);
    }

    /** The next multiple of a power of two. */
    static long align(long position, int to) {
        return position + to - 1 & -to;
    }

    /** Whether a page of the file begins at the offset: a seal elsewhere may go with what it is a witness of. */
    static boolean beginsPage(long offset) {
        return (offset & PAGE - 1) == 0;
    }

    /** Makes a header block at the start of the memory. Returns its CRC. */
    static int putSegmentHeader(
            MemorySegment block,
            FrameChecksum checksum,
            DatabaseId database,
            long position,
            long bytes,
            int previousCrc) {
        block.asSlice(0, BLOCK).fill((byte) 0);
        block.set(LONG, 0, SEGMENT_MAGIC);
        block.set(LONG, SEGMENT_DATABASE_HIGH, database.high());
        block.set(LONG, SEGMENT_DATABASE_LOW, database.low());
        block.set(LONG, SEGMENT_POSITION, position);
        block.set(LONG, SEGMENT_BYTES, bytes);
        block.set(INT, SEGMENT_VERSION, VERSION);
        block.set(INT, SEGMENT_PREVIOUS_CRC, previousCrc);
        ByteBuffer view = block.asSlice(0, BLOCK).asByteBuffer();
        int crc = checksum.of(view, 0, SEGMENT_CRC);
        block.set(INT, SEGMENT_CRC, crc);
        return crc;
    }
}

package io.reprise.snapshot.file;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of a data file; docs/reference/formats/snapshot.md draws the whole. Numbers are little endian.
 *
 * <pre>
 * file header                                  block header
 *  0  8  "REPRSNAP"                             0  4  "RBLK"
 *  8  4  format                                 4  4  bytes of the payload as stored
 * 12  4  partition                              8  4  bytes of the payload unpacked
 * 16 16  database id                           12  4  bucket
 * 32  8  the snapshot's transaction id         16  4  kind, and bit 8: packed with LZ4
 * 40  4  CRC32C of the bytes before            20  4  rows
 *                                              24  8  position of this block in the file
 *                                              32  4  CRC32C of file header, block header before, payload as stored
 * </pre>
 *
 * <p>As a block's checksum covers its file's header and its position, a block that was written elsewhere, by another
 * snapshot or for another database, is not taken for one that belongs here.
 */
final class BlockFormat {
    static final int FORMAT = 2;
    static final int FILE_HEADER = 44;
    static final int BLOCK_HEADER = 36;

    /** The bucket of blocks with rows of replicated tables. */
    static final int REPLICATED = Buckets.MOST;

    static final int KIND_ROWS = 1;
    static final int KIND_INDEX = 2;
    static final int KIND_MASK = 0xFF;
    static final int LZ4 = 1 << 8;

    /** No payload is longer; a length above this is damage. */
    static final int MOST_PAYLOAD = 1 << 30;

    private static final long FILE_MAGIC = 0x50414E5352504552L;
    private static final int BLOCK_MAGIC = 0x4B4C4252;

    private BlockFormat() {}

    /** A view of some memory. Data as large as a row is never in a buffer of the JVM's, which it has a limit for. */
    static ByteBuffer buffer(Memory memory, long address, int bytes) {
        return memory.segment().asSlice(address, bytes).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    static ByteBuffer headerBuffer() {
        return ByteBuffer.allocateDirect(FILE_HEADER).order(ByteOrder.LITTLE_ENDIAN);
    }

    static ByteBuffer fileHeader(SnapshotIdentity identity, int partition) {
        ByteBuffer header = headerBuffer();
        header.putLong(FILE_MAGIC).putInt(FORMAT).putInt(partition);
        header.putLong(identity.database().high())
                .putLong(identity.database().low())
                .putLong(identity.transactionId());
        header.putInt(crc(header.duplicate().flip()));
        return header.flip();
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Writes a block's header at the buffer's beginning; its payload stands behind it already. */
    static void putBlockHeader(
            ByteBuffer block,
            ByteBuffer fileHeader,
            int stored,
            int unpacked,
            int bucket,
            int flags,
            int rows,
            long at) {
        block.putInt(0, BLOCK_MAGIC).putInt(4, stored).putInt(8, unpacked).putInt(12, bucket);
        block.putInt(16, flags).putInt(20, rows).putLong(24, at);
        block.putInt(32, blockCrc(block, fileHeader, stored));
    }

    static int blockCrc(ByteBuffer block, ByteBuffer fileHeader, int stored) {
        CRC32C crc = new CRC32C();
        crc.update(fileHeader.duplicate().position(0).limit(FILE_HEADER));
        crc.update(block.duplicate().position(0).limit(BLOCK_HEADER - 4));
        crc.update(block.duplicate().position(BLOCK_HEADER).limit(BLOCK_HEADER + stored));
        return (int) crc.getValue();
    }

    static boolean isBlock(ByteBuffer block) {
        return block.getInt(0) == BLOCK_MAGIC;
    }

    static int stored(ByteBuffer block) {
        return block.getInt(4);
    }

    static int unpacked(ByteBuffer block) {
        return block.getInt(8);
    }

    static int bucket(ByteBuffer block) {
        return block.getInt(12);
    }

    static int flags(ByteBuffer block) {
        return block.getInt(16);
    }

    static int rows(ByteBuffer block) {
        return block.getInt(20);
    }

    static long position(ByteBuffer block) {
        return block.getLong(24);
    }

    static int crc32c(ByteBuffer block) {
        return block.getInt(32);
    }
}

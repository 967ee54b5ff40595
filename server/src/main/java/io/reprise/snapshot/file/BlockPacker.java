package io.reprise.snapshot.file;

import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Builds one block at a time: the payload is put together in memory, then packed if that pays. Reused for all blocks;
 * owned by the snapshot's thread.
 */
final class BlockPacker implements AutoCloseable {
    /** Where the payload begins; address 0 stands for none. */
    private static final long START = Memory.PAGE;

    private static final long RESERVED = BlockFormat.MOST_PAYLOAD + 2L * Memory.HUGE_PAGE;

    /** What a payload that was far larger than usual took is given back. */
    private static final int KEPT = 4 << 20;

    private static final int WORTH_PACKING = 64;

    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final Memory memory = Memory.reserve(RESERVED);
    private ByteBuffer block = BlockFormat.buffer(256 << 10);
    private long end = START;

    Memory memory() {
        return memory;
    }

    void clear() {
        if (end - START > KEPT) {
            memory.discard(START, end - START);
        }
        end = START;
    }

    int payload() {
        return (int) (end - START);
    }

    /** Where the next bytes go. Throws if a payload would become too large. */
    long reserve(long bytes) {
        if (end - START + bytes > BlockFormat.MOST_PAYLOAD || end + bytes > memory.size()) {
            throw new StorageException(
                    "put a row of " + bytes + " bytes into a snapshot",
                    SnapshotDirectory.ROOT,
                    "blocks have at most " + BlockFormat.MOST_PAYLOAD + " bytes",
                    null);
        }
        return end;
    }

    void endAt(long newEnd) {
        end = newEnd;
    }

    /** The finished block, to be written at a position of a file. */
    ByteBuffer pack(ByteBuffer fileHeader, int bucket, int kind, int rows, long position) {
        int unpacked = payload();
        ByteBuffer raw = memory.segment().asSlice(START, unpacked).asByteBuffer();
        ensure(BlockFormat.BLOCK_HEADER + Math.max(unpacked, compressor.maxCompressedLength(unpacked)));
        int stored = unpacked < WORTH_PACKING
                ? unpacked
                : compressor.compress(
                        raw, 0, unpacked, block, BlockFormat.BLOCK_HEADER, block.capacity() - BlockFormat.BLOCK_HEADER);
        int flags = kind;
        if (stored < unpacked - unpacked / 16) {
            flags |= BlockFormat.LZ4;
        } else {
            stored = unpacked;
            block.put(BlockFormat.BLOCK_HEADER, raw, 0, unpacked);
        }
        BlockFormat.putBlockHeader(block, fileHeader, stored, unpacked, bucket, flags, rows, position);
        return block.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(0).limit(BlockFormat.BLOCK_HEADER + stored);
    }

    private void ensure(int bytes) {
        if (block.capacity() < bytes || block.capacity() > KEPT && bytes < KEPT) {
            block = BlockFormat.buffer(Math.max(bytes, 256 << 10));
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}

package io.reprise.snapshot.file;

import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Builder of snapshot blocks, one at a time. It gathers a block's payload in off-heap memory, and compresses it to the pages behind the
 * payload if that pays. Reused for all blocks; owned by the snapshot's thread.
 *
 * <p>Payload and compressed block lie in memory of the builder's own: a row may exceed the limit of the JVM's direct buffers.
 */
final class BlockPacker implements AutoCloseable {
    /** An upper bound for the bytes of a group before its rows. */
    static final int GROUP_HEADER = 2 * Varint.MOST_BYTES;

    /** The payload's first address. Address 0 means no address. */
    private static final long START = Memory.PAGE;

    private static final long RESERVED =
            2L * BlockFormat.MOST_PAYLOAD + BlockFormat.MOST_PAYLOAD / 128 + 4L * Memory.HUGE_PAGE;

    /** The memory that stays after a payload far larger than usual; the rest returns to the system. */
    private static final int KEPT = 4 << 20;

    private static final int WORTH_PACKING = 64;

    private static final int NONE = -1;

    private final PackingTrials trials = new PackingTrials();
    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final Memory memory = Memory.reserve(RESERVED);
    private long end = START;

    /** The end of all bytes that were ever written since the last discard. */
    private long used = START;

    /** The table of the block's largest group. Trials of compression are counted by this table. */
    private int mostlyOf = NONE;

    private long largestGroup;

    Memory memory() {
        return memory;
    }

    /** Begins another snapshot: forgets the trials of the last one. */
    void begin() {
        trials.clear();
        clear();
    }

    void clear() {
        mostlyOf = NONE;
        largestGroup = 0;
        if (used - START > KEPT) {
            memory.discard(START, used - START);
            used = START;
        }
        end = START;
    }

    int payload() {
        return (int) (end - START);
    }

    /** The address for the next bytes. Throws if the payload would exceed the limit of a block. */
    long reserve(long bytes) {
        long payload = end - START + bytes;
        if (payload > BlockFormat.MOST_PAYLOAD || packedAt(payload) + mostPacked((int) payload) > memory.size()) {
            throw new StorageException(
                    "put a row of " + bytes + " bytes into a snapshot",
                    SnapshotDirectory.ROOT,
                    "blocks have at most " + BlockFormat.MOST_PAYLOAD + " bytes",
                    null);
        }
        return end;
    }

    /** Writes the head of a group of rows of a table. Returns where the rows go; see {@link #reserve}. */
    long beginGroup(int table, int rows, long bytes) {
        long at = reserve(GROUP_HEADER + bytes);
        if (bytes > largestGroup) {
            largestGroup = bytes;
            mostlyOf = table;
        }
        return Varint.put(memory, Varint.put(memory, at, table), rows);
    }

    void endAt(long newEnd) {
        end = newEnd;
        used = Math.max(used, end);
    }

    private static long packedAt(long payload) {
        return START + payload + Memory.PAGE - 1 & -Memory.PAGE;
    }

    private int mostPacked(int payload) {
        return BlockFormat.BLOCK_HEADER + Math.max(payload, compressor.maxCompressedLength(payload));
    }

    /** The finished block, to be written at a position of a file. */
    ByteBuffer pack(ByteBuffer fileHeader, int bucket, int kind, int rows, long position) {
        int unpacked = payload();
        ByteBuffer raw = BlockFormat.buffer(memory, START, unpacked);
        long at = packedAt(unpacked);
        ByteBuffer block = BlockFormat.buffer(memory, at, mostPacked(unpacked));
        used = at + block.capacity();
        int stored = tryToPack(raw, unpacked, block);
        int flags = kind;
        if (stored < unpacked) {
            flags |= BlockFormat.LZ4;
        } else {
            block.put(BlockFormat.BLOCK_HEADER, raw, 0, unpacked);
        }
        BlockFormat.putBlockHeader(block, fileHeader, stored, unpacked, bucket, flags, rows, position);
        return block.limit(BlockFormat.BLOCK_HEADER + stored);
    }

    /** Compresses the payload behind the place for the head. Returns its bytes, or the payload's if compression does not pay. */
    private int tryToPack(ByteBuffer raw, int unpacked, ByteBuffer block) {
        boolean ofTable = mostlyOf != NONE;
        if (unpacked < WORTH_PACKING || ofTable && !trials.isDue(mostlyOf)) {
            return unpacked;
        }
        int stored = compressor.compress(
                raw, 0, unpacked, block, BlockFormat.BLOCK_HEADER, block.capacity() - BlockFormat.BLOCK_HEADER);
        boolean pays = stored < unpacked - unpacked / 16;
        if (ofTable) {
            trials.tried(mostlyOf, pays);
        }
        return pays ? stored : unpacked;
    }

    @Override
    public void close() {
        memory.close();
    }
}

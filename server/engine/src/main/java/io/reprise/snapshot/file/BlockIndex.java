package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The blocks of a data file by bucket, sorted by bucket and position. Encoded as the number of blocks, then for each:
 * the bucket, less the one before; the position, less the one before (signed); bytes in the file; rows.
 */
final class BlockIndex {
    private static final int MOST_ENTRY_BYTES = 4 * Varint.MOST_BYTES;

    private int[] buckets = new int[16];
    private long[] positions = new long[16];
    private int[] lengths = new int[16];
    private int[] rows = new int[16];
    private int count;

    int count() {
        return count;
    }

    int bucket(int block) {
        return buckets[block];
    }

    long position(int block) {
        return positions[block];
    }

    /** Bytes of the whole block in the file. */
    int length(int block) {
        return lengths[block];
    }

    int rows(int block) {
        return rows[block];
    }

    /** The number of rows of all blocks. */
    long totalRows() {
        long total = 0;
        for (int block = 0; block < count; block++) {
            total += rows[block];
        }
        return total;
    }

    void add(int bucket, long position, int length, int rowsInBlock) {
        if (count == buckets.length) {
            int capacity = count + (count >> 1);
            buckets = Arrays.copyOf(buckets, capacity);
            positions = Arrays.copyOf(positions, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
            rows = Arrays.copyOf(rows, capacity);
        }
        buckets[count] = bucket;
        positions[count] = position;
        lengths[count] = length;
        rows[count] = rowsInBlock;
        count++;
    }

    /** Appends it to the block that is being built. */
    void encode(BlockPacker packer) {
        Memory memory = packer.memory();
        int[] order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(block -> buckets[block])
                        .thenComparingLong(block -> positions[block]))
                .mapToInt(Integer::intValue)
                .toArray();
        packer.endAt(Varint.put(memory, packer.reserve(Varint.MOST_BYTES), count));
        int bucket = 0;
        long position = 0;
        for (int block : order) {
            long at = packer.reserve(MOST_ENTRY_BYTES);
            at = Varint.put(memory, at, buckets[block] - bucket);
            at = Varint.putSigned(memory, at, positions[block] - position);
            at = Varint.put(memory, at, lengths[block]);
            at = Varint.put(memory, at, rows[block]);
            packer.endAt(at);
            bucket = buckets[block];
            position = positions[block];
        }
    }

    /**
     * Reads an index.
     *
     * @param end the end of the blocks
     * @throws DamagedImageException if it can't be one
     */
    static BlockIndex decode(ImageCursor cursor, long end) {
        BlockIndex index = new BlockIndex();
        int count = cursor.varintUpTo(Integer.MAX_VALUE, "the number of blocks");
        int bucket = 0;
        long position = 0;
        for (int i = 0; i < count; i++) {
            bucket += cursor.varintUpTo(BlockFormat.REPLICATED - bucket, "a step between buckets");
            position += cursor.signedVarint();
            int length = cursor.varintUpTo(BlockFormat.MOST_PAYLOAD + BlockFormat.BLOCK_HEADER, "a block's length");
            int rows = cursor.varintUpTo(Integer.MAX_VALUE, "a block's rows");
            if (position < BlockFormat.FILE_HEADER || length < BlockFormat.BLOCK_HEADER || position > end - length) {
                throw cursor.damaged("block " + i + " is not in the file");
            }
            index.add(bucket, position, length, rows);
        }
        if (cursor.hasNext()) {
            throw cursor.damaged("there is more than the index");
        }
        return index;
    }
}

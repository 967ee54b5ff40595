package io.reprise.engine.replication;

import io.reprise.runtime.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The last records of a stream by index, bounded by their bytes: for peers that lag. Each record has the position in the
 * partition's log behind it. Records are copied into chunks, so a record is no object. Owned by the partition's thread.
 */
final class RecordWindow {
    private static final int CHUNK = 64 << 10;
    private static final int INITIAL = 256;

    /** Of a record beside its bytes. */
    private static final int OVERHEAD = 32;

    private byte[][] chunks = new byte[INITIAL][];
    private int[] offsets = new int[INITIAL];
    private int[] lengths = new int[INITIAL];
    private long[] ends = new long[INITIAL];

    /** The bytes of all records before each, since the window was made. */
    private long[] sums = new long[INITIAL];

    private byte[] filling = new byte[CHUNK];
    private int filled;
    private long first = 1;
    private long next = 1;
    private long sum;
    private long bytes;

    /** Forgets all; the next record has this index. */
    void restart(long index) {
        Arrays.fill(chunks, null);
        first = index;
        next = index;
        bytes = 0;
    }

    /** The lowest index. */
    long first() {
        return first;
    }

    /** The index of the next record. */
    long next() {
        return next;
    }

    /** The bytes of all records. */
    long bytes() {
        return bytes;
    }

    /** The bytes of all records from an index on. */
    long bytesFrom(long index) {
        return index <= first ? bytes : index >= next ? 0 : sum - sums[slot(index)];
    }

    /** Adds a record, which no longer changes. */
    void add(byte[] record, long end) {
        put(record, 0, record.length, end);
    }

    /** Adds a copy of a record. */
    void add(Memory source, long address, int length, long end) {
        if (length > CHUNK - filled) {
            filling = new byte[Math.max(CHUNK, length)];
            filled = 0;
        }
        MemorySegment.copy(source.segment(), ValueLayout.JAVA_BYTE, address, filling, filled, length);
        put(filling, filled, length, end);
        filled = filling.length > CHUNK ? CHUNK : filled + length;
    }

    private void put(byte[] chunk, int offset, int length, long end) {
        if (next - first == chunks.length) {
            grow();
        }
        int at = slot(next++);
        chunks[at] = chunk;
        offsets[at] = offset;
        lengths[at] = length;
        ends[at] = end;
        sums[at] = sum;
        sum += length + OVERHEAD;
        bytes += length + OVERHEAD;
    }

    private int slot(long index) {
        return (int) index & chunks.length - 1;
    }

    private void grow() {
        byte[][] oldChunks = chunks;
        int[] oldOffsets = offsets;
        int[] oldLengths = lengths;
        long[] oldEnds = ends;
        long[] oldSums = sums;
        chunks = new byte[2 * oldChunks.length][];
        offsets = new int[chunks.length];
        lengths = new int[chunks.length];
        ends = new long[chunks.length];
        sums = new long[chunks.length];
        for (long index = first; index < next; index++) {
            int from = (int) index & oldChunks.length - 1;
            int to = slot(index);
            chunks[to] = oldChunks[from];
            offsets[to] = oldOffsets[from];
            lengths[to] = oldLengths[from];
            ends[to] = oldEnds[from];
            sums[to] = oldSums[from];
        }
    }

    /** A copy of a record. */
    byte[] record(long index) {
        int at = slot(index);
        return Arrays.copyOfRange(chunks[at], offsets[at], offsets[at] + lengths[at]);
    }

    /** The position in the partition's log behind a record. */
    long end(long index) {
        return ends[slot(index)];
    }

    /** Forgets the oldest records while there are more than so many bytes, but none from an index on. */
    void trim(long most, long keepFrom) {
        while (bytes > most && first < keepFrom && first < next) {
            int at = slot(first++);
            chunks[at] = null;
            bytes -= lengths[at] + OVERHEAD;
        }
    }
}

package io.reprise.log.physiological;

import io.reprise.runtime.Invariants;
import io.reprise.runtime.memory.Memory;
import java.util.Arrays;

/**
 * Operations of data records, unpacked so far that storing them is copying: what a {@link DataDecoder} hands to a {@link
 * DataRedo}. Only rows of the partition that the decoder works for are in it. All in words of 8 bytes:
 *
 * <pre>
 *  operation  kind, 4 bits | number of words, 28 bits | table's id, 32 bits
 *             hash of the primary key, 32 bits | 1 if it has been hashed; then, of an UPDATE or DELETE, where a row of this hash is,
 *             or 0: from when rows are looked up
 *             then by kind:
 *  RECORD     transaction id: the operations that follow are of its record
 *  INSERT     the row as it lies in memory, header included
 *  UPDATE     touched indexes | row | {@link io.reprise.storage.image.ColumnWrites}
 *  DELETE     row
 *  SPENT      row id
 *  PACKED     length, 32 bits | operation, 8 bits | bucket + 1 | number before it | bytes as {@link DataFormat} has them, from
 *             behind the bucket on
 *
 *  row        the words of the primary key; of a table without one the row id
 * </pre>
 *
 * <p>PACKED is whatever has strings outside of rows, or keys with strings, and TRUNCATE.
 *
 * <p>Filled by one thread, then read by another, then free again.
 */
public final class RedoBatch implements AutoCloseable {
    static final int RECORD = 1;
    static final int INSERT = 2;
    static final int UPDATE = 3;
    static final int DELETE = 4;
    static final int SPENT = 5;
    static final int PACKED = 6;

    static final long START = 64;

    /** Bytes of the first two words. */
    static final long HEAD = 16;

    static final long HASHED = 1L << 32;

    private static final int WORDS_SHIFT = 4;
    private static final int TABLE_SHIFT = 32;
    private static final long WORDS = 0xFFF_FFFF;
    private static final long KIND = 0xF;

    /** As much as two threads share a cache for, and enough to be worth waking the other. */
    private static final int FULL = 256 << 10;

    private Memory memory;

    /** How many bytes an operation can have before there has to be another memory. */
    private long roomiest;

    private long end = START;

    /** By table id, and up to which one there are any. */
    private int[] insertions = new int[16];

    private int tables;

    /** An empty batch. */
    public RedoBatch() {
        reserve(FULL);
    }

    private void reserve(long newRoomiest) {
        memory = Memory.reserve(START + FULL + HEAD + newRoomiest + 2L * Memory.HUGE_PAGE);
        roomiest = newRoomiest;
    }

    /** What the operations are in; another one after an operation {@link #begin began} that has more bytes than any before. */
    Memory memory() {
        return memory;
    }

    /** Whether it has to be handed over before anything else is put into it. */
    boolean isFull() {
        return end - START >= FULL;
    }

    /** Begins an operation: where its words behind the first two go. There is room for so many bytes of them. */
    long begin(long bytes) {
        if (bytes > roomiest) {
            moveToRoomFor(bytes);
        }
        return end + HEAD;
    }

    /** How large a record can be is a setting, and was another one when the log was written. */
    private void moveToRoomFor(long bytes) {
        Invariants.check(bytes <= WORDS << 3, "an operation of a data record is too large, bytes", bytes);
        Memory before = memory;
        reserve(bytes);
        memory.copyFrom(before, START, START, end - START);
        before.close();
    }

    /** Ends an operation. */
    void end(int kind, int tableId, long hash, long operationEnd) {
        long words = operationEnd - end + 7 >>> 3;
        memory.putLong(end, kind | words << WORDS_SHIFT | (long) tableId << TABLE_SHIFT);
        memory.putLong(end + Long.BYTES, hash);
        end += words << 3;
    }

    /** One of the operations is an insertion into this table. */
    void countInsertion(int tableId) {
        if (tableId >= insertions.length) {
            insertions = Arrays.copyOf(insertions, Math.max(tableId + 1, 2 * insertions.length));
        }
        insertions[tableId]++;
        tables = Math.max(tables, tableId + 1);
    }

    /** How many insertions into this table there are. */
    int insertions(int tableId) {
        return insertions[tableId];
    }

    /** No table with this id or a higher one has insertions. */
    int tables() {
        return tables;
    }

    /** Behind the last operation. */
    long end() {
        return end;
    }

    static int kind(long word) {
        return (int) (word & KIND);
    }

    static long bytes(long word) {
        return (word >>> WORDS_SHIFT & WORDS) << 3;
    }

    static int tableId(long word) {
        return (int) (word >>> TABLE_SHIFT);
    }

    /** Makes it empty. */
    public void clear() {
        end = START;
        Arrays.fill(insertions, 0, tables, 0);
        tables = 0;
        if (roomiest > FULL) {
            memory.close();
            reserve(FULL);
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}

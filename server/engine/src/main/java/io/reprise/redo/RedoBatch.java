package io.reprise.redo;

import io.reprise.record.data.DataFormat;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.memory.Memory;
import java.util.Arrays;

/**
 * A batch of unpacked operations on one partition's rows, which a {@link DataDecoder} hands to its {@link DataRedo}. Applying them is mostly
 * copying. All numbers are in words of 8 bytes:
 *
 * <pre>
 *  operation  kind, 4 bits | number of words, 28 bits | table's id, 32 bits
 *             hash of the primary key, 32 bits | 1 if it has been hashed | 11 bits 0 | number of the record, 20 bits;
 *             of an UPDATE or DELETE the lower 44 are the address of a row with this hash, or 0, after the lookup
 *             then by kind:
 *  PLACED     first place | count | for each: hash of the primary key, 32 bits | number of the record, 32 bits
 *             rows that lie in their places ({@link io.reprise.storage.PlacesAhead}), to be entered. A table without indexes has
 *             no words for each row; other tables may have more words than rows
 *  INSERT     the row as it lies in memory, header included
 *  UPDATE     touched indexes | row | {@link io.reprise.storage.image.ColumnWrites}
 *  DELETE     row
 *  SPENT      row id
 *  GIVEN_BACK the first of some unused places
 *  PACKED     length, 32 bits | operation, 8 bits | bucket + 1 | number before it | bytes as {@link DataFormat} has them, from
 *             behind the bucket on
 *
 *  row        the words of the primary key; of a table without one the row id
 * </pre>
 *
 * <p>PACKED operations have strings outside of rows, or keys with strings, or are TRUNCATE. A PLACED stands at its first row's place in the
 * order. Later rows join it, except for rows that come after a deletion in their table.
 *
 * <p>Owned by the thread that fills it, then by the one that applies it, in turns.
 */
public final class RedoBatch implements AutoCloseable {
    static final int PLACED = 1;
    static final int INSERT = 2;
    static final int UPDATE = 3;
    static final int DELETE = 4;
    static final int SPENT = 5;
    static final int GIVEN_BACK = 6;
    static final int PACKED = 7;

    static final long START = 64;

    /** Bytes of the first two words. */
    static final long HEAD = 16;

    /** Bytes of a PLACED before what there is for each row. */
    static final long PLACED_HEAD = 16;

    static final long HASHED = 1L << 32;

    /** The bits of the second word that are not the record's number. */
    static final long FOUND = (1L << 44) - 1;

    private static final int RECORD_SHIFT = 44;
    private static final int MOST_RECORDS = 1 << 20;
    private static final int WORDS_SHIFT = 4;
    private static final int TABLE_SHIFT = 32;
    private static final long WORDS = 0xFFF_FFFF;
    private static final long KIND = 0xF;

    /** As much as two threads share a cache for, and enough to be worth waking the other. */
    private static final int FULL = 256 << 10;

    /** For so many rows a PLACED has room, if its table has indexes. */
    private static final int PLACED_TOGETHER = 128;

    private Memory memory;

    /** The longest operation that fits without another memory. */
    private long roomiest;

    private long end = START;

    /** The bytes of rows in their places, which count for a full batch, too. */
    private long placedBytes;

    /** By their numbers in the batch. */
    private long[] transactions = new long[1024];

    private int records;

    /** Whether the last record has an operation in this batch. */
    private boolean recordIsUsed;

    /** By table id, and up to which one there are any. */
    private int[] insertions = new int[16];

    private int tables;
    private int fillings;
    private boolean settles;
    private long logPosition;
    private long logEnd;

    /** An empty batch. */
    public RedoBatch() {
        reserve(FULL);
    }

    private void reserve(long newRoomiest) {
        memory = Memory.reserve(START + FULL + HEAD + newRoomiest + 2L * Memory.HUGE_PAGE);
        roomiest = newRoomiest;
    }

    /** Sets the log position of its first record, and the end of the replayed log. */
    public RedoBatch at(long position, long end) {
        logPosition = position;
        logEnd = end;
        return this;
    }

    long logPosition() {
        return logPosition;
    }

    long logEnd() {
        return logEnd;
    }

    /** The memory of the operations. It changes when an operation {@linkplain #begin begins} that is longer than any before. */
    Memory memory() {
        return memory;
    }

    /** Whether it has to be handed over before anything else is put into it. */
    boolean isFull() {
        return end - START + placedBytes >= FULL;
    }

    /** The operations that follow are of this transaction's record; one without any leaves nothing behind. */
    void record(long transactionId) {
        if (recordIsUsed || records == 0) {
            recordIsUsed = false;
            if (records == transactions.length) {
                Invariants.check(records < MOST_RECORDS, "a batch of data records has too many of them", records);
                transactions = Arrays.copyOf(transactions, 2 * records);
            }
            records++;
        }
        transactions[records - 1] = transactionId;
    }

    /**
     * When it has been stored, all places of the partition have been {@linkplain DataDecoder#giveBack given back}, and what is done next may
     * be anything.
     */
    public void settle() {
        settles = true;
    }

    /** Whether {@link #settle} was called. */
    public boolean settles() {
        return settles;
    }

    /** Begins an operation with room for so many bytes behind its first two words. Returns the address of these. */
    long begin(long bytes) {
        if (bytes > roomiest) {
            moveToRoomFor(bytes);
        }
        return end + HEAD;
    }

    /** The bound of a record is a setting, and may have been larger when the log was written. */
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
        memory.putLong(end + Long.BYTES, hash | (long) (records - 1) << RECORD_SHIFT);
        end += words << 3;
        recordIsUsed = true;
    }

    /** One of the operations is an insertion into this table. */
    void countInsertion(int tableId) {
        if (tableId >= insertions.length) {
            insertions = Arrays.copyOf(insertions, Math.max(tableId + 1, 2 * insertions.length));
        }
        if (insertions[tableId]++ == 0) {
            tables = Math.max(tables, tableId + 1);
        }
    }

    /** A row has been written into its place; the insertion has been counted. */
    void place(DecodedTable table, long row, int hash) {
        PlacedRun run = table.placed;
        if (!run.goesOn(this, row)) {
            long at = begin(PLACED_HEAD + Long.BYTES * PLACED_TOGETHER);
            memory.putLong(at, row);
            end(PLACED, table.id, 0, at + PLACED_HEAD + (table.indexed ? Long.BYTES * PLACED_TOGETHER : 0));
            run.begin(this, at, table.indexed ? PLACED_TOGETHER : Integer.MAX_VALUE);
        }
        if (table.indexed) {
            memory.putLong(run.nextWord(), hash & 0xFFFF_FFFFL | records - 1L << Integer.SIZE);
            recordIsUsed = true;
        }
        int rowSize = table.codec.rowSize();
        memory.putLong(run.at() + Long.BYTES, run.add(row + rowSize));
        placedBytes += rowSize;
    }

    /** The number of times that it was emptied. */
    int fillings() {
        return fillings;
    }

    /** The number of insertions into this table. */
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

    /** Whose record has this number. */
    long transaction(int record) {
        return transactions[record];
    }

    /** An operation's second word for a key with this hash. */
    static long hashed(int hash) {
        return HASHED | hash & 0xFFFF_FFFFL;
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

    /** The number of the record, of an operation's second word. */
    static int recordNumber(long second) {
        return (int) (second >>> RECORD_SHIFT);
    }

    /** Makes it empty. */
    public void clear() {
        fillings++;
        end = START;
        placedBytes = 0;
        records = 0;
        recordIsUsed = false;
        settles = false;
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

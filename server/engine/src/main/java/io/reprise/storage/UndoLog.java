package io.reprise.storage;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.Region;

/**
 * The changes of the running transaction to its partition, in order: read backwards it undoes, read forwards it tells
 * a log what was written. A record:
 *
 * <pre>
 *  0  bits 0..7 kind, 8..31 bytes of the record before (0: none), 32..63 table id
 *  8  the row's address (STRING: the replaced string's reference; SAVEPOINT: the write hash; TRUNCATE: see below)
 * 16  STRING: the new string's reference
 *     UPDATE: bits 0..31 offset in the row, 32..63 length of the image
 *     INDEX, UNINDEX: the indexes
 * 24  UPDATE: the indexes whose entries have been changed; 0 until endUpdate has done so
 * 32  UPDATE: the image, padded to a multiple of 8
 * </pre>
 *
 * <p>STRING says that a string of an updated row was replaced: at commit the old one is freed, at rollback the new
 * one. TRUNCATE has the index of the set-aside table content in a list on the heap.
 *
 * <p>A return to a savepoint removes the records behind it, but results of queries may still refer to their strings.
 * So a note takes the place of each removed record, and the strings are freed when the transaction ends.
 * UNDONE_INSERT has a row whose strings are in the heap, UNDONE_STRING a string's reference, UNDONE_TRUNCATE the
 * index of a string heap in a list on the heap. A note is never longer than the record it replaces, so noting needs
 * no memory. Notes aren't writes: none of them undoes anything.
 *
 * <p>A savepoint is a position, divided by 8 so that an int holds it.
 */
final class UndoLog {
    static final int INSERT = 1;
    static final int UPDATE = 2;
    static final int DELETE = 3;
    static final int TRUNCATE = 4;
    static final int STRING = 5;
    static final int INDEX = 6;
    static final int UNINDEX = 7;
    static final int SAVEPOINT = 8;
    static final int UNDONE_INSERT = 9;
    static final int UNDONE_STRING = 10;
    static final int UNDONE_TRUNCATE = 11;

    static final int IMAGE = 32;

    /** Always at hand, so that small transactions work when the memory limit has been reached. */
    private static final long KEPT_AT_LEAST = 256 << 10;

    private static final long KEPT_AT_MOST = 1 << 20;

    private static final int SHORT_RECORD = 16;
    private static final int MIDDLE_RECORD = 24;

    private final Memory memory;
    private final Region region;
    private final MemoryAccount account = new MemoryAccount("the undo log");
    private final long start;
    private long end;
    private long last;
    private boolean freesAtCommit;
    private boolean hasUndone;

    /** The first record that is not about what a return to the transaction's beginning has undone. */
    private long writes;

    /**
     * The savepoint of the last return, and the end of its notes; 0: something before that has gone. Returning to the
     * same one again and again does not go through all notes each time.
     */
    private long returnedTo;

    private long notedTo;

    UndoLog(AddressSpace space) {
        memory = space.memory();
        region = space.region(account);
        start = region.start();
        region.growAnyway(start + KEPT_AT_LEAST);
        clear();
    }

    /** Forgets all records. */
    void clear() {
        end = start;
        writes = start;
        last = 0;
        freesAtCommit = false;
        hasUndone = false;
        returnedTo = 0;
        if (region.taken() > KEPT_AT_MOST) {
            region.shrinkTo(start + KEPT_AT_MOST);
        }
    }

    long bytesTaken() {
        return account.bytes();
    }

    /** Whether there is nothing to settle. */
    boolean isEmpty() {
        return end == start;
    }

    /** Whether anything has been written that a rollback would undo. */
    boolean hasWrites() {
        return end != writes;
    }

    /** Whether records of a kind note what is to be freed of an undone write. */
    static boolean isUndone(int kind) {
        return kind >= UNDONE_INSERT;
    }

    /** Whether there is something to free that was undone. */
    boolean hasUndone() {
        return hasUndone;
    }

    /** Whether the commit has something to free. */
    boolean freesAtCommit() {
        return freesAtCommit;
    }

    long start() {
        return start;
    }

    /** From here on there is something to undo. */
    long writes() {
        return writes;
    }

    long end() {
        return end;
    }

    /** The last record, or 0. */
    long last() {
        return last;
    }

    /** Makes sure that the next records, of so many image bytes, find memory. Throws MEMORY_LIMIT. */
    void reserve(int imageBytes) {
        region.growTo(end + IMAGE + imageBytes + 8);
    }

    /** Makes sure that the next record without an image finds its place, whatever the limit. Throws MEMORY_LIMIT if no place is left at all. */
    void makeRoom() {
        region.growAnyway(end + IMAGE);
    }

    private long append(int kind, int tableId, long word, int bytes) {
        region.growAnyway(end + bytes);
        long record = end;
        long before = last == 0 ? 0 : record - last;
        memory.putLong(record, (long) tableId << 32 | before << 8 | kind);
        memory.putLong(record + 8, word);
        last = record;
        end = record + bytes;
        return record;
    }

    void insert(int tableId, long row) {
        append(INSERT, tableId, row, SHORT_RECORD);
    }

    void delete(int tableId, long row) {
        append(DELETE, tableId, row, SHORT_RECORD);
        freesAtCommit = true;
    }

    void truncate(int tableId, int detached) {
        append(TRUNCATE, tableId, detached, SHORT_RECORD);
        freesAtCommit = true;
    }

    /** Saves bytes of a row that are about to change. */
    long update(int tableId, long row, int from, int length) {
        long record = append(UPDATE, tableId, row, IMAGE + (length + 7 & -8));
        memory.putLong(record + 16, (long) length << 32 | from);
        memory.putLong(record + 24, 0);
        memory.copy(row + from, record + IMAGE, length);
        return record;
    }

    void setIndexes(long updateRecord, long indexes) {
        memory.putLong(updateRecord + 24, indexes);
    }

    void string(int tableId, long oldRef, long newRef) {
        long record = append(STRING, tableId, oldRef, MIDDLE_RECORD);
        memory.putLong(record + 16, newRef);
        freesAtCommit |= oldRef != 0;
    }

    void index(int kind, int tableId, long row, long indexes) {
        long record = append(kind, tableId, row, MIDDLE_RECORD);
        memory.putLong(record + 16, indexes);
    }

    /** A position to return to; the hash is what the write hash is now. */
    int savepoint(long hash) {
        if (!hasWrites()) {
            return 0;
        }
        if (kind(last) != SAVEPOINT || word(last) != hash) {
            append(SAVEPOINT, 0, hash, SHORT_RECORD);
        }
        return position(last);
    }

    int position(long record) {
        return (int) ((record - start) >> 3);
    }

    /** The record or end at a position. */
    long at(int position) {
        return start + ((position & 0xFFFFFFFFL) << 3);
    }

    /**
     * Tells whether the record at such a place is a savepoint: the place may be in the middle of another record by
     * now.
     */
    boolean isSavepoint(long place) {
        if (place == returnedTo) {
            return true;
        }
        long record = last;
        while (record > place) {
            record = before(record);
        }
        return record == place && kind(record) == SAVEPOINT;
    }

    /** The first record behind a savepoint that is more than a note. */
    long firstBehind(long savepoint) {
        return savepoint == returnedTo ? notedTo : after(savepoint);
    }

    /** All behind the savepoint is notes. */
    void returnedTo(long savepoint) {
        returnedTo = savepoint;
        notedTo = end;
    }

    /** Removes all records from this one on. They can be read until others are written. */
    void removeFrom(long record) {
        if (record < notedTo) {
            returnedTo = 0;
        }
        if (record < end) {
            last = before(record);
            end = record;
        }
    }

    /** Notes what is to be freed of an undone write when the transaction ends; needs no more than the record of that write did. */
    void undone(int kind, int tableId, long word) {
        append(kind, tableId, word, SHORT_RECORD);
        freesAtCommit = true;
        hasUndone = true;
    }

    /** The transaction is at its beginning again: the notes stay until it ends. */
    void beginAgain() {
        writes = end;
    }

    int kind(long record) {
        return memory.getByte(record);
    }

    int tableId(long record) {
        return memory.getInt(record + 4);
    }

    long word(long record) {
        return memory.getLong(record + 8);
    }

    long secondWord(long record) {
        return memory.getLong(record + 16);
    }

    int imageFrom(long record) {
        return memory.getInt(record + 16);
    }

    int imageLength(long record) {
        return memory.getInt(record + 20);
    }

    long imageIndexes(long record) {
        return memory.getLong(record + 24);
    }

    /** The record before, or 0. */
    long before(long record) {
        int distance = memory.getInt(record) >>> 8;
        return distance == 0 ? 0 : record - distance;
    }

    /** The record after, or {@link #end}. */
    long after(long record) {
        return record
                + switch (kind(record)) {
                    case STRING, INDEX, UNINDEX -> MIDDLE_RECORD;
                    case UPDATE -> IMAGE + (imageLength(record) + 7 & -8);
                    default -> SHORT_RECORD;
                };
    }
}

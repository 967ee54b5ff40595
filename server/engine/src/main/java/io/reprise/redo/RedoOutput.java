package io.reprise.redo;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The output of a {@link DataDecoder}: one batch after the other, and new rows in the places where they stay, for tables that have
 * {@linkplain Placement places}.
 */
final class RedoOutput {
    /** The partition's memory. */
    private final Memory rows;

    /** Tables of which it has places. */
    private final List<DecodedTable> placing = new ArrayList<>();

    /** Whether it may take places that the partition gives away. */
    private boolean takes = true;

    private RedoBatches batches;
    private RedoBatch batch;
    private long transactionId;

    RedoOutput(Memory rows) {
        this.rows = rows;
    }

    /** Begins the record of a transaction. */
    void begin(long ofTransaction, RedoBatch into, RedoBatches exchange) {
        transactionId = ofTransaction;
        go(into, exchange);
    }

    private void go(RedoBatch into, RedoBatches exchange) {
        batch = into;
        batches = exchange;
        batch.record(transactionId);
    }

    /** The batch under construction. */
    RedoBatch batch() {
        return batch;
    }

    /** Makes room for an operation. */
    void makeRoom() {
        if (exchangeIfFull()) {
            giveBack(RedoOutput::isWantedBack);
        }
    }

    private boolean exchangeIfFull() {
        if (!batch.isFull()) {
            return false;
        }
        batch = batches.exchange(batch);
        batch.record(transactionId);
        return true;
    }

    /** Whether the table's placement has a place for a row. Takes more places if need be. */
    boolean hasPlace(DecodedTable table) {
        Placement placement = table.placement;
        if (placement.hasRoom()) {
            return true;
        }
        if (!takes || !placement.takeMore()) {
            return false;
        }
        if (!placing.contains(table)) {
            placing.add(table);
        }
        return true;
    }

    /** Completes a row in the placement's next place: writes its header, and counts it in the batch. */
    void placed(DecodedTable table, int bucket, long number, long row) {
        rows.putLong(row, (table.replicated ? number : DirectWrites.rowId(bucket, number)) | RowLayout.LIVE);
        batch.countInsertion(table.id);
        batch.place(table, row, table.hashOfRow(rows, row));
        table.placement.take(table.replicated ? 0 : bucket, number);
    }

    /** From now on it takes places, or none. */
    void takePlaces(boolean value) {
        takes = value;
    }

    /** Whether it has places of such a table. */
    boolean hasPlaces(Predicate<DecodedTable> of) {
        for (int i = 0; i < placing.size(); i++) {
            if (of.test(placing.get(i))) {
                return true;
            }
        }
        return false;
    }

    static boolean isWantedBack(DecodedTable table) {
        return table.placement.isWantedBack();
    }

    /** Gives back the places of such tables. */
    void giveBack(RedoBatch into, RedoBatches exchange, Predicate<DecodedTable> of) {
        go(into, exchange);
        giveBack(of);
    }

    private void giveBack(Predicate<DecodedTable> of) {
        for (int i = placing.size() - 1; i >= 0; i--) {
            if (of.test(placing.get(i))) {
                giveBack(placing.remove(i));
            }
        }
    }

    /** Gives back unused places, and reports the row numbers that were used. */
    private void giveBack(DecodedTable table) {
        Placement placement = table.placement;
        long from = placement.end();
        if (from != 0) {
            exchangeIfFull();
            long at = batch.begin(Long.BYTES);
            batch.memory().putLong(at, from);
            batch.end(RedoBatch.GIVEN_BACK, table.id, 0, at + Long.BYTES);
        }
        for (int i = 0; i < placement.buckets(); i++) {
            long highest = placement.takeHighestNumber(i);
            if (highest >= 0) {
                exchangeIfFull();
                putSpent(table, table.replicated ? highest : DirectWrites.rowId(i, highest));
            }
        }
    }

    /** Puts an insertion as the row will lie in memory. Returns false if a string does not fit into the row. */
    boolean putInsert(DecodedTable table, ImageCursor in, long rowId) {
        int rowSize = table.codec.rowSize();
        long row = batch.begin(rowSize);
        Memory to = batch.memory();
        to.putLong(row, rowId | RowLayout.LIVE);
        if (!table.codec.unpackRow(in, to, row)) {
            return false;
        }
        batch.end(RedoBatch.INSERT, table.id, table.hashedRowWord(to, row), row + rowSize);
        return true;
    }

    /** Puts an operation as it is encoded between two addresses. */
    void putPacked(DecodedTable table, long word, long numberBefore, Memory source, long from, long to, long hash) {
        long length = to - from;
        long at = batch.begin(2L * Long.BYTES + length);
        Memory target = batch.memory();
        target.putLong(at, word);
        target.putLong(at + Long.BYTES, numberBefore);
        target.copyFrom(source, from, at + 2L * Long.BYTES, length);
        batch.end(RedoBatch.PACKED, table.id, hash, at + 2L * Long.BYTES + length);
    }

    /** Reports a row number as used: the row is gone, or another operation has it. */
    void putSpent(DecodedTable table, long rowId) {
        long at = batch.begin(Long.BYTES);
        batch.memory().putLong(at, rowId);
        batch.end(RedoBatch.SPENT, table.id, 0, at + Long.BYTES);
    }
}

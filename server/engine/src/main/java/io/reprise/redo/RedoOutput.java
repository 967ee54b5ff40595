package io.reprise.redo;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Where a {@link DataDecoder} puts what it has read: into one batch after the other, and new rows of the tables that have a {@linkplain
 * Placement placement} where they stay.
 */
final class RedoOutput {
    /** The partition's memory. */
    private final Memory rows;

    /** Tables that it has taken places of since it gave them back. */
    private final List<DecodedTable> placing = new ArrayList<>();

    private RedoBatches batches;
    private RedoBatch batch;
    private long transactionId;

    RedoOutput(Memory rows) {
        this.rows = rows;
    }

    /** What comes is of this transaction's record. */
    void begin(long ofTransaction, RedoBatch into, RedoBatches exchange) {
        transactionId = ofTransaction;
        go(into, exchange);
    }

    private void go(RedoBatch into, RedoBatches exchange) {
        batch = into;
        batches = exchange;
        batch.record(transactionId);
    }

    /** What the next operation is put into. */
    RedoBatch batch() {
        return batch;
    }

    /** For another operation. */
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

    /** Whether the table's next row can be written where it stays: to where its placement says. */
    boolean hasPlace(DecodedTable table) {
        Placement placement = table.placement;
        if (placement.hasRoom()) {
            return true;
        }
        if (!placement.takeMore()) {
            return false;
        }
        if (!placing.contains(table)) {
            placing.add(table);
        }
        return true;
    }

    /** The row with this number lies in its placement's next place, but for its header. */
    void placed(DecodedTable table, int bucket, long number, long row) {
        rows.putLong(row, (table.replicated ? number : DirectWrites.rowId(bucket, number)) | RowLayout.LIVE);
        batch.countInsertion(table.id);
        batch.place(table, row, table.hashOfRow(rows, row));
        table.placement.take(table.replicated ? 0 : bucket, number);
    }

    /** Whether there are places of such a table to give back. */
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

    /** Gives places of such tables back. */
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

    /** The places that are left, and the numbers that were used. */
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

    /** Nothing is left of a row with this id, or it has been told of in another way. */
    void putSpent(DecodedTable table, long rowId) {
        long at = batch.begin(Long.BYTES);
        batch.memory().putLong(at, rowId);
        batch.end(RedoBatch.SPENT, table.id, 0, at + Long.BYTES);
    }
}

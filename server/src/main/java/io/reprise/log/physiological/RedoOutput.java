package io.reprise.log.physiological;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a {@link DataDecoder} puts what it has read: into one batch after the other, and of the tables that are {@linkplain #placesNext
 * placing} the new rows where they stay.
 */
final class RedoOutput {
    /** The partition's memory. */
    private final Memory rows;

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
            for (int i = placing.size() - 1; i >= 0; i--) {
                if (placing.get(i).placement.isWantedBack()) {
                    stopPlacing(placing.get(i));
                }
            }
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

    private void drain() {
        batch = batches.drain(batch);
        batch.record(transactionId);
    }

    /** Whether the table's next row is written where it stays: to where its placement says. */
    boolean placesNext(DecodedTable table) {
        Placement placement = table.placement;
        if (placement.isOver()) {
            if (!placement.wantsToBegin()) {
                return false;
            }
            drain();
            placement.begin();
            placing.add(table);
        } else if (!placement.hasRoom()) {
            drain();
        }
        if (!placement.hasRoom()) {
            stopPlacing(table);
            return false;
        }
        return true;
    }

    /** The row with this number lies in its place, but for its header. */
    void placed(DecodedTable table, int bucket, long number, long row) {
        rows.putLong(row, (table.replicated ? number : DirectWrites.rowId(bucket, number)) | RowLayout.LIVE);
        batch.countInsertion(table.id);
        batch.place(table.id, row, table.codec.rowSize(), table.indexed, table.hashOfRow(rows, row));
        table.placement.take(table.replicated ? 0 : bucket, number);
    }

    boolean isPlacing() {
        return !placing.isEmpty();
    }

    /** Stops it for all tables; see {@link DataDecoder#settle}. */
    RedoBatch settle(RedoBatch into, RedoBatches exchange) {
        go(into, exchange);
        while (!placing.isEmpty()) {
            stopPlacing(placing.getLast());
        }
        return batch;
    }

    /** The table's next rows are copied, if they aren't already. What its placed rows have left to be done comes behind them. */
    void stopPlacing(DecodedTable table) {
        Placement placement = table.placement;
        if (placement.isOver()) {
            return;
        }
        placing.remove(table);
        placement.end();
        batch.endPlaced(table.id);
        for (int i = 0; i < placement.buckets(); i++) {
            long highest = placement.takeHighestNumber(i);
            if (highest >= 0) {
                exchangeIfFull();
                putSpent(table, table.replicated ? highest : DirectWrites.rowId(i, highest));
            }
        }
        exchangeIfFull();
        batch.end(RedoBatch.RELEASE, table.id, 0, batch.begin(0));
    }

    /** Nothing is left of a row with this id, or it has been told of in another way. */
    void putSpent(DecodedTable table, long rowId) {
        long at = batch.begin(Long.BYTES);
        batch.memory().putLong(at, rowId);
        batch.end(RedoBatch.SPENT, table.id, 0, at + Long.BYTES);
    }
}

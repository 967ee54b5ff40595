package io.reprise.log;

import java.util.Arrays;

/** The snapshots whose beginnings have been written and not yet forced. Owned by the log writer. */
final class SnapshotMarks {
    private final SnapshotMark listener;
    private long[] transactions = new long[4];
    private long[] positions = new long[4];
    private int count;
    private int written;

    SnapshotMarks(SnapshotMark listener) {
        this.listener = listener;
    }

    void add(long transactionId, long position) {
        if (count == transactions.length) {
            transactions = Arrays.copyOf(transactions, count * 2);
            positions = Arrays.copyOf(positions, count * 2);
        }
        transactions[count] = transactionId;
        positions[count] = position;
        count++;
    }

    /** All that were added are written: the next force makes them durable. */
    void markWritten() {
        written = count;
    }

    /** All that were written are durable. */
    void tell() {
        for (int i = 0; i < written; i++) {
            listener.snapshotBegan(transactions[i], positions[i]);
        }
        System.arraycopy(transactions, written, transactions, 0, count - written);
        System.arraycopy(positions, written, positions, 0, count - written);
        count -= written;
        written = 0;
    }
}

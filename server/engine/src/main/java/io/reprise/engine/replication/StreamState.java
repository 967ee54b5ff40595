package io.reprise.engine.replication;

import io.reprise.cluster.transaction.TransactionRecord;
import io.reprise.cluster.transaction.TransactionState;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import java.nio.ByteBuffer;

/**
 * A partition's stream as its log has it: the last index, the epochs, the last records, and whether an image is incomplete.
 * A recovery fills it, then the partition's replica owns it.
 *
 * <pre>
 *  in a START record, big-endian: 8 last index | 8 last transaction id | 1 loading
 *     | 4 length and state of transactions over nodes | epochs
 * </pre>
 */
final class StreamState {
    final TransactionState transactions;
    final RecordWindow window = new RecordWindow();
    EpochTable epochs = new EpochTable();
    long last;
    long lastId;
    boolean loading;

    StreamState(int partition) {
        transactions = new TransactionState(partition, NoRows.INSTANCE);
    }

    /** The recovery meets a record of the stream. */
    void recovered(byte[] record, LogRecords at, long mostBytes) {
        long transactionId = at.transactionId();
        last++;
        if (at.kind() == RecordKind.TRANSACTION) {
            transactions.apply(last, TransactionRecord.decode(at.payloadCopy()));
        } else if (transactions.open() != null && transactions.open().run().id() == transactionId) {
            transactions.committed(last);
        } else {
            transactions.ranAlone(last, transactionId);
        }
        lastId = Math.max(lastId, transactionId);
        window.add(record, 0);
        window.trim(mostBytes, last);
    }

    /** The recovery meets the beginning of an epoch. */
    void recoveredEpoch(long epoch, long index) {
        if (index != last + 1) {
            throw new IllegalStateException("epoch " + epoch + " begins at " + index + ", and the log has " + last
                    + " records of the stream before it");
        }
        epochs.begin(epoch, index);
        last = index;
        window.add(NOTHING, 0);
    }

    private static final byte[] NOTHING = {};

    /** Nothing counts until the image is complete. */
    void beginImage() {
        loading = true;
        last = 0;
        lastId = 0;
        epochs.cut(0, 0);
        window.restart(1);
    }

    /** An image stands for all records up to an index. */
    void endImage(long index, long epoch, long transactionId, byte[] state) {
        transactions.decode(state);
        loading = false;
        last = index;
        lastId = transactionId;
        epochs.cut(epoch, index);
        window.restart(index + 1);
    }

    int bytes() {
        return 21 + transactions.encode().length + epochs.bytes();
    }

    void encode(ByteBuffer to) {
        to.putLong(last).putLong(lastId).put((byte) (loading ? 1 : 0));
        byte[] state = transactions.encode();
        to.putInt(state.length).put(state);
        epochs.encode(to);
    }

    /** Reads what {@link #encode} wrote; the window is empty. */
    void decode(ByteBuffer from) {
        last = from.getLong();
        lastId = from.getLong();
        loading = from.get() != 0;
        byte[] state = new byte[from.getInt()];
        from.get(state);
        transactions.decode(state);
        epochs = EpochTable.decode(from);
        window.restart(last + 1);
    }

    /** A copy of the record at which the cursor stands. */
    static byte[] copy(LogRecords records, Scratch scratch) {
        return records.copy(scratch.memory(records.copyBytes()), Scratch.START);
    }
}

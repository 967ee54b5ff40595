package io.reprise.engine.replication;

import io.reprise.cluster.replica.NotedLine;
import io.reprise.cluster.transaction.TransactionRecord;
import io.reprise.cluster.transaction.TransactionState;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.recovery.replay.BucketMove;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A partition's stream as its log has it: the last index, the epochs, the last records, and whether an image is incomplete.
 * A recovery fills it, then the partition's replica owns it.
 *
 * <pre>
 *  in a START record, big-endian: 8 last index | 8 last transaction id | 1 loading
 *     | 4 length and state of transactions over nodes | 8 id of a committed change of the schema that the node has not
 *     carried out, or 0 | 4 length and content of it | buckets, as {@link OwnedBuckets} has them | epochs
 *     | the line of the map when the replica was in sync the last time, as {@link NotedLine} has it
 * </pre>
 */
final class StreamState {
    final TransactionState transactions;
    final OwnedBuckets buckets;
    final RecordWindow window = new RecordWindow();
    EpochTable epochs = new EpochTable();
    NotedLine noted = NotedLine.NONE;
    long last;
    long lastId;
    boolean loading;

    /** Records at or below this index are in an image only; 0 if no image was loaded since the last recovery from a snapshot. */
    long imageIndex;

    /** The transaction of a committed change of the schema that the node has not carried out; 0 if there is none. */
    long changeId;

    /** The content of that change. */
    byte[] change = NOTHING;

    /** A stream without records, of a partition with some buckets. */
    StreamState(int partition, BitSet first) {
        buckets = new OwnedBuckets(first);
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
        if (at.kind() == RecordKind.SCHEMA) {
            changeIsDue(transactionId, at.payloadCopy());
        } else if (at.kind() == RecordKind.MOVE) {
            buckets.moved(BucketMove.decode(at.payloadCopy()));
        }
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

    /** A change of the schema is committed: nothing behind it counts before the node has carried it out. */
    void changeIsDue(long transactionId, byte[] content) {
        changeId = transactionId;
        change = content;
    }

    /** The node has carried out all changes up to a transaction. */
    void changed(long transactionId) {
        if (changeId <= transactionId) {
            changeId = 0;
            change = NOTHING;
        }
    }

    /** Whether the stream has come to a change of the schema: it is committed here, or its part is held. */
    boolean isAtChange(long transactionId) {
        return changeId == transactionId
                || transactions.open() != null && transactions.open().run().id() == transactionId;
    }

    /** Nothing counts until the image is complete. */
    void beginImage() {
        changeId = 0;
        change = NOTHING;
        loading = true;
        imageIndex = 0;
        last = 0;
        lastId = 0;
        epochs.cut(0, 0);
        window.restart(1);
    }

    /** An image stands for all records up to an index. */
    void endImage(long index, long epoch, long transactionId, byte[] state) {
        ByteBuffer in = ByteBuffer.wrap(state);
        buckets.decode(in);
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        transactions.decode(rest);
        loading = false;
        imageIndex = index;
        last = index;
        lastId = transactionId;
        epochs.cut(epoch, index);
        window.restart(index + 1);
    }

    /** The part of an image that is no block: the buckets, and the state of transactions. */
    byte[] imageState() {
        byte[] state = transactions.encode();
        ByteBuffer to = ByteBuffer.allocate(buckets.bytes() + state.length);
        buckets.encode(to);
        return to.put(state).array();
    }

    int bytes() {
        return 33 + buckets.bytes() + transactions.encode().length + change.length + epochs.bytes() + noted.bytes();
    }

    void encode(ByteBuffer to) {
        to.putLong(last).putLong(lastId).put((byte) (loading ? 1 : 0));
        byte[] state = transactions.encode();
        to.putInt(state.length).put(state);
        to.putLong(changeId).putInt(change.length).put(change);
        buckets.encode(to);
        epochs.encode(to);
        noted.encode(to);
    }

    /** Reads what {@link #encode} wrote; the window is empty. */
    void decode(ByteBuffer from) {
        last = from.getLong();
        lastId = from.getLong();
        loading = from.get() != 0;
        byte[] state = new byte[from.getInt()];
        from.get(state);
        transactions.decode(state);
        changeId = from.getLong();
        change = new byte[from.getInt()];
        from.get(change);
        buckets.decode(from);
        epochs = EpochTable.decode(from);
        noted = NotedLine.decode(from);
        window.restart(last + 1);
    }

    /** A copy of the record at which the cursor stands. */
    static byte[] copy(LogRecords records, Scratch scratch) {
        return records.copy(scratch.memory(records.copyBytes()), Scratch.START);
    }
}

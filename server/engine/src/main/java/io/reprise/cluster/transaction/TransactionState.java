package io.reprise.cluster.transaction;

import io.reprise.cluster.replica.WholeState;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * The part of a partition's state that its records make: the rows, the open part, and the transactions that are not known to be
 * stable. Equal on all replicas at equal indexes.
 *
 * <p>A leader runs work in the store before it proposes the record; all others apply the record's effects. Owned by the
 * replicas' agent.
 */
public final class TransactionState extends WholeState {
    /** A committed transaction: the indexes of its part and of its decision. */
    record Committed(TransactionName name, Run run, int[] participants, long partIndex, long index) {}

    private final int partition;
    private PartitionStore store;
    private final TreeMap<Long, Committed> byIndex = new TreeMap<>();
    private final TreeMap<TransactionName, Committed> byName = new TreeMap<>();

    private TransactionRecord.Part open;
    private long openIndex;

    /** The transaction of the last part that was withdrawn: it may run again at its id. */
    private TransactionName undone;

    private long lastId;
    private long mark;
    private long markId;

    /** Whether the record being applied was proposed here, by a leader whose store has run it. */
    private boolean own;

    /** Whether the store holds the changes of the open part. */
    private boolean holding;

    /** The state of a log without records. */
    public TransactionState(int partition, PartitionStore store) {
        this.partition = partition;
        this.store = store;
    }

    /** From now on the rows are in this store, which has the effects of all records so far. */
    public void attach(PartitionStore rows) {
        store = rows;
    }

    // ---- What a leader asks

    /** The part without a decision, or null. */
    public TransactionRecord.Part open() {
        return open;
    }

    /** The index of the open part. */
    long openIndex() {
        return openIndex;
    }

    /** The highest id in the log. */
    public long lastId() {
        return lastId;
    }

    /** Everything up to this index is stable in all partitions, as far as the log says. */
    long mark() {
        return mark;
    }

    /** The id of the last transaction at or below the mark. */
    long markId() {
        return markId;
    }

    /** The committed transaction, if it is not forgotten; else null. */
    Committed committed(TransactionName name) {
        return byName.get(name);
    }

    /** The first committed transaction behind an index, or null. */
    Committed firstBehind(long index) {
        var next = byIndex.higherEntry(index);
        return next == null ? null : next.getValue();
    }

    /** The committed transactions that are not forgotten, in order. */
    Iterable<Committed> committed() {
        return byIndex.values();
    }

    // ---- What a leader does

    /** Whether the store holds the running changes of the part that is open, or is proposed next. */
    void holds(boolean changes) {
        holding = changes;
    }

    /** The next record was run by this replica's store. */
    void own(boolean proposing) {
        own = proposing;
    }

    // ---- Records

    @Override
    public void apply(long index, byte[] payload) {
        apply(index, TransactionRecord.decode(payload));
    }

    /** The highest id, when a transaction of this partition alone has left a record. */
    public void ranAlone(long index, long id) {
        require(open == null, index, "a transaction of this partition meets an open part");
        ascend(id, index);
    }

    /** The commit of the open part has been applied. */
    public void committed(long index) {
        Committed committed = new Committed(open.name(), open.run(), open.participants(), openIndex, index);
        byIndex.put(index, committed);
        byName.put(committed.name, committed);
        open = null;
    }

    /** Applies a record. */
    public void apply(long index, TransactionRecord record) {
        if (!own) {
            store.undo();
            holding = false;
        }
        switch (record) {
            case TransactionRecord.Local local -> local(index, local);
            case TransactionRecord.Part part -> {
                require(open == null, index, "a part meets another that is open");
                if (!part.name().equals(undone) || part.run().id() != lastId) {
                    ascend(part.run().id(), index);
                }
                open = part;
                openIndex = index;
            }
            case TransactionRecord.Undone withdrawn -> {
                requireOpen(withdrawn.name(), index);
                undone = open.name();
                open = null;
            }
            case TransactionRecord.Decision decision -> decide(index, decision);
            case TransactionRecord.Mark next -> forget(next.index());
        }
    }

    private void local(long index, TransactionRecord.Local local) {
        require(open == null, index, "a transaction of this partition meets an open part");
        ascend(local.id(), index);
        if (own) {
            store.commit(index);
        } else {
            store.apply(index, local.effects());
        }
    }

    /** I5. */
    private void ascend(long id, long index) {
        require(id > lastId, index, "ids do not ascend");
        lastId = id;
    }

    private void decide(long index, TransactionRecord.Decision decision) {
        requireOpen(decision.name(), index);
        if (!decision.commit()) {
            open = null;
            return;
        }
        if (holding) {
            store.commit(index);
            holding = false;
        } else {
            store.apply(index, open.effects());
        }
        committed(index);
    }

    private void forget(long upTo) {
        mark = upTo;
        while (!byIndex.isEmpty() && byIndex.firstKey() <= upTo) {
            Committed stable = byIndex.pollFirstEntry().getValue();
            byName.remove(stable.name);
            markId = stable.run.id();
        }
    }

    private void requireOpen(TransactionName name, long index) {
        require(open != null && open.name().equals(name), index, name + " has no open part");
    }

    private void require(boolean holds, long index, String broken) {
        if (!holds) {
            throw new IllegalStateException("partition " + partition + ", record " + index + ": " + broken);
        }
    }

    // ---- Images

    @Override
    public byte[] image() {
        return encode(store.image());
    }

    /** The state without the rows. */
    public byte[] encode() {
        return encode(Result.NONE.rows());
    }

    private byte[] encode(byte[] rows) {
        for (int capacity = rows.length + 1024; ; capacity *= 2) {
            ByteBuffer out = ByteBuffer.allocate(capacity);
            try {
                write(out, rows);
                return Arrays.copyOf(out.array(), out.position());
            } catch (BufferOverflowException tooLong) {
                // The next buffer is larger.
            }
        }
    }

    private void write(ByteBuffer out, byte[] rows) {
        out.putLong(lastId).putLong(mark).putLong(markId).putLong(openIndex);
        Wire.putBytes(out, open == null ? Result.NONE.rows() : open.encode());
        Wire.putBytes(out, undone == null ? Result.NONE.rows() : new TransactionRecord.Undone(undone).encode());
        out.putInt(byIndex.size());
        for (Committed each : byIndex.values()) {
            each.name.write(out);
            each.run.write(out);
            Wire.putInts(out, each.participants);
            out.putLong(each.partIndex).putLong(each.index);
        }
        Wire.putBytes(out, rows);
    }

    @Override
    public void load(byte[] image) {
        store.load(decode(image));
    }

    /** Takes the state of {@link #encode}. Returns the rows. */
    public byte[] decode(byte[] image) {
        store.undo();
        holding = false;
        ByteBuffer in = ByteBuffer.wrap(image);
        lastId = in.getLong();
        mark = in.getLong();
        markId = in.getLong();
        openIndex = in.getLong();
        byte[] part = Wire.bytes(in);
        open = part.length == 0 ? null : (TransactionRecord.Part) TransactionRecord.decode(part);
        byte[] withdrawn = Wire.bytes(in);
        undone = withdrawn.length == 0 ? null : ((TransactionRecord.Undone) TransactionRecord.decode(withdrawn)).name();
        byIndex.clear();
        byName.clear();
        for (int left = in.getInt(); left > 0; left--) {
            Committed each =
                    new Committed(TransactionName.read(in), Run.read(in), Wire.ints(in), in.getLong(), in.getLong());
            byIndex.put(each.index, each);
            byName.put(each.name, each);
        }
        return Wire.bytes(in);
    }
}

package io.reprise.redo;

import io.reprise.record.data.RowSum;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;

/** Both halves of redo on one thread: for one data record at a time, or for many. Owned by the partition's thread. */
public final class SingleRedo implements AutoCloseable, RedoBatches {
    private final DataRedo redo;
    private final DataDecoder decoder;
    private final RedoBatch batch = new RedoBatch();

    /** Redo into this store. */
    public SingleRedo(PartitionStore store) {
        this(store, false);
    }

    /**
     * Redo into this store.
     *
     * @param partial whether the store may lack rows, so that changes and deletions of these are left out
     */
    public SingleRedo(PartitionStore store, boolean partial) {
        this(store, partial, new RowSum(false));
    }

    /** Redo into a store that has all rows. They are added to the sum. */
    public SingleRedo(PartitionStore store, RowSum rows) {
        this(store, false, rows);
    }

    private SingleRedo(PartitionStore store, boolean partial, RowSum rows) {
        redo = new DataRedo(store, Long.MAX_VALUE, partial, rows);
        decoder = redo.newDecoder();
    }

    /** From now on only operations of one bucket are applied; -1: those of all buckets of the partition. */
    public void confineTo(int bucket) {
        decoder.confineTo(bucket);
    }

    /** Applies a record's payload at this address. */
    public void apply(long transactionId, Memory records, long payload, int bytes) {
        append(transactionId, records, payload, bytes);
        flush();
    }

    /** Decodes a record behind others, which are applied when the batch is full, or by {@link #flush}. */
    public void append(long transactionId, Memory records, long payload, int bytes) {
        decoder.decode(transactionId, records, payload, bytes, batch, this);
    }

    /** Applies what {@link #append} has left. */
    public void flush() {
        decoder.giveBack(batch, this);
        batch.settle();
        exchange(batch);
    }

    @Override
    public RedoBatch exchange(RedoBatch full) {
        redo.apply(full);
        full.clear();
        return full;
    }

    @Override
    public void close() {
        batch.close();
    }
}

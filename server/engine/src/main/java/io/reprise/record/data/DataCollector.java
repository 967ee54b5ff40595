package io.reprise.record.data;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.ScratchSpace;
import io.reprise.storage.TransactionWrites;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;

/**
 * Makes the payload of a data record from the writes of a partition's running transaction: in {@link OnePass one pass} if possible, else
 * after {@linkplain SortedPass sorting} them, with the same bytes. The payload is in the store's scratch space until it is {@linkplain
 * #writeTo written}.
 *
 * <p>Nothing is allocated for transactions of usual size. Owned by the partition's thread.
 */
public final class DataCollector {
    private final PartitionStore store;
    private final ScratchSpace scratch;
    private final SortedPass sortedPass;
    private final RowSum rows;

    /** Null if all columns of changed rows are written. */
    private final OnePass onePass;

    /** Whether {@link #onePass} has the last payload; otherwise it is at {@link #address}. */
    private boolean inOnePass;

    private long address;
    private long length;

    /**
     * A collector for a store.
     *
     * @param differential whether only the changed columns of a changed row are written, instead of all
     */
    public DataCollector(PartitionStore store, boolean differential) {
        this(store, differential, false);
    }

    /**
     * A collector for a store.
     *
     * @param differential whether only the changed columns of a changed row are written, instead of all
     * @param hashing whether the rows are hashed besides, for replicas that compare theirs
     */
    public DataCollector(PartitionStore store, boolean differential, boolean hashing) {
        this.store = store;
        rows = new RowSum(hashing);
        scratch = store.scratch();
        PerTable<RowImageCodec> codecs = PerTable.codecs(store);
        sortedPass = new SortedPass(store, codecs, rows, differential);
        onePass = differential ? new OnePass(store, codecs, rows) : null;
    }

    /**
     * Collects the writes of the running transaction before it commits. Throws MEMORY_LIMIT.
     *
     * @param withReplicated whether replicated tables are collected; of a transaction over several partitions, at one of them
     * @return the room that {@link #writeTo} needs; 0 if there is no net effect
     */
    public long collect(boolean withReplicated) {
        TransactionWrites writes = store.writes();
        rows.clear();
        inOnePass = onePass != null && onePass.collect(writes, withReplicated);
        if (inOnePass) {
            return onePass.mostBytes();
        }
        writes.rewind();
        rows.clear();
        address = scratch.end();
        long end = sortedPass.write(writes, withReplicated);
        scratch.takeTo(end);
        length = end - address;
        return length;
    }

    /** The {@link RowSum} of what was collected last; 0 if it is not to be hashed. */
    public long hash() {
        return rows.sum();
    }

    /** Writes the collected payload, once, and returns the address behind it. */
    public long writeTo(Memory target, long to) {
        if (inOnePass) {
            return onePass.writeTo(target, to);
        }
        target.copyFrom(store.memory(), address, to, length);
        return to + length;
    }
}

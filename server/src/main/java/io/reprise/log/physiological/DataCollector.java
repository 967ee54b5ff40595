package io.reprise.log.physiological;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.ScratchSpace;
import io.reprise.storage.TransactionWrites;
import io.reprise.storage.image.RowImageCodecs;

/**
 * Turns the writes of a partition's running transaction into the payload of a data record, in the scratch space of its
 * store, where it lies until the next transaction begins. In {@link OnePass one pass}, if the transaction allows it; else its writes
 * are {@linkplain SortedPass sorted} first, with the same result.
 *
 * <p>Nothing is allocated for transactions of usual size. Owned by the partition's thread.
 */
public final class DataCollector {
    private final PartitionStore store;
    private final ScratchSpace scratch;
    private final SortedPass sortedPass;

    /** Null where all columns of changed rows are written. */
    private final OnePass onePass;

    private long address;
    private long length;

    /**
     * Collects from this store.
     *
     * @param differential whether only changed columns of a changed row are written; all of them otherwise
     */
    public DataCollector(PartitionStore store, boolean differential) {
        this.store = store;
        scratch = store.scratch();
        RowImageCodecs codecs = new RowImageCodecs(store);
        sortedPass = new SortedPass(store, codecs, differential);
        onePass = differential ? new OnePass(store, codecs) : null;
    }

    /**
     * Collects what the running transaction has written so far; before it commits. Throws MEMORY_LIMIT.
     *
     * @param withReplicated whether replicated tables are in it too; of a transaction over several partitions, one is
     *     enough
     * @return the length of the payload; 0: there is no net effect
     */
    public long collect(boolean withReplicated) {
        TransactionWrites writes = store.writes();
        address = scratch.end();
        long end = onePass == null ? OnePass.SORT_FIRST : onePass.write(writes, withReplicated);
        if (end == OnePass.SORT_FIRST) {
            writes.rewind();
            end = sortedPass.write(writes, withReplicated);
        }
        scratch.takeTo(end);
        length = end - address;
        return length;
    }

    /** The store's memory, where the payload lies. */
    public Memory memory() {
        return store.memory();
    }

    /** Where the payload lies in the store's memory. */
    public long address() {
        return address;
    }

    /** How many bytes the payload has. */
    public long length() {
        return length;
    }
}

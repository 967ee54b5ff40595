package io.reprise.record.data;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.ScratchSpace;
import io.reprise.storage.TransactionWrites;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;

/**
 * Turns the writes of a partition's running transaction into the payload of a data record. In {@link OnePass one pass}, if the
 * transaction allows it; else its writes are {@linkplain SortedPass sorted} first, with the same result. Until it is {@linkplain
 * #writeTo written} where it belongs, it is in the scratch space of the store.
 *
 * <p>Nothing is allocated for transactions of usual size. Owned by the partition's thread.
 */
public final class DataCollector {
    private final PartitionStore store;
    private final ScratchSpace scratch;
    private final SortedPass sortedPass;

    /** Null where all columns of changed rows are written. */
    private final OnePass onePass;

    /** Whether what was collected last is with {@link #onePass}; otherwise it lies here. */
    private boolean inOnePass;

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
        PerTable<RowImageCodec> codecs = PerTable.codecs(store);
        sortedPass = new SortedPass(store, codecs, differential);
        onePass = differential ? new OnePass(store, codecs) : null;
    }

    /**
     * Collects what the running transaction has written so far; before it commits. Throws MEMORY_LIMIT.
     *
     * @param withReplicated whether replicated tables are in it too; of a transaction over several partitions, one is
     *     enough
     * @return how many bytes {@link #writeTo} needs; 0: there is no net effect
     */
    public long collect(boolean withReplicated) {
        TransactionWrites writes = store.writes();
        inOnePass = onePass != null && onePass.collect(writes, withReplicated);
        if (inOnePass) {
            return onePass.mostBytes();
        }
        writes.rewind();
        address = scratch.end();
        long end = sortedPass.write(writes, withReplicated);
        scratch.takeTo(end);
        length = end - address;
        return length;
    }

    /** Writes the payload, once after each time that it was collected, and returns the address behind it. */
    public long writeTo(Memory target, long to) {
        if (inOnePass) {
            return onePass.writeTo(target, to);
        }
        target.copyFrom(store.memory(), address, to, length);
        return to + length;
    }
}

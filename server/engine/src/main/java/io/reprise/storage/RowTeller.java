package io.reprise.storage;

import io.reprise.footprint.FootprintBuffer;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;

/**
 * Tells the partition's footprint which rows one access of a statement has looked at. A field of the generated class; a partition that
 * collects no footprints ignores it.
 */
public final class RowTeller {
    private final FootprintBuffer footprint;
    private final Memory memory;
    private final long access;

    /**
     * A teller.
     *
     * @param read the pieces of a row that the access reads
     */
    public RowTeller(PartitionStore store, int table, long read) {
        footprint = store.footprint();
        memory = store.memory();
        access = footprint == null ? 0 : footprint.access(table, 0, read, 0);
    }

    /** For generated code: a row has been looked at, whether or not it was then wanted. */
    public void tell(long row) {
        if (footprint != null) {
            footprint.touch(access, memory.getLong(row) & RowLayout.ROW_ID_MASK);
        }
    }
}

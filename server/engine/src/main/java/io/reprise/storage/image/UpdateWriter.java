package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;

/**
 * Writes what an update of certain bytes of a row has changed: the row's primary key, if the table has one, then the changed columns.
 * For all tables whose rows look alike, a generated class (see {@link UpdateWriterFactory}) for each range of bytes, without
 * state, shared as {@link RowWriter}s are. Up to {@link ColumnImages#SLACK} bytes are written behind what is returned.
 */
public abstract class UpdateWriter {
    /** In the place of an address: no column has another value. */
    public static final long UNCHANGED = 0;

    /** In the place of an address: a column of a unique index has another value. */
    public static final long OTHER_KEY = -1;

    UpdateWriter() {}

    /**
     * Writes to an address of the memory that the row is in.
     *
     * @param image the address at which the imaged row would begin
     * @return the address behind, {@link #UNCHANGED} or {@link #OTHER_KEY}
     */
    public abstract long update(Memory memory, long row, long image, long address);
}

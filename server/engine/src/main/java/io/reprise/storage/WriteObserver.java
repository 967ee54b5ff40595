package io.reprise.storage;

/**
 * Is told of each write before it happens, so that a snapshot can save what a row was (copy on write). A rollback is not
 * told: it restores what an earlier call was told of.
 *
 * <p>An observer may set and clear the {@linkplain io.reprise.storage.row.RowLayout#SNAPSHOT_BITS snapshot bits} of rows.
 * They stay with the row while it lives, whatever is updated or rolled back; a row that is inserted has none.
 */
public interface WriteObserver {
    /** The row has been inserted. */
    void inserted(TableStore table, long row);

    /** The row is about to be changed or deleted. */
    void beforeChange(TableStore table, long row);

    /**
     * All rows of a table, truncated or dropped, are about to be freed with everything that belongs to them. No other
     * code can reach them any more.
     *
     * @param firstPlace the address of the first of them
     * @param free frees them; needs no transaction, and must not be called within one
     * @return whether the observer still needs them and will call {@code free} itself
     */
    boolean keeps(TableStore table, long firstPlace, Runnable free);
}

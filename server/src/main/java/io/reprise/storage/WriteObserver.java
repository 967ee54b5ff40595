package io.reprise.storage;

/**
 * Is told of each write before it happens, so that a snapshot can save what a row was (copy on write). A rollback is not
 * told: it restores what an earlier call was told of.
 */
public interface WriteObserver {
    /** The row has been inserted. */
    void inserted(TableStore table, long row);

    /** The row is about to be changed or deleted. */
    void beforeChange(TableStore table, long row);

    /** All rows of the table are about to be deleted. */
    void beforeTruncate(TableStore table);
}

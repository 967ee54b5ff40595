package io.reprise.storage;

/**
 * Is told what a transaction reads, by statements that were compiled to say so; all others say nothing, and nobody pays for
 * it. Together with its writes this is all that a transaction's outcome depends on.
 *
 * <p>An observer reads only: it is called in the middle of statements.
 */
public interface ReadObserver {
    /** The row was looked at, whether or not it was then wanted. May come several times for a row. */
    void row(TableStore table, long row);

    /**
     * The transaction found that there are no other rows than those told: it searched a range or the whole table, or
     * a key has no row. Inserts, deletes and changes of the table's rows may make that untrue.
     */
    void absence(TableStore table);
}

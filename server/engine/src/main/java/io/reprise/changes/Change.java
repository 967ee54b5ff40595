package io.reprise.changes;

import io.reprise.catalog.Table;
import java.util.List;

/**
 * The net change that a transaction made to one row, or to all rows of a table.
 *
 * @param table the table as it was defined then
 * @param before the row before the transaction, by column; empty for an inserted row and for a truncation
 * @param after the row after the transaction, by column; empty for a deleted row and for a truncation
 */
public record Change(Operation operation, Table table, List<Object> before, List<Object> after) {
    /** The kinds of changes. */
    public enum Operation {
        /** A row was inserted. */
        INSERT,
        /** Columns of a row were changed. */
        UPDATE,
        /** A row was deleted. */
        DELETE,
        /** All rows that the table had were deleted at once. */
        TRUNCATE
    }
}

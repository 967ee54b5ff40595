package io.reprise.execution.work;

import io.reprise.procedure.ErrorCode;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowsHash;

/**
 * The answer to a statement, as a later run of the statement is compared with it.
 *
 * @param error the failure; null: none
 * @param count the count of a write, or the number of rows
 * @param hash the hash of the rows; 0 for a write
 */
public record TapeAnswer(ErrorCode error, long count, long hash) {
    /** The answer of a write. */
    public static TapeAnswer counted(long count) {
        return new TapeAnswer(null, count, 0);
    }

    /** The answer of a query. */
    public static TapeAnswer of(RowBuffer rows, long key) {
        return new TapeAnswer(null, rows.count(), RowsHash.of(rows, key));
    }

    /** A failure. */
    public static TapeAnswer failed(ErrorCode error) {
        return new TapeAnswer(error, 0, 0);
    }
}

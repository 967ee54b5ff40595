package io.reprise.session;

import io.reprise.sql.compile.runtime.RowBuffer;
import java.util.List;

/**
 * The answer to one statement.
 *
 * @param tag the command tag, without the count of a query
 * @param columns the columns of a result; empty if it has no rows
 * @param rows the engine's rows; null if there are none
 * @param values rows of the session itself; used where {@code rows} is null
 * @param returnsRows whether it is a query
 */
public record Answer(
        String tag, List<ResultColumn> columns, RowBuffer rows, List<Object[]> values, boolean returnsRows) {
    /** An answer without rows. */
    public static Answer done(String tag) {
        return new Answer(tag, List.of(), null, List.of(), false);
    }

    /** Rows of the engine. */
    public static Answer of(String tag, List<ResultColumn> columns, RowBuffer rows) {
        return new Answer(tag, columns, rows, List.of(), true);
    }

    /** Rows of the session. */
    public static Answer of(String tag, List<ResultColumn> columns, List<Object[]> values) {
        return new Answer(tag, columns, null, values, true);
    }
}

package io.reprise.session;

import java.util.List;

/**
 * A COPY statement with the statement of the engine behind it.
 *
 * @param copy the statement
 * @param prepared an INSERT of one row for COPY FROM, a query for COPY TO
 * @param columns the columns of the data
 */
public record CopyPlan(CopyStatement copy, Prepared prepared, List<ResultColumn> columns) {
    List<String> names() {
        return columns.stream().map(ResultColumn::name).toList();
    }
}

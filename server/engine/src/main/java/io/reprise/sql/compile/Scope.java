package io.reprise.sql.compile;

import java.util.HashMap;
import java.util.Map;

/**
 * What an expression may refer to.
 *
 * @param input the row that {@code RexInputRef} means
 * @param correlations the outer rows of the joins around it, by the joins' names
 */
record Scope(Row input, Map<String, Row> correlations) {
    Scope withInput(Row row) {
        return new Scope(row, correlations);
    }

    Scope withCorrelation(String name, Row row) {
        Map<String, Row> more = new HashMap<>(correlations);
        more.put(name, row);
        return new Scope(input, more);
    }
}

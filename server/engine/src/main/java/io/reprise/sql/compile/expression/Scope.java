package io.reprise.sql.compile.expression;

import io.reprise.sql.compile.emit.Row;
import java.util.HashMap;
import java.util.Map;

/**
 * What an expression may refer to.
 *
 * @param input the row that {@code RexInputRef} means
 * @param correlations the outer rows of the joins around it, by the joins' names
 */
public record Scope(Row input, Map<String, Row> correlations) {
    public Scope withInput(Row row) {
        return new Scope(row, correlations);
    }

    public Scope withCorrelation(String name, Row row) {
        Map<String, Row> more = new HashMap<>(correlations);
        more.put(name, row);
        return new Scope(input, more);
    }
}

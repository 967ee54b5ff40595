package io.reprise.catalog;

import java.util.Optional;

/**
 * A column of a table.
 *
 * @param name as declared, upper case unless quoted
 * @param position from 0
 * @param type the type
 * @param nullable false for NOT NULL and for primary key columns
 * @param defaultValue the SQL literal (or CURRENT_TIMESTAMP), or an expression in parentheses, that stands in where INSERT
 *     names no value
 */
public record Column(String name, int position, SqlType type, boolean nullable, Optional<String> defaultValue) {
    /** Whether the default is an expression, which each INSERT computes. */
    public boolean hasDefaultExpression() {
        return defaultValue.isPresent() && defaultValue.get().startsWith("(");
    }
}

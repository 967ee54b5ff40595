package io.reprise.catalog;

import java.util.List;

/**
 * A foreign key: a declaration that columns name a row of another table, or of the same one. {@link ForeignKeys} tells which of a
 * catalog's keys are enforced.
 *
 * @param name unique in the table
 * @param columns positions of the columns in the table
 * @param parent the table that has the rows
 * @param parentColumns names of the parent's columns, a unique key of it
 * @param onDelete the declared reaction to the deletion of a parent's row
 * @param onUpdate the declared reaction to a change of a parent's key
 * @param enforced false if it was declared NOT ENFORCED
 */
public record ForeignKey(
        String name,
        List<Integer> columns,
        String parent,
        List<String> parentColumns,
        Action onDelete,
        Action onUpdate,
        boolean enforced) {
    /** Keeps copies. */
    public ForeignKey {
        columns = List.copyOf(columns);
        parentColumns = List.copyOf(parentColumns);
    }

    /** A reaction to a change of the parent. */
    public enum Action {
        NO_ACTION,
        RESTRICT,
        CASCADE,
        SET_NULL,
        SET_DEFAULT;

        /** As in DDL: {@code SET NULL}. */
        @Override
        public String toString() {
            return name().replace('_', ' ');
        }
    }
}

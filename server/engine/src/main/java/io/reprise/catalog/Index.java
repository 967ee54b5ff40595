package io.reprise.catalog;

import java.util.List;

/**
 * An index of a table.
 *
 * @param name unique in the catalog
 * @param position in {@link Table#indexes}, from 0
 * @param columns positions of the key columns in the table, in key order
 * @param unique whether two rows may not have equal keys; a key that contains NULL is never equal to another
 * @param kind hash for point access only, ordered for ranges and order too
 * @param primaryKey whether the PRIMARY KEY clause made it
 */
public record Index(String name, int position, List<Integer> columns, boolean unique, Kind kind, boolean primaryKey) {
    /** Keeps a copy. */
    public Index {
        columns = List.copyOf(columns);
    }

    /** The search method of an index. */
    public enum Kind {
        HASH,
        ORDERED
    }
}

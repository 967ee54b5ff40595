package io.reprise.catalog;

import java.util.List;
import java.util.Optional;

/**
 * The way to the rows of a child table that name a parent's row.
 *
 * @param index the index that is searched; empty for a scan of the table
 * @param columns the number of the index's first columns that are columns of the foreign key
 */
public record ChildSearch(Optional<Index> index, int columns) {
    /** The index that has the most columns of a foreign key, or a scan. */
    public static ChildSearch of(Table child, List<Integer> keyColumns) {
        ChildSearch best = new ChildSearch(Optional.empty(), 0);
        for (Index index : child.indexes()) {
            int bound = 0;
            while (bound < index.columns().size()
                    && keyColumns.contains(index.columns().get(bound))) {
                bound++;
            }
            boolean usable = index.kind() == Index.Kind.ORDERED
                    || bound == index.columns().size();
            if (usable && bound > best.columns) {
                best = new ChildSearch(Optional.of(index), bound);
            }
        }
        return best;
    }

    /** Whether rows of other buckets are looked at. */
    public boolean crossesBuckets(Table child) {
        return !child.replicated()
                && index.map(i -> !i.columns()
                                .subList(0, columns)
                                .contains(child.partitionColumn().getAsInt()))
                        .orElse(true);
    }
}

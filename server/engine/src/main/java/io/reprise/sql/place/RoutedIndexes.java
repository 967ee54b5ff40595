package io.reprise.sql.place;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.IndexLookup;
import io.reprise.sql.physical.PlanNode.Insert;
import io.reprise.sql.physical.PlanShapes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The hash indexes that a statement enters with the partitioning value and nothing else. A procedure that is routed
 * by that value is known to read them before it has run a line.
 */
public final class RoutedIndexes {
    private RoutedIndexes() {}

    /** An index of a table. */
    public record RoutedIndex(Table table, Index index) {}

    /** Those of a plan, in the order in which it mentions them. */
    public static List<RoutedIndex> of(PlanNode plan) {
        Set<RoutedIndex> found = new LinkedHashSet<>();
        PlanShapes.visit(plan, node -> {
            switch (node) {
                case IndexLookup lookup -> addIfRouted(lookup.table(), lookup.index(), found);
                case Insert insert -> insert.table().indexes().forEach(i -> addIfRouted(insert.table(), i, found));
                default -> {}
            }
        });
        return List.copyOf(found);
    }

    private static void addIfRouted(Table table, Index index, Set<RoutedIndex> found) {
        if (index.kind() == Index.Kind.HASH
                && table.partitionColumn().isPresent()
                && index.columns().equals(List.of(table.partitionColumn().getAsInt()))) {
            found.add(new RoutedIndex(table, index));
        }
    }
}

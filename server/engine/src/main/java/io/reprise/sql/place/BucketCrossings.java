package io.reprise.sql.place;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanShapes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The accesses of a plan that read a partitioned table across its buckets: scans, and searches of an index that do not bind the
 * partitioning column. They find rows of any bucket of the partition, also in a statement of scope KEY. A bucket that is
 * loaded on demand, moved or recorded in a footprint has to know of them.
 */
public final class BucketCrossings {
    private BucketCrossings() {}

    /** An access: the index that it searches, none for a scan. */
    public record Crossing(Table table, Optional<Index> index) {}

    /** The accesses across buckets, in the order of the plan. */
    public static List<Crossing> of(PlanNode plan) {
        List<Crossing> crossings = new ArrayList<>();
        PlanShapes.visit(plan, node -> {
            if (crosses(node)) {
                crossings.add(
                        switch (node) {
                            case PlanNode.IndexLookup lookup ->
                                new Crossing(lookup.table(), Optional.of(lookup.index()));
                            case PlanNode.IndexRange range -> new Crossing(range.table(), Optional.of(range.index()));
                            default -> new Crossing(((PlanNode.Scan) node).table(), Optional.empty());
                        });
            }
        });
        return List.copyOf(crossings);
    }

    /** Whether an operator itself reads across buckets. */
    public static boolean crosses(PlanNode node) {
        return switch (node) {
            case PlanNode.Scan scan -> !scan.table().replicated();
            case PlanNode.IndexLookup lookup ->
                crosses(lookup.table(), lookup.index().columns());
            case PlanNode.IndexRange range ->
                crosses(
                        range.table(),
                        range.index().columns().subList(0, range.equal().size()));
            default -> false;
        };
    }

    private static boolean crosses(Table table, List<Integer> bound) {
        return !table.replicated() && !bound.contains(table.partitionColumn().orElseThrow());
    }
}

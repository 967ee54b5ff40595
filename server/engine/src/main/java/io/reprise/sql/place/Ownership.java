package io.reprise.sql.place;

import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanShapes;
import io.reprise.sql.place.PlacementAnalyzer.Occurrence;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalInt;

/**
 * Divides rows of replicated tables among the partitions if partitioned rows are looked up for them: by an outer
 * join, EXISTS, IN, their negations or a scalar sub-query. All partitions have such a row, and each would find
 * something else for it. If the lookup is bound to one of its values, all found rows are in one partition, the one of
 * this value's bucket, which then is the only one to take the row.
 */
public final class Ownership {
    private final PlacementAnalyzer placement;
    private final IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders;

    /** Keeps the rows' known orders, which are remembered by operator. */
    public Ownership(PlacementAnalyzer placement, IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders) {
        this.placement = placement;
        this.orders = orders;
    }

    /** The plan with rows divided wherever they have to be and can be; the same object if nowhere. */
    public PlanNode divided(PlanNode node) {
        List<PlanNode> before = PlanShapes.inputs(node);
        List<PlanNode> inputs = new ArrayList<>();
        before.forEach(input -> inputs.add(divided(input)));
        if (node instanceof PlanNode.NestedLoopJoin join && join.kind() != PlanNode.JoinKind.INNER) {
            owner(join).ifPresent(field -> inputs.set(0, owned(join, inputs.getFirst(), field)));
        }
        boolean same = true;
        for (int i = 0; i < inputs.size(); i++) {
            same &= inputs.get(i) == before.get(i);
        }
        return same ? node : ordered(node, PlanShapes.withInputs(node, inputs));
    }

    /** The outer row's field by whose value the inner rows are found; empty if there is none, or no need of one. */
    private OptionalInt owner(PlanNode.NestedLoopJoin join) {
        List<Occurrence> inner = placement.partitioned(join.inner());
        if (inner.isEmpty() || !placement.partitioned(join.outer()).isEmpty()) {
            return OptionalInt.empty();
        }
        for (int field = 0; field < join.outer().fields().size(); field++) {
            String value = placement.term(join.outer(), field);
            if (inner.stream()
                    .allMatch(occurrence -> occurrence.partitioningClass().contains(value))) {
                return OptionalInt.of(field);
            }
        }
        return OptionalInt.empty();
    }

    private PlanNode owned(PlanNode.NestedLoopJoin join, PlanNode outer, int field) {
        Occurrence first = placement.partitioned(join.inner()).getFirst();
        return ordered(outer, new PlanNode.Owned(outer, field, first.table()));
    }

    private PlanNode ordered(PlanNode before, PlanNode after) {
        List<PlanNode.SortKey> order = orders.get(before);
        if (order != null) {
            orders.put(after, order);
        }
        return after;
    }
}

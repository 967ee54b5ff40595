package io.reprise.sql.physical;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rex.RexInputRef;

/** Finds out whether a statement's result could depend on the order in which rows happen to be stored. */
public final class RowOrder {
    private final IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders;

    public RowOrder(IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders) {
        this.orders = orders;
    }

    /** Whether every LIMIT and OFFSET chooses by a total order. */
    public boolean isDetermined(PlanNode node) {
        return undetermined(node).isEmpty();
    }

    /** A LIMIT or OFFSET that chooses by no total order. */
    public Optional<PlanNode> undetermined(PlanNode node) {
        if (node instanceof PlanNode.Aggregate aggregate
                && aggregate.groupBy().isEmpty()
                && aggregate.input() instanceof PlanNode.Limit limit
                && readsOnlyTheOrder(aggregate, limit)) {
            return undetermined(limit.input());
        }
        boolean here = switch (node) {
            case PlanNode.Limit limit -> isTotal(limit.input(), orders.getOrDefault(limit.input(), List.of()));
            case PlanNode.Sort sort
            when sort.fetch().isPresent() || sort.offset().isPresent() -> isTotal(sort.input(), sort.keys());
            default -> true;
        };
        return here
                ? PlanShapes.inputs(node).stream()
                        .map(this::undetermined)
                        .flatMap(Optional::stream)
                        .findFirst()
                : Optional.of(node);
    }

    /** MIN and MAX of the first row in their own order, and how many rows there are at most. */
    private boolean readsOnlyTheOrder(PlanNode.Aggregate aggregate, PlanNode.Limit limit) {
        List<PlanNode.SortKey> order = orders.getOrDefault(limit.input(), List.of());
        return aggregate.calls().stream()
                .allMatch(call -> call.argument().isEmpty()
                        ? call.function() == PlanNode.AggregateCall.Function.COUNT
                                && call.filter().isEmpty()
                        : call.filter().isEmpty()
                                && !order.isEmpty()
                                && order.getFirst().field() == call.argument().getAsInt());
    }

    private static boolean isTotal(PlanNode input, List<PlanNode.SortKey> keys) {
        Set<Integer> fields = new HashSet<>();
        keys.forEach(key -> fields.add(key.field()));
        return identifies(input, fields);
    }

    /** Whether no two rows agree in all these fields. */
    public static boolean identifies(PlanNode node, Set<Integer> fields) {
        if (PlanShapes.atMostOneRow(node)) {
            return true;
        }
        return switch (node) {
            case PlanNode.Scan scan -> hasKey(scan.table(), fields);
            case PlanNode.IndexLookup lookup -> {
                Set<Integer> known = new HashSet<>(fields);
                known.addAll(lookup.index().columns());
                yield hasKey(lookup.table(), known);
            }
            case PlanNode.IndexRange range -> {
                Set<Integer> known = new HashSet<>(fields);
                known.addAll(range.index().columns().subList(0, range.equal().size()));
                yield hasKey(range.table(), known);
            }
            case PlanNode.Values values -> values.rows().size() <= 1;
            case PlanNode.Series series -> fields.contains(0);
            case PlanNode.Elements elements -> fields.contains(1);
            case PlanNode.Window window -> {
                Set<Integer> below = new HashSet<>(fields);
                below.removeIf(field -> field >= window.input().fields().size());
                yield identifies(window.input(), below);
            }
            case PlanNode.Filter filter -> identifies(filter.input(), fields);
            case PlanNode.Guard guard -> identifies(guard.input(), fields);
            case PlanNode.Materialize materialize -> identifies(materialize.input(), fields);
            case PlanNode.Sort sort -> identifies(sort.input(), fields);
            case PlanNode.Limit limit -> identifies(limit.input(), fields);
            case PlanNode.Project project -> {
                Set<Integer> below = new HashSet<>();
                for (int field : fields) {
                    if (project.expressions().get(field) instanceof RexInputRef ref) {
                        below.add(ref.getIndex());
                    }
                }
                yield identifies(project.input(), below);
            }
            case PlanNode.Aggregate aggregate -> {
                boolean all = true;
                for (int i = 0; i < aggregate.groupBy().size(); i++) {
                    all &= fields.contains(i);
                }
                yield all;
            }
            case PlanNode.NestedLoopJoin join -> {
                int width = join.outer().fields().size();
                Set<Integer> outer = new HashSet<>();
                Set<Integer> inner = new HashSet<>();
                fields.forEach(field -> (field < width ? outer : inner).add(field < width ? field : field - width));
                boolean outerOnly = join.kind() == PlanNode.JoinKind.SEMI || join.kind() == PlanNode.JoinKind.ANTI;
                yield identifies(join.outer(), outer) && (outerOnly || identifies(join.inner(), inner));
            }
            default -> false;
        };
    }

    private static boolean hasKey(Table table, Set<Integer> columns) {
        for (Index index : table.indexes()) {
            if (index.unique()
                    && columns.containsAll(index.columns())
                    && index.columns().stream()
                            .noneMatch(c -> table.columns().get(c).nullable())) {
                return true;
            }
        }
        return false;
    }
}

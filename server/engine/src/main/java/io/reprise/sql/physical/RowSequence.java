package io.reprise.sql.physical;

import io.reprise.catalog.Index;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rex.RexLiteral;

/**
 * Makes the rows of a query come in one and the same sequence wherever and whenever it is run over the same rows: not
 * in the order of storage, which loading a snapshot or another number of partitions changes. If the plan has no such
 * sequence by itself, the rows are sorted, by the fields that identify them or else by all: rows that agree in all of
 * them cannot be told apart.
 */
public final class RowSequence {
    private final IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders;
    private final boolean gathered;

    /**
     * For a plan of a query.
     *
     * @param orders the orders in which rows of operators come that ORDER BY relied on
     * @param gathered whether it runs in all partitions, each of which then adds its rows
     */
    public RowSequence(IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders, boolean gathered) {
        this.orders = orders;
        this.gathered = gathered;
    }

    /** The plan whose rows come in one sequence; every LIMIT in it has to choose by a total order. */
    public PlanNode determined(PlanNode node) {
        if (PlanShapes.atMostOneRow(node)) {
            return node;
        }
        return switch (node) {
            case PlanNode.Limit limit -> limit;
            case PlanNode.Sort sort
            when sort.fetch().isPresent() || sort.offset().isPresent() -> sort;
            case PlanNode.Sort sort ->
                new PlanNode.Sort(sort.input(), total(sort.input(), sort.keys()), Optional.empty(), Optional.empty());
            case PlanNode.Project project
            when isSorted(project.input()) && !orders.containsKey(project) ->
                new PlanNode.Project(determined(project.input()), project.expressions(), project.fields());
            default -> {
                List<PlanNode.SortKey> order = orders.getOrDefault(node, List.of());
                if (gathered ? isTotal(node, order) : comesInSequence(node)) {
                    yield node;
                }
                List<PlanNode.SortKey> keys = total(node, order);
                yield keys.isEmpty() ? node : new PlanNode.Sort(node, keys, Optional.empty(), Optional.empty());
            }
        };
    }

    /** The rows of any operator, sorted so that it doesn't matter in which order they come. */
    public static PlanNode sorted(PlanNode node) {
        List<PlanNode.SortKey> keys = total(node, List.of());
        return new PlanNode.Sort(
                node,
                keys.isEmpty() ? List.of(new PlanNode.SortKey(0, false, true)) : keys,
                Optional.empty(),
                Optional.empty());
    }

    /** A write whose returned rows come in one sequence: its input's sequence if there is one, otherwise sorted. */
    public static PlanNode returned(PlanNode write) {
        boolean inSequence = write instanceof PlanNode.Insert insert
                ? comesInSequence(insert.input())
                : PlanShapes.atMostOneRow(PlanShapes.inputs(write).getFirst());
        return inSequence ? write : sorted(write);
    }

    /** Whether the rows come in an order that ORDER BY asks for. */
    private boolean isSorted(PlanNode node) {
        return orders.containsKey(node)
                || node instanceof PlanNode.Sort
                || node instanceof PlanNode.Limit
                || node instanceof PlanNode.Project project && isSorted(project.input());
    }

    private static boolean isTotal(PlanNode node, List<PlanNode.SortKey> keys) {
        Set<Integer> fields = new HashSet<>();
        keys.forEach(key -> fields.add(key.field()));
        return RowOrder.identifies(node, fields);
    }

    private static boolean isConstant(PlanNode node, int field) {
        return node instanceof PlanNode.Project project && project.expressions().get(field) instanceof RexLiteral;
    }

    /** Adds to the keys as few fields as tell rows apart; all of them if they only do so together. */
    private static List<PlanNode.SortKey> total(PlanNode input, List<PlanNode.SortKey> keys) {
        if (isTotal(input, keys)) {
            return keys;
        }
        List<PlanNode.SortKey> total = new ArrayList<>(keys);
        for (int field = 0; field < input.fields().size(); field++) {
            int added = field;
            if (keys.stream().noneMatch(key -> key.field() == added) && !isConstant(input, added)) {
                total.add(new PlanNode.SortKey(field, false, true));
            }
        }
        for (int i = total.size() - 1; i >= keys.size(); i--) {
            List<PlanNode.SortKey> fewer = new ArrayList<>(total);
            fewer.remove(i);
            if (isTotal(input, fewer)) {
                total = fewer;
            }
        }
        return List.copyOf(total);
    }

    /** Whether the operator's rows come in a sequence that follows from the tables' rows alone. */
    public static boolean comesInSequence(PlanNode node) {
        if (PlanShapes.atMostOneRow(node)) {
            return true;
        }
        return switch (node) {
            case PlanNode.IndexRange range -> givesOneRowPerKey(range);
            case PlanNode.Values values -> true;
            case PlanNode.Series series -> true;
            case PlanNode.Elements elements -> true;
            case PlanNode.WorkTable table -> true;
            case PlanNode.Recursion recursion ->
                comesInSequence(recursion.first()) && comesInSequence(recursion.step());
            case PlanNode.Window window -> comesInSequence(window.input());
            case PlanNode.Sort sort -> isTotal(sort.input(), sort.keys()) || comesInSequence(sort.input());
            case PlanNode.NestedLoopJoin join ->
                comesInSequence(join.outer())
                        && (join.kind() == PlanNode.JoinKind.SEMI
                                || join.kind() == PlanNode.JoinKind.ANTI
                                || comesInSequence(join.inner()));
            case PlanNode.Filter other -> comesInSequence(other.input());
            case PlanNode.Guard other -> comesInSequence(other.input());
            case PlanNode.Project other -> comesInSequence(other.input());
            case PlanNode.Materialize other -> comesInSequence(other.input());
            case PlanNode.Aggregate other -> comesInSequence(other.input());
            case PlanNode.Limit other -> comesInSequence(other.input());
            case PlanNode.UnionAll union -> union.inputs().stream().allMatch(RowSequence::comesInSequence);
            default -> false;
        };
    }

    /** Rows with equal keys of an index come in the order in which they were put there. */
    private static boolean givesOneRowPerKey(PlanNode.IndexRange range) {
        Index index = range.index();
        Set<Integer> known = new HashSet<>(index.columns());
        return range.table().indexes().stream()
                .anyMatch(unique -> unique.unique()
                        && known.containsAll(unique.columns())
                        && unique.columns().stream()
                                .noneMatch(c -> range.table().columns().get(c).nullable()));
    }
}

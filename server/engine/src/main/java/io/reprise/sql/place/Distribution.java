package io.reprise.sql.place;

import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.place.PlacementAnalyzer.Occurrence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Says for the operators of a statement in scope All what running them in every partition gives. Refuses what cannot be
 * computed where the data is, saying what to do instead.
 */
final class Distribution {
    private static final String HOW_TO_JOIN =
            "; join on the partitioning columns, bind them to one value," + " or replicate one of the tables";

    private final PlacementAnalyzer placement;

    Distribution(PlacementAnalyzer placement) {
        this.placement = placement;
    }

    /** The relation of the partitions' results to the whole result. */
    enum Kind {
        /** Each is the whole result. */
        REPLICATED,
        /** Together they are the whole result. */
        LOCAL
    }

    /** Classifies an operator, given what the rows around it say about partitioning. */
    Kind of(PlanNode node, Set<String> around) {
        return switch (node) {
            case PlanNode.Scan leaf -> leaf(node);
            case PlanNode.IndexLookup leaf -> leaf(node);
            case PlanNode.IndexRange leaf -> leaf(node);
            case PlanNode.Values values -> Kind.REPLICATED;
            case PlanNode.Series series -> Kind.REPLICATED;
            case PlanNode.Elements elements -> Kind.REPLICATED;
            case PlanNode.Window window -> window(window, around);
            case PlanNode.Filter filter -> of(filter.input(), around);
            case PlanNode.Owned owned -> Kind.LOCAL;
            case PlanNode.Guard guard -> of(guard.input(), around);
            case PlanNode.Project project -> of(project.input(), around);
            case PlanNode.Materialize materialize -> of(materialize.input(), around);
            case PlanNode.NestedLoopJoin join -> join(join, around);
            case PlanNode.Aggregate aggregate -> aggregate(aggregate, around);
            case PlanNode.Sort sort ->
                sort.fetch().isPresent() || sort.offset().isPresent()
                        ? limited(sort.input(), around)
                        : of(sort.input(), around);
            case PlanNode.Limit limit -> limited(limit.input(), around);
            case PlanNode.UnionAll union -> union(union, around);
            case PlanNode.WorkTable table -> Kind.REPLICATED;
            case PlanNode.Recursion recursion -> recursion(recursion, around);
            default -> throw new IllegalStateException("not part of a query: " + node);
        };
    }

    private Kind leaf(PlanNode node) {
        return placement.partitioned(node).isEmpty() ? Kind.REPLICATED : Kind.LOCAL;
    }

    private Kind join(PlanNode.NestedLoopJoin join, Set<String> around) {
        Kind outer = of(join.outer(), around);
        Set<String> inside = new HashSet<>(around);
        for (Occurrence occurrence : placement.partitioned(join.outer())) {
            inside.addAll(occurrence.partitioningClass());
        }
        Kind inner = of(join.inner(), inside);
        if (inner == Kind.REPLICATED) {
            return outer;
        }
        List<Occurrence> inners = placement.partitioned(join.inner());
        if (outer == Kind.LOCAL) {
            for (Occurrence one : placement.placing(join.outer())) {
                inners.forEach(other -> requireTogether(one, other));
            }
            return Kind.LOCAL;
        }
        if (join.kind() == PlanNode.JoinKind.INNER) {
            return Kind.LOCAL;
        }
        throw new SqlPlanningException(
                inners.getFirst().table().name(),
                "rows of a replicated table cannot be matched with those of the partitioned table "
                        + inners.getFirst().table().name() + " by " + name(join.kind()) + " across partitions: bind "
                        + column(inners.getFirst()) + " to a value, or replicate the table");
    }

    private static String name(PlanNode.JoinKind kind) {
        return switch (kind) {
            case LEFT -> "a LEFT JOIN or a scalar sub-query";
            case SEMI -> "EXISTS or IN";
            case ANTI -> "NOT EXISTS or NOT IN";
            case INNER -> "a join";
        };
    }

    private static String column(Occurrence occurrence) {
        return occurrence.table().name() + "."
                + occurrence
                        .table()
                        .columns()
                        .get(occurrence.table().partitionColumn().orElseThrow())
                        .name();
    }

    private static void requireTogether(Occurrence outer, Occurrence inner) {
        if (!inner.partitioningClass().contains(outer.partitioningTerm())) {
            throw new SqlPlanningException(
                    inner.table().name(),
                    "the partitioned tables "
                            + outer.table().name() + " and "
                            + inner.table().name() + " are not joined on their partitioning columns " + column(outer)
                            + " and "
                            + column(inner) + ", so that their rows lie in different partitions" + HOW_TO_JOIN);
        }
    }

    /** Whether all partitioned rows below belong to one bucket for each row around. */
    private boolean tied(PlanNode node, Set<String> around) {
        return placement.partitioned(node).stream()
                .allMatch(occurrence -> occurrence.partitioningClass().stream().anyMatch(around::contains));
    }

    private Kind aggregate(PlanNode.Aggregate aggregate, Set<String> around) {
        if (countsFirstRow(aggregate) && isUntied(aggregate.input(), around)) {
            throw new SqlPlanningException(
                    "EXISTS",
                    "EXISTS as a value looks for rows of the partitioned table " + first(aggregate)
                            + " in all partitions: bind its partitioning column to a value, or ask for COUNT(*) > 0 in a"
                            + " statement of its own");
        }
        Kind input = of(aggregate.input(), around);
        if (input == Kind.REPLICATED || tied(aggregate, around) || groupsWithin(aggregate)) {
            return input;
        }
        throw new SqlPlanningException(
                first(aggregate),
                "a sub-query aggregates or removes duplicates from rows of the partitioned table " + first(aggregate)
                        + " in all partitions: group by the partitioning column, or bind it to a value");
    }

    private Kind window(PlanNode.Window window, Set<String> around) {
        Kind input = of(window.input(), around);
        if (input == Kind.REPLICATED || tied(window, around) || dividesWithin(window)) {
            return input;
        }
        throw new SqlPlanningException(
                first(window),
                "a sub-query has a window function over rows of the partitioned table " + first(window)
                        + " in all partitions: add the partitioning column to PARTITION BY, or bind it to a value");
    }

    /** Whether the rows of each division lie within one partition. */
    boolean dividesWithin(PlanNode.Window window) {
        return within(window, window.input(), window.partitionBy());
    }

    /** Whether it is EXISTS as a value, which is planned as the count of a first row. */
    private static boolean countsFirstRow(PlanNode.Aggregate aggregate) {
        return aggregate.groupBy().isEmpty()
                && aggregate.input() instanceof PlanNode.Limit
                && aggregate.calls().stream()
                        .allMatch(call -> call.function() == PlanNode.AggregateCall.Function.COUNT
                                && call.argument().isEmpty());
    }

    private boolean isUntied(PlanNode node, Set<String> around) {
        return !placement.partitioned(node).isEmpty() && !tied(node, around);
    }

    /** Whether each group lies within one partition. */
    boolean groupsWithin(PlanNode.Aggregate aggregate) {
        return within(aggregate, aggregate.input(), aggregate.groupBy());
    }

    private boolean within(PlanNode node, PlanNode input, List<Integer> fields) {
        List<Occurrence> occurrences = placement.placing(node);
        for (int field : fields) {
            Set<String> equal = placement.classOf(input, field);
            if (occurrences.stream().allMatch(occurrence -> equal.contains(occurrence.partitioningTerm()))) {
                return true;
            }
        }
        return false;
    }

    private Kind limited(PlanNode input, Set<String> around) {
        Kind kind = of(input, around);
        if (kind == Kind.REPLICATED || tied(input, around)) {
            return kind;
        }
        throw new SqlPlanningException(
                "LIMIT",
                "a sub-query has LIMIT or OFFSET over rows of the partitioned table " + first(input)
                        + " in all partitions: bind its partitioning column to a value");
    }

    private Kind union(PlanNode.UnionAll union, Set<String> around) {
        List<Kind> kinds = new ArrayList<>();
        union.inputs().forEach(input -> kinds.add(of(input, around)));
        if (kinds.stream().distinct().count() > 1) {
            throw new SqlPlanningException(
                    first(union),
                    "a UNION of replicated rows and rows of the partitioned table " + first(union)
                            + " in all partitions would repeat the replicated ones: run two statements");
        }
        return kinds.getFirst();
    }

    /** The rows that a step finds may lie in any partition. */
    private Kind recursion(PlanNode.Recursion recursion, Set<String> around) {
        if (placement.partitioned(recursion).isEmpty()) {
            return Kind.REPLICATED;
        } else if (tied(recursion, around)) {
            return Kind.LOCAL;
        }
        throw new SqlPlanningException(
                first(recursion),
                "WITH RECURSIVE reads rows of the partitioned table " + first(recursion)
                        + " in all partitions: bind its partitioning column to a value, or replicate the table");
    }

    private String first(PlanNode node) {
        return placement.partitioned(node).getFirst().table().name();
    }
}

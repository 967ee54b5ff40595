package io.reprise.sql.place;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.physical.ConstantFolder;
import io.reprise.sql.physical.Expressions;
import io.reprise.sql.physical.FieldNames;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.AggregateCall;
import io.reprise.sql.physical.PlanNode.AggregateCall.Function;
import io.reprise.sql.physical.PlanShapes;
import io.reprise.sql.physical.RelPlanner;
import io.reprise.sql.physical.RowSequence;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;

/**
 * Splits the plan of a statement in scope All into what every partition runs and what is run over their results:
 * aggregates are computed partially where the data is, sorting and limiting is done in both places. If the plan as a
 * whole can't be split, one part of it may be: it is gathered, and all around it, which reads replicated tables only,
 * runs once, where the results meet.
 */
public final class Distributor {
    /** Digits that a sum of DECIMALs may have before it is added to others: those of 192 bits. */
    private static final int DIGITS_OF_PARTIAL_SUM = 57;

    private final Expressions expressions;
    private final PlacementAnalyzer placement;
    private final Distribution distribution;
    private final IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders;

    public Distributor(RelPlanner planner, PlacementAnalyzer placement) {
        this.expressions = planner.expressions();
        this.placement = placement;
        this.distribution = new Distribution(placement);
        this.orders = planner.orders();
    }

    /** The two parts; without merge, the fragments' results are simply put together. */
    public record Split(PlanNode fragment, PlanNode merge) {}

    /** Splits a query. */
    public Split query(PlanNode plan) {
        try {
            return withMerge(split(plan), plan);
        } catch (SqlPlanningException refusal) {
            return around(plan).orElseThrow(() -> refusal);
        }
    }

    private static Split withMerge(Split split, PlanNode plan) {
        return split.merge() == null ? new Split(split.fragment(), new PlanNode.Gathered(plan.fields())) : split;
    }

    /** Splits the one input that reads partitioned tables; empty if there are several, or if it depends on other rows. */
    private Optional<Split> around(PlanNode node) {
        if (node instanceof PlanNode.UnionAll union) {
            Optional<Split> gathered = union(union);
            if (gathered.isPresent()) {
                return gathered;
            }
        }
        List<PlanNode> inputs = PlanShapes.inputs(node);
        List<PlanNode> partitioned = inputs.stream()
                .filter(input -> !placement.partitioned(input).isEmpty())
                .toList();
        if (partitioned.size() != 1) {
            return Optional.empty();
        }
        PlanNode guarded = partitioned.getFirst();
        // The rows that decide on a branch are in the place of the merge: its gathered rows are gathered in any case.
        Optional<RexNode> condition =
                guarded instanceof PlanNode.Guard guard ? Optional.of(guard.condition()) : Optional.empty();
        PlanNode input = guarded instanceof PlanNode.Guard guard ? guard.input() : guarded;
        if (PlanShapes.isCorrelated(input)) {
            return Optional.empty();
        }
        boolean inner = node instanceof PlanNode.NestedLoopJoin join && guarded == join.inner();
        if (inner && !PlanShapes.atMostOneRow(input)) {
            // A plan that gathers a whole table and searches it for each row is too dear to be made unasked.
            return Optional.empty();
        }
        Optional<Split> split;
        try {
            split = Optional.of(withMerge(split(input), input));
        } catch (SqlPlanningException refusal) {
            split = around(input);
        }
        return split.map(below -> new Split(
                below.fragment(),
                inOrder(
                        node,
                        PlanShapes.withInputs(
                                node,
                                inputs.stream()
                                        .map(each -> each == guarded ? guarded(below.merge(), condition) : each)
                                        .toList()))));
    }

    private static PlanNode guarded(PlanNode node, Optional<RexNode> condition) {
        return condition.<PlanNode>map(c -> new PlanNode.Guard(node, c)).orElse(node);
    }

    /** Gathers the rows of partitioned tables; those of replicated ones are added once. */
    private Optional<Split> union(PlanNode.UnionAll union) {
        List<PlanNode> local = new ArrayList<>();
        List<PlanNode> replicated = new ArrayList<>();
        for (PlanNode input : union.inputs()) {
            (placement.partitioned(input).isEmpty() ? replicated : local).add(input);
        }
        if (local.isEmpty() || replicated.isEmpty()) {
            return Optional.empty();
        }
        for (PlanNode input : local) {
            if (PlanShapes.isCorrelated(input) || !isLocal(input)) {
                return Optional.empty();
            }
        }
        PlanNode fragment = local.size() == 1 ? local.getFirst() : new PlanNode.UnionAll(local, union.fields());
        List<PlanNode> merged = new ArrayList<>();
        merged.add(new PlanNode.Gathered(fragment.fields()));
        merged.addAll(replicated);
        return Optional.of(new Split(fragment, inOrder(union, new PlanNode.UnionAll(merged, union.fields()))));
    }

    private boolean isLocal(PlanNode input) {
        try {
            return distribution.of(input, Set.of()) == Distribution.Kind.LOCAL;
        } catch (SqlPlanningException refusal) {
            return false;
        }
    }

    /** Gathering does not keep the order of the fragments, on which ORDER BY may have relied. */
    private PlanNode inOrder(PlanNode before, PlanNode after) {
        List<PlanNode.SortKey> order = orders.get(before);
        return order == null ? after : new PlanNode.Sort(after, order, Optional.empty(), Optional.empty());
    }

    /** Checks that a write can be done partition by partition; adds the counts up, or puts the returned rows together. */
    public Split write(PlanNode plan) {
        PlanNode fragment = switch (plan) {
            case PlanNode.Insert insert -> insert(insert);
            case PlanNode.Update update -> {
                distribution.of(update.input(), Set.of());
                yield update;
            }
            case PlanNode.Delete delete -> {
                distribution.of(delete.input(), Set.of());
                yield delete;
            }
            default -> plan;
        };
        if (fragment instanceof PlanNode.Insert insert && insert.numbered()) {
            return new Split(fragment, inInputOrder(insert, plan.fields()));
        } else if (!((PlanNode.Write) plan).returning().isEmpty()) {
            return new Split(fragment, RowSequence.sorted(new PlanNode.Gathered(plan.fields())));
        }
        AggregateCall sum = new AggregateCall(Function.SUM0, OptionalInt.of(0), false, OptionalInt.empty());
        PlanNode gathered = new PlanNode.Gathered(plan.fields());
        return new Split(fragment, new PlanNode.Aggregate(gathered, List.of(), List.of(sum), plan.fields()));
    }

    private PlanNode insert(PlanNode.Insert insert) {
        Distribution.Kind source = distribution.of(insert.input(), Set.of());
        if (source == Distribution.Kind.REPLICATED) {
            return new PlanNode.Insert(
                    insert.table(),
                    insert.input(),
                    insert.onConflict(),
                    insert.named(),
                    insert.update(),
                    insert.checks(),
                    true,
                    insert.returning(),
                    insert.returning().isEmpty() ? insert.fields() : numbered(insert.fields()));
        }
        int column = insert.table().partitionColumn().orElseThrow();
        Set<String> inserted = placement.classOf(insert.input(), column);
        boolean stays = placement.placing(insert.input()).stream()
                .allMatch(occurrence -> inserted.contains(occurrence.partitioningTerm()));
        if (!stays) {
            throw new SqlPlanningException(
                    insert.table().name(),
                    "rows inserted into " + insert.table().name()
                            + " would belong to other partitions than those they are selected from: the value for "
                            + insert.table().columns().get(column).name()
                            + " has to be the partitioning column of the table that is read");
        }
        return insert;
    }

    private static List<PlanField> numbered(List<PlanField> fields) {
        List<PlanField> numbered = new ArrayList<>(fields);
        numbered.add(new PlanField("ROW_NUMBER", SqlType.of(SqlType.Kind.BIGINT), false));
        return List.copyOf(numbered);
    }

    /** The rows that all partitions return, in the order of the rows that they were given alike. */
    private PlanNode inInputOrder(PlanNode.Insert insert, List<PlanField> fields) {
        PlanNode gathered = new PlanNode.Gathered(insert.fields());
        PlanNode sorted = new PlanNode.Sort(
                gathered,
                List.of(new PlanNode.SortKey(fields.size(), false, true)),
                Optional.empty(),
                Optional.empty());
        return new PlanNode.Project(
                sorted,
                IntStream.range(0, fields.size())
                        .mapToObj(i -> expressions.field(insert.fields(), i))
                        .toList(),
                fields);
    }

    private Split split(PlanNode node) {
        Split split = switch (node) {
            case PlanNode.Project project -> {
                Split input = split(project.input());
                yield input.merge() == null
                        ? new Split(
                                new PlanNode.Project(input.fragment(), project.expressions(), project.fields()), null)
                        : new Split(
                                input.fragment(),
                                new PlanNode.Project(input.merge(), project.expressions(), project.fields()));
            }
            case PlanNode.Filter filter -> {
                Split input = split(filter.input());
                yield input.merge() == null
                        ? new Split(new PlanNode.Filter(input.fragment(), filter.condition()), null)
                        : new Split(input.fragment(), new PlanNode.Filter(input.merge(), filter.condition()));
            }
            case PlanNode.Aggregate aggregate -> aggregate(aggregate);
            case PlanNode.Window window -> window(window);
            case PlanNode.Sort sort -> sorted(sort.input(), sort.keys(), sort.offset(), sort.fetch(), false);
            case PlanNode.Limit limit -> limit(limit);
            default -> {
                if (distribution.of(node, Set.of()) == Distribution.Kind.REPLICATED) {
                    throw new IllegalStateException("nothing is partitioned");
                }
                yield new Split(node, null);
            }
        };
        List<PlanNode.SortKey> order = orders.get(node);
        if (order != null) {
            // Neither gathering nor aggregating what was gathered keeps the order of the fragments.
            PlanNode merged = split.merge() == null ? new PlanNode.Gathered(node.fields()) : split.merge();
            return new Split(split.fragment(), new PlanNode.Sort(merged, order, Optional.empty(), Optional.empty()));
        }
        return split;
    }

    private Split limit(PlanNode.Limit limit) {
        List<PlanNode.SortKey> order = orders.get(limit.input());
        if (order != null) {
            return sorted(limit.input(), order, limit.offset(), limit.fetch(), true);
        }
        Split input = split(limit.input());
        if (input.merge() != null) {
            return new Split(input.fragment(), new PlanNode.Limit(input.merge(), limit.offset(), limit.fetch()));
        }
        PlanNode gathered = new PlanNode.Gathered(limit.fields());
        return new Split(
                limited(input.fragment(), limit.offset(), limit.fetch()),
                new PlanNode.Limit(gathered, limit.offset(), limit.fetch()));
    }

    private Split sorted(
            PlanNode inputNode,
            List<PlanNode.SortKey> keys,
            Optional<RexNode> offset,
            Optional<RexNode> fetch,
            boolean sortedAlready) {
        Split input;
        List<PlanNode.SortKey> hidden = orders.remove(inputNode);
        try {
            input = split(inputNode);
        } finally {
            if (hidden != null) {
                orders.put(inputNode, hidden);
            }
        }
        if (input.merge() != null) {
            return new Split(input.fragment(), new PlanNode.Sort(input.merge(), keys, offset, fetch));
        }
        PlanNode fragment = input.fragment();
        if (fetch.isPresent()) {
            fragment = sortedAlready
                    ? limited(fragment, offset, fetch)
                    : new PlanNode.Sort(fragment, keys, Optional.empty(), Optional.of(upTo(offset, fetch)));
        }
        return new Split(fragment, new PlanNode.Sort(new PlanNode.Gathered(inputNode.fields()), keys, offset, fetch));
    }

    private PlanNode limited(PlanNode fragment, Optional<RexNode> offset, Optional<RexNode> fetch) {
        return fetch.isEmpty()
                ? fragment
                : new PlanNode.Limit(fragment, Optional.empty(), Optional.of(upTo(offset, fetch)));
    }

    /** The number of rows of each partition that may be among those wanted. */
    private RexNode upTo(Optional<RexNode> offset, Optional<RexNode> fetch) {
        RelDataType bigint = expressions.types().of(SqlType.of(SqlType.Kind.BIGINT), true);
        return offset.map(skipped ->
                        ConstantFolder.foldSum(expressions.rexBuilder(), bigint, skipped, fetch.orElseThrow()))
                .orElse(fetch.orElseThrow());
    }

    private Split aggregate(PlanNode.Aggregate aggregate) {
        Split input = split(aggregate.input());
        if (input.merge() != null) {
            return new Split(
                    input.fragment(),
                    new PlanNode.Aggregate(input.merge(), aggregate.groupBy(), aggregate.calls(), aggregate.fields()));
        }
        if (distribution.groupsWithin(aggregate)) {
            return new Split(
                    new PlanNode.Aggregate(
                            input.fragment(), aggregate.groupBy(), aggregate.calls(), aggregate.fields()),
                    null);
        }
        boolean partial = aggregate.calls().stream()
                .noneMatch(call -> call.distinct()
                        || call.function() == Function.SINGLE
                        || call.function() == Function.STRING_AGG
                        || call.function().isVariance());
        if (partial) {
            return partial(aggregate, input.fragment());
        }
        return distinctValues(aggregate, input.fragment());
    }

    private Split window(PlanNode.Window window) {
        Split input = split(window.input());
        if (input.merge() == null && distribution.dividesWithin(window)) {
            return new Split(PlanShapes.withInputs(window, List.of(input.fragment())), null);
        }
        PlanNode all =
                input.merge() == null ? new PlanNode.Gathered(window.input().fields()) : input.merge();
        return new Split(input.fragment(), PlanShapes.withInputs(window, List.of(all)));
    }

    /** Each partition aggregates its rows, and what they have come to is aggregated. */
    private static Split partial(PlanNode.Aggregate aggregate, PlanNode input) {
        int groups = aggregate.groupBy().size();
        List<AggregateCall> parts = new ArrayList<>(aggregate.calls());
        List<PlanField> partFields = new ArrayList<>(aggregate.fields());
        List<PlanField> gathered = new ArrayList<>(aggregate.fields().subList(0, groups));
        List<AggregateCall> calls = new ArrayList<>();
        for (int i = 0; i < aggregate.calls().size(); i++) {
            AggregateCall call = aggregate.calls().get(i);
            PlanField field = aggregate.fields().get(groups + i);
            OptionalInt high = OptionalInt.empty();
            OptionalInt count = OptionalInt.empty();
            if (isWideSum(call, input)) {
                parts.set(i, with(call, Function.SUM));
                SqlType summed =
                        input.fields().get(call.argument().orElseThrow()).type();
                SqlType part = SqlType.decimal(DIGITS_OF_PARTIAL_SUM, summed.decimals());
                partFields.set(groups + i, new PlanField(field.name(), part, true));
            } else if (isExactSum(call, field)) {
                SqlType sum = sumType(call, field, input);
                high = OptionalInt.of(partFields.size());
                parts.set(i, with(call, Function.SUM_LOW));
                parts.add(with(call, Function.SUM_HIGH));
                partFields.set(groups + i, new PlanField(field.name(), sum, true));
                // Of the sum's type, so that what is summed up is scaled alike.
                partFields.add(new PlanField("SUM_HIGH", sum, false));
            }
            if (call.function() == Function.AVG) {
                count = OptionalInt.of(partFields.size());
                parts.add(with(call, Function.COUNT));
                partFields.add(new PlanField("COUNT", SqlType.of(SqlType.Kind.BIGINT), false));
            }
            calls.add(new AggregateCall(
                    call.function() == Function.COUNT ? Function.SUM0 : call.function(),
                    OptionalInt.of(groups + i),
                    false,
                    OptionalInt.empty(),
                    high,
                    count,
                    OptionalInt.empty()));
            // Called what it is a part of.
            gathered.add(new PlanField(
                    FieldNames.aggregate(aggregate, i),
                    partFields.get(groups + i).type(),
                    partFields.get(groups + i).nullable()));
        }
        gathered.addAll(partFields.subList(gathered.size(), partFields.size()));
        PlanNode fragment =
                new PlanNode.Aggregate(input, aggregate.groupBy(), List.copyOf(parts), List.copyOf(partFields));
        List<Integer> groupBy = IntStream.range(0, groups).boxed().toList();
        return new Split(
                fragment,
                new PlanNode.Aggregate(
                        new PlanNode.Gathered(List.copyOf(gathered)), groupBy, calls, aggregate.fields()));
    }

    /** Whether DECIMALs of more than 18 digits are summed up. Their partial sums are one value. */
    private static boolean isWideSum(AggregateCall call, PlanNode input) {
        boolean sums =
                call.function() == Function.SUM || call.function() == Function.SUM0 || call.function() == Function.AVG;
        return sums && input.fields().get(call.argument().orElseThrow()).type().isWide();
    }

    private static boolean isExactSum(AggregateCall call, PlanField result) {
        return switch (call.function()) {
            case SUM, SUM0 -> result.type().kind() != SqlType.Kind.DOUBLE;
            case AVG -> true;
            default -> false;
        };
    }

    /** The type of the sum that an aggregate is or has. */
    private static SqlType sumType(AggregateCall call, PlanField result, PlanNode input) {
        if (call.function() != Function.AVG && !result.type().isWide()) {
            return result.type();
        }
        SqlType summed = input.fields().get(call.argument().orElseThrow()).type();
        return summed.kind() == SqlType.Kind.DECIMAL
                ? SqlType.decimal(SqlType.MAX_WORD_PRECISION, summed.scale())
                : SqlType.of(SqlType.Kind.BIGINT);
    }

    private static AggregateCall with(AggregateCall call, Function function) {
        return new AggregateCall(function, call.argument(), false, call.filter());
    }

    /** Ships the distinct combinations of what the aggregate reads; all rows, if it does not only read distinct values. */
    private Split distinctValues(PlanNode.Aggregate aggregate, PlanNode input) {
        NavigableSet<Integer> used = new TreeSet<>(aggregate.groupBy());
        for (AggregateCall call : aggregate.calls()) {
            call.argument().ifPresent(used::add);
            call.filter().ifPresent(used::add);
            call.separator().ifPresent(used::add);
        }
        List<Integer> columns = List.copyOf(used);
        PlanNode fragment = new PlanNode.Project(
                input,
                columns.stream().map(c -> expressions.field(input.fields(), c)).toList(),
                columns.stream().map(input.fields()::get).toList());
        boolean onlyDistinct = aggregate.calls().stream()
                .allMatch(
                        call -> call.distinct() || call.function() == Function.MIN || call.function() == Function.MAX);
        if (onlyDistinct) {
            fragment = RelPlanner.distinct(fragment);
        }
        List<AggregateCall> calls = new ArrayList<>();
        for (AggregateCall call : aggregate.calls()) {
            calls.add(new AggregateCall(
                    call.function(),
                    moved(call.argument(), columns),
                    call.distinct(),
                    moved(call.filter(), columns),
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    moved(call.separator(), columns)));
        }
        List<Integer> groupBy =
                aggregate.groupBy().stream().map(columns::indexOf).toList();
        return new Split(
                fragment,
                new PlanNode.Aggregate(new PlanNode.Gathered(fragment.fields()), groupBy, calls, aggregate.fields()));
    }

    private static OptionalInt moved(OptionalInt column, List<Integer> columns) {
        return column.isPresent() ? OptionalInt.of(columns.indexOf(column.getAsInt())) : column;
    }
}

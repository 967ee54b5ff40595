package io.reprise.sql.physical;

import io.reprise.sql.place.WriteDeterminism;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the order in which rows happen to be stored out of what a statement writes, where {@link WriteDeterminism} has nothing to
 * refuse. Rows that a query gives for INSERT come in one sequence, in which they get their row ids; and where one row decides, and
 * others may fail, all of them are looked at: else it would depend on that order which comes first.
 *
 * <p>Applied to the plan of one partition, after all decisions that depend on the plan's orders.
 */
public final class StorageOrder {
    private StorageOrder() {}

    /** The same plan without that order. */
    public static PlanNode without(PlanNode node) {
        List<PlanNode> inputs = PlanShapes.inputs(node);
        if (inputs.isEmpty()) {
            return node;
        }
        List<PlanNode> settled = new ArrayList<>();
        inputs.forEach(input -> settled.add(without(input)));
        return switch (PlanShapes.withInputs(node, settled)) {
            case PlanNode.Insert insert -> inSequence(insert);
            case PlanNode.NestedLoopJoin join
            when join.kind() == PlanNode.JoinKind.SEMI || join.kind() == PlanNode.JoinKind.ANTI -> everyRow(join);
            case PlanNode.Aggregate aggregate
            when aggregate.input() instanceof PlanNode.Limit limit && onlyCounts(aggregate) ->
                PlanShapes.withInputs(aggregate, List.of(afterAll(limit)));
            case PlanNode.Window window -> overSequence(window);
            case PlanNode.Aggregate aggregate when putsStringsTogether(aggregate) -> overSequence(aggregate);
            case PlanNode other -> other;
        };
    }

    private static PlanNode inSequence(PlanNode.Insert insert) {
        PlanNode input = new RowSequence(new IdentityHashMap<>(), false).determined(insert.input());
        return new PlanNode.Insert(
                insert.table(),
                input,
                insert.onConflict(),
                insert.named(),
                insert.update(),
                insert.checks(),
                insert.onlyOwned(),
                insert.returning(),
                insert.fields());
    }

    /** An operator whose result depends on the sequence of its input's rows. */
    private static PlanNode overSequence(PlanNode node) {
        PlanNode input = PlanShapes.inputs(node).getFirst();
        PlanNode settled = new RowSequence(new IdentityHashMap<>(), false).determined(input);
        return PlanShapes.withInputs(node, List.of(settled));
    }

    private static boolean putsStringsTogether(PlanNode.Aggregate aggregate) {
        return aggregate.calls().stream()
                .anyMatch(call -> call.function() == PlanNode.AggregateCall.Function.STRING_AGG);
    }

    private static PlanNode everyRow(PlanNode.NestedLoopJoin join) {
        boolean mayFail = FailingExpressions.mayFail(join.inner())
                || join.condition().map(FailingExpressions::mayFail).orElse(false);
        return !mayFail || PlanShapes.atMostOneRow(join.inner())
                ? join
                : new PlanNode.NestedLoopJoin(
                        join.outer(),
                        join.inner(),
                        join.kind(),
                        join.condition(),
                        join.correlation(),
                        join.fields(),
                        true);
    }

    /** Tells whether only the presence of rows matters, or their number up to a limit, and not their choice. */
    private static boolean onlyCounts(PlanNode.Aggregate aggregate) {
        return aggregate.groupBy().isEmpty()
                && aggregate.calls().stream()
                        .allMatch(call -> call.function() == PlanNode.AggregateCall.Function.COUNT
                                && call.argument().isEmpty());
    }

    /** A sort computes all rows first. */
    private static PlanNode afterAll(PlanNode.Limit limit) {
        PlanNode input = limit.input();
        if (input.fields().isEmpty() || !decidesWhatFails(input)) {
            return limit;
        }
        return new PlanNode.Limit(RowSequence.sorted(input), limit.offset(), limit.fetch());
    }

    /** Whether of rows that are read one after the other until there are enough, another one would fail in another order of storage. */
    static boolean decidesWhatFails(PlanNode node) {
        return !PlanShapes.atMostOneRow(node) && !RowSequence.comesInSequence(node) && FailingExpressions.mayFail(node);
    }

    /** Whether it depends on that order, or on that of the partitions, which error comes first where several rows have one. */
    public static boolean decidesWhichError(PlanNode fragment, Optional<PlanNode> merge) {
        boolean everywhere = merge.isPresent();
        boolean ofExpressions = everywhere
                ? FailingExpressions.mayFail(fragment) || FailingExpressions.mayFail(merge.orElseThrow())
                : failsOutOfSequence(fragment, false);
        return ofExpressions
                || switch (fragment) {
                    // Also a constraint may be violated, by one row after the other.
                    case PlanNode.Insert insert -> everywhere || !RowSequence.comesInSequence(insert.input());
                    case PlanNode.Update update -> everywhere || !RowSequence.comesInSequence(update.input());
                    default -> false;
                };
    }

    /**
     * Whether an operator that may fail meets several rows, one after the other in that order. Rows that it does not meet don't matter, such
     * as those that are counted below it, or that EXISTS looks for without failing.
     *
     * @param repeated whether the operator is run for one after the other of such rows
     */
    private static boolean failsOutOfSequence(PlanNode node, boolean repeated) {
        if ((repeated || !meetsInSequence(node)) && FailingExpressions.failsItself(node)) {
            return true;
        } else if (node instanceof PlanNode.NestedLoopJoin join) {
            return failsOutOfSequence(join.outer(), repeated)
                    || failsOutOfSequence(join.inner(), repeated || !RowSequence.comesInSequence(join.outer()));
        }
        return PlanShapes.inputs(node).stream().anyMatch(input -> failsOutOfSequence(input, repeated));
    }

    private static boolean meetsInSequence(PlanNode node) {
        if (node instanceof PlanNode.Aggregate aggregate && aggregate.groupBy().isEmpty()) {
            // An exact sum is out of range, and a second row is one too many, whichever comes first. Other sums have
            // been refused.
            return true;
        }
        List<PlanNode> inputs = PlanShapes.inputs(node);
        return inputs.isEmpty()
                ? RowSequence.comesInSequence(node)
                : inputs.stream().allMatch(RowSequence::comesInSequence);
    }
}

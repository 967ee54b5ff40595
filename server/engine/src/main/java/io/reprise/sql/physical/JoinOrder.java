package io.reprise.sql.physical;

import io.reprise.sql.physical.JoinBlock.Factor;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Chooses the order in which the factors of a {@link JoinBlock} are joined and how each is read. Every factor is tried as
 * the first, by each of its accesses; the next is always the one that costs least, given what is there by then. The
 * cheapest of these plans wins, an order that saves a sort being worth something.
 */
final class JoinOrder {
    private static final double ROWS_OF_A_RELATION = 100;
    private static final double SORT = 1.0;
    private static final double STOPS_EARLY = 0.05;

    private final Expressions expressions;
    private final List<Factor> factors;
    private final List<RexNode> terms;
    private final List<BaseKey> wanted;
    private final boolean limited;
    private final Factor target;

    /** A sort key over base columns. */
    record BaseKey(int column, boolean descending, boolean nullsFirst) {}

    /**
     * One factor in the order.
     *
     * @param path its access path; null if it is not a table
     * @param terms the terms for its rows and earlier ones, over base columns
     * @param after terms to be checked after it was joined (over the nullable side of an outer join)
     */
    record Step(Factor factor, AccessPath path, List<RexNode> terms, List<RexNode> after, boolean descending) {}

    /** An order. */
    record Choice(List<Step> steps, double cost, boolean ordered) {}

    /**
     * @param wanted the order that is wanted; null: one that no order of rows can satisfy
     * @param limited whether only the first rows in that order are wanted
     * @param target the factor that must be the first of the tables, or null
     */
    JoinOrder(
            Expressions expressions,
            List<Factor> factors,
            List<RexNode> terms,
            List<BaseKey> wanted,
            boolean limited,
            Factor target) {
        this.expressions = expressions;
        this.factors = factors;
        this.terms = terms;
        this.wanted = wanted;
        this.limited = limited;
        this.target = target;
    }

    Choice choose() {
        Choice best = null;
        for (Factor first : factors) {
            if (first.optional || !mayStart(first)) {
                continue;
            }
            for (AccessPath path : paths(first, ImmutableBitSet.of())) {
                Choice choice = continueFrom(first, path);
                if (best == null || choice.cost() < best.cost()) {
                    best = choice;
                }
            }
        }
        if (best == null) {
            throw new IllegalStateException("no factor can be the first");
        }
        return best;
    }

    private boolean mayStart(Factor factor) {
        return target == null || factor == target || factor.given != null;
    }

    private Choice continueFrom(Factor first, AccessPath path) {
        List<Step> steps = new ArrayList<>();
        ImmutableBitSet bound = ImmutableBitSet.of();
        steps.add(step(first, path, bound));
        bound = bound.union(first.columns());
        double rows = rows(first, path);
        double cost = path == null ? relationCost(first) : path.cost();
        List<Factor> left = new ArrayList<>(factors);
        left.remove(first);
        boolean targetPlaced = target == null || first == target;
        while (!left.isEmpty()) {
            Factor next = null;
            AccessPath nextPath = null;
            for (Factor factor : left) {
                if (!bound.contains(factor.needs()) || !targetPlaced && factor != target && factor.given == null) {
                    continue;
                }
                AccessPath candidate = cheapest(paths(factor, bound));
                if (next == null || rank(factor, candidate) < rank(next, nextPath)) {
                    next = factor;
                    nextPath = candidate;
                }
            }
            if (next == null) {
                throw new IllegalStateException("no factor can be the next");
            }
            targetPlaced |= next == target;
            cost += rows * (nextPath == null ? relationRows(next) : nextPath.cost());
            steps.add(step(next, nextPath, bound));
            double found = rows(next, nextPath);
            rows *= next.optional ? Math.max(1, found) : found;
            bound = bound.union(next.columns());
            left.remove(next);
        }
        return rated(steps, cost, rows);
    }

    /** Prefers what is cheap to read, and among that what finds few rows. */
    private static double rank(Factor factor, AccessPath path) {
        return path == null ? relationRows(factor) * 2 : path.cost() + path.rows() / 100;
    }

    private Choice rated(List<Step> steps, double cost, double rows) {
        if (wanted == null || wanted.isEmpty()) {
            return new Choice(steps, cost, wanted != null);
        }
        int[] direction = new int[1];
        int ordering = orderedBy(steps, direction);
        if (ordering < 0) {
            double sorting = rows * SORT * Math.max(1, Math.log(Math.max(2, rows)));
            return new Choice(steps, cost + sorting, false);
        }
        List<Step> directed = new ArrayList<>(steps);
        if (ordering < steps.size()) {
            Step step = directed.get(ordering);
            directed.set(ordering, new Step(step.factor(), step.path(), step.terms(), step.after(), direction[0] > 0));
        }
        return new Choice(directed, limited ? cost * STOPS_EARLY : cost, true);
    }

    /**
     * The position of the step whose order of rows gives the wanted order (the number of steps, if there is one row
     * only), or -1. Direction becomes 1 if it has to be read downwards.
     */
    private int orderedBy(List<Step> steps, int[] direction) {
        ImmutableBitSet constant = ImmutableBitSet.of();
        int at = 0;
        while (at < steps.size()
                && steps.get(at).path() != null
                && steps.get(at).path().single()) {
            constant = constant.union(steps.get(at).factor().columns());
            at++;
        }
        Step step = at < steps.size() ? steps.get(at) : null;
        List<Integer> order = List.of();
        if (step != null && step.path() != null) {
            for (int column : step.path().constants()) {
                constant = constant.set(step.factor().start + column);
            }
            order = step.path().order();
        }
        int used = 0;
        for (BaseKey key : wanted) {
            if (constant.get(key.column())) {
                continue;
            }
            if (used == order.size()) {
                if (used > 0 && isUnique(step.path()) && hasOneValue(key.column(), steps.subList(at, steps.size()))) {
                    continue;
                }
                return -1;
            }
            int column = order.get(used);
            if (key.column() != step.factor().start + column
                    || used > 0 && key.descending() != (direction[0] > 0)
                    || key.nullsFirst() == key.descending()
                            && step.path().table().columns().get(column).nullable()) {
                return -1;
            }
            direction[0] = key.descending() ? 1 : 0;
            used++;
        }
        return at;
    }

    /** Whether a column has one value for each row of the first step: it is that row's, or of a row that is looked up for it. */
    private static boolean hasOneValue(int column, List<Step> steps) {
        for (Step step : steps) {
            if (step != steps.getFirst() && (step.path() == null || !step.path().single())) {
                return false;
            } else if (step.factor().columns().get(column)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnique(AccessPath path) {
        return path.index().orElseThrow().unique()
                && path.index().get().columns().stream()
                        .noneMatch(c -> path.table().columns().get(c).nullable());
    }

    private Step step(Factor factor, AccessPath path, ImmutableBitSet bound) {
        List<RexNode> available = available(factor, bound);
        return factor.optional
                ? new Step(factor, path, factor.condition, available, false)
                : new Step(factor, path, available, List.of(), false);
    }

    /** The terms that can be evaluated once the factor is there and could not before. */
    private List<RexNode> available(Factor factor, ImmutableBitSet bound) {
        ImmutableBitSet there = bound.union(factor.columns());
        List<RexNode> result = new ArrayList<>();
        for (RexNode term : terms) {
            ImmutableBitSet used = Expressions.inputs(term);
            if (there.contains(used) && (bound.isEmpty() || !bound.contains(used))) {
                result.add(term);
            }
        }
        return result;
    }

    private List<AccessPath> paths(Factor factor, ImmutableBitSet bound) {
        if (factor.table == null) {
            List<AccessPath> none = new ArrayList<>();
            none.add(null);
            return none;
        }
        List<RexNode> local = new ArrayList<>();
        for (RexNode term : factor.optional ? factor.condition : available(factor, bound)) {
            local.add(localForm(term, factor));
        }
        return AccessPath.candidates(factor.table, local, expressions);
    }

    private static AccessPath cheapest(List<AccessPath> paths) {
        AccessPath best = paths.getFirst();
        for (AccessPath path : paths) {
            if (path != null && path.cost() < best.cost()) {
                best = path;
            }
        }
        return best;
    }

    /** A term over base columns with the factor's own columns from 0, and all others after them. */
    static RexNode localForm(RexNode term, Factor factor) {
        return Expressions.rewrite(term, ref -> {
            int column = ref.getIndex();
            boolean own = column >= factor.start && column < factor.start + factor.width;
            return new RexInputRef(own ? column - factor.start : factor.width + column, ref.getType());
        });
    }

    private static double rows(Factor factor, AccessPath path) {
        return path != null ? path.rows() : relationRows(factor);
    }

    private static double relationCost(Factor factor) {
        return factor.given != null ? relationRows(factor) : ROWS_OF_A_RELATION * 10;
    }

    private static double relationRows(Factor factor) {
        if (factor.given != null) {
            return PlanShapes.rows(factor.given);
        }
        boolean one = factor.rel instanceof Aggregate aggregate
                && aggregate.getGroupSet().isEmpty();
        return one ? 1 : ROWS_OF_A_RELATION;
    }
}

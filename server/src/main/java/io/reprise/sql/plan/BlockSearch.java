package io.reprise.sql.plan;

import io.reprise.catalog.SqlType;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Finds the best join order of a block, also trying to turn an IN list (a disjunction that compares one column with values
 * known beforehand) into a relation of its distinct values, which is joined first so that an index finds the rows for
 * each.
 */
final class BlockSearch {
    private final Expressions expressions;
    private final JoinBlock block;
    private final List<JoinOrder.BaseKey> wanted;
    private final boolean limited;
    private final JoinBlock.Factor target;

    BlockSearch(
            RelPlanner planner, JoinBlock block, List<JoinOrder.BaseKey> wanted, boolean limited, boolean hasTarget) {
        this.expressions = planner.expressions();
        this.block = block;
        this.wanted = wanted;
        this.limited = limited;
        this.target = hasTarget ? block.factors.getFirst() : null;
    }

    JoinOrder.Choice choose() {
        List<JoinBlock.Factor> factors = List.copyOf(block.factors);
        JoinOrder.Choice best = choose(factors, block.terms);
        for (RexNode term : List.copyOf(block.terms)) {
            List<RexNode> values = values(term);
            if (values == null) {
                continue;
            }
            RexInputRef column = column((RexCall) ((RexCall) term).getOperands().getFirst());
            RelDataType row =
                    expressions.types().builder().add("VALUE", column.getType()).build();
            List<List<RexNode>> rows = values.stream().map(List::of).toList();
            PlanNode list = RelPlanner.distinct(new PlanNode.Values(rows, RelPlanner.fields(row)));
            RexNode value = block.addGiven(list, row).getFirst();
            List<JoinBlock.Factor> extended = new ArrayList<>(factors);
            extended.add(block.factors.getLast());
            List<RexNode> terms = new ArrayList<>(block.terms);
            terms.remove(term);
            terms.add(expressions.rexBuilder().makeCall(SqlStdOperatorTable.EQUALS, column, value));
            JoinOrder.Choice choice = choose(extended, terms);
            if (choice.cost() < best.cost()) {
                best = choice;
            }
        }
        return best;
    }

    private JoinOrder.Choice choose(List<JoinBlock.Factor> factors, List<RexNode> terms) {
        return new JoinOrder(expressions, factors, terms, wanted, limited, target).choose();
    }

    private static RexInputRef column(RexCall equality) {
        RexNode left = ColumnPredicate.withoutWidening(equality.getOperands().get(0));
        RexNode right = ColumnPredicate.withoutWidening(equality.getOperands().get(1));
        return left instanceof RexInputRef ref ? ref : right instanceof RexInputRef ref ? ref : null;
    }

    /** The values of an IN list in the column's type; null if the term is none. */
    private List<RexNode> values(RexNode term) {
        if (term.getKind() != SqlKind.OR) {
            return null;
        }
        List<RexNode> values = new ArrayList<>();
        int column = -1;
        for (RexNode part : ((RexCall) term).getOperands()) {
            if (part.getKind() != SqlKind.EQUALS) {
                return null;
            }
            RexCall equality = (RexCall) part;
            RexInputRef ref = column(equality);
            if (ref == null || column >= 0 && ref.getIndex() != column) {
                return null;
            }
            column = ref.getIndex();
            RexNode left =
                    ColumnPredicate.withoutWidening(equality.getOperands().get(0));
            RexNode other = equality.getOperands().get(left == ref ? 1 : 0);
            SqlType type = RepriseTypeFactory.toSqlType(ref.getType(), "a column");
            RexNode value = Expressions.inputs(other).isEmpty()
                    ? ColumnPredicate.asColumn(
                            ColumnPredicate.withoutWidening(other), type, SqlKind.EQUALS, expressions)
                    : null;
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return values;
    }
}

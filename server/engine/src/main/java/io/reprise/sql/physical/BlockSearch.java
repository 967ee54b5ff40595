package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.RepriseTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Finds the best join order of a block. It also tries each IN list, a disjunction that compares columns with values
 * known beforehand, as a relation of its distinct values: joined first, an index finds the rows for each.
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

    /** An IN list: the columns, and for each element of the list their values. */
    private record InList(List<RexInputRef> columns, List<List<RexNode>> rows) {}

    JoinOrder.Choice choose() {
        List<JoinBlock.Factor> factors = List.copyOf(block.factors);
        JoinOrder.Choice best = choose(factors, block.terms);
        for (RexNode term : List.copyOf(block.terms)) {
            InList list = inList(term);
            if (list == null) {
                continue;
            }
            RelDataTypeFactory.Builder row = expressions.types().builder();
            for (int i = 0; i < list.columns().size(); i++) {
                row.add("VALUE" + (i == 0 ? "" : i), nullable(list.columns().get(i)));
            }
            RelDataType rowType = row.build();
            PlanNode values = RelPlanner.distinct(new PlanNode.Values(list.rows(), RelPlanner.fields(rowType)));
            List<RexNode> references = block.addGiven(values, rowType);
            List<JoinBlock.Factor> extended = new ArrayList<>(factors);
            extended.add(block.factors.getLast());
            List<RexNode> terms = new ArrayList<>(block.terms);
            terms.remove(term);
            for (int i = 0; i < references.size(); i++) {
                terms.add(expressions
                        .rexBuilder()
                        .makeCall(SqlStdOperatorTable.EQUALS, list.columns().get(i), references.get(i)));
            }
            JoinOrder.Choice choice = choose(extended, terms);
            if (choice.cost() < best.cost()) {
                best = choice;
            }
        }
        return best;
    }

    private RelDataType nullable(RexNode column) {
        return expressions.types().createTypeWithNullability(column.getType(), true);
    }

    private JoinOrder.Choice choose(List<JoinBlock.Factor> factors, List<RexNode> terms) {
        return new JoinOrder(expressions, factors, terms, wanted, limited, target).choose();
    }

    private static RexInputRef column(RexCall equality) {
        RexNode left = ColumnPredicate.withoutWidening(equality.getOperands().get(0));
        RexNode right = ColumnPredicate.withoutWidening(equality.getOperands().get(1));
        return left instanceof RexInputRef ref ? ref : right instanceof RexInputRef ref ? ref : null;
    }

    /** The term as an IN list, each part giving the same columns a value of the column's type; null if it is none. */
    private InList inList(RexNode term) {
        if (term.getKind() != SqlKind.OR) {
            return null;
        }
        List<RexInputRef> columns = new ArrayList<>();
        List<List<RexNode>> rows = new ArrayList<>();
        for (RexNode part : ((RexCall) term).getOperands()) {
            Part values = values(part);
            if (values == null || !rows.isEmpty() && !values.sameColumns(columns)) {
                return null;
            }
            if (rows.isEmpty()) {
                columns.addAll(values.columns());
            }
            rows.add(values.values());
        }
        return new InList(columns, rows);
    }

    /** One element of an IN list: columns in their order, with their values. */
    private record Part(List<RexInputRef> columns, List<RexNode> values) {
        boolean sameColumns(List<RexInputRef> others) {
            return columns.equals(others);
        }
    }

    private Part values(RexNode part) {
        NavigableMap<Integer, RexInputRef> columns = new TreeMap<>();
        NavigableMap<Integer, RexNode> values = new TreeMap<>();
        for (RexNode condition : expressions.conjuncts(part)) {
            RexInputRef ref = condition.getKind() == SqlKind.EQUALS ? column((RexCall) condition) : null;
            RexNode value = ref == null ? null : value((RexCall) condition, ref);
            if (value == null || columns.put(ref.getIndex(), ref) != null) {
                return null;
            }
            values.put(ref.getIndex(), value);
        }
        return new Part(List.copyOf(columns.values()), List.copyOf(values.values()));
    }

    private RexNode value(RexCall equality, RexInputRef column) {
        RexNode left = ColumnPredicate.withoutWidening(equality.getOperands().get(0));
        RexNode other = equality.getOperands().get(left == column ? 1 : 0);
        SqlType type = RepriseTypeFactory.toSqlType(column.getType(), "a column");
        return Expressions.inputs(other).isEmpty()
                ? ColumnPredicate.asColumn(ColumnPredicate.withoutWidening(other), type, SqlKind.EQUALS, expressions)
                : null;
    }
}

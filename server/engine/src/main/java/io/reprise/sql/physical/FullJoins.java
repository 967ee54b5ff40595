package io.reprise.sql.physical;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * FULL JOIN as a LEFT JOIN, and the right side's rows without partner. Those are the rows of a RIGHT JOIN that lack a constant
 * column, which the left side gets for this.
 */
final class FullJoins {
    private static final String PRESENT = "$PRESENT";

    private FullJoins() {}

    /** The join as a union of two others. */
    static Union union(Join join) {
        RelNode kept = LogicalJoin.create(
                join.getLeft(), join.getRight(), List.of(), join.getCondition(), Set.of(), JoinRelType.LEFT);
        return LogicalUnion.create(List.of(kept, withoutPartner(join)), true);
    }

    private static RelNode withoutPartner(Join join) {
        RexBuilder rex = join.getCluster().getRexBuilder();
        int left = join.getLeft().getRowType().getFieldCount();
        RelNode marked = marked(join.getLeft(), rex);
        RexNode condition = Expressions.rewrite(
                join.getCondition(),
                ref -> ref.getIndex() < left ? ref : new RexInputRef(ref.getIndex() + 1, ref.getType()));
        RelNode right = LogicalJoin.create(marked, join.getRight(), List.of(), condition, Set.of(), JoinRelType.RIGHT);
        RelNode alone =
                LogicalFilter.create(right, rex.makeCall(SqlStdOperatorTable.IS_NULL, rex.makeInputRef(right, left)));
        List<RexNode> fields = new ArrayList<>();
        for (RelDataTypeField field : join.getRowType().getFieldList()) {
            RelDataType type = field.getType();
            fields.add(
                    field.getIndex() < left
                            ? rex.makeNullLiteral(type)
                            : rex.makeInputRef(alone, field.getIndex() + 1));
        }
        return LogicalProject.create(alone, List.of(), fields, join.getRowType().getFieldNames(), Set.of());
    }

    private static RelNode marked(RelNode rel, RexBuilder rex) {
        List<RexNode> fields = new ArrayList<>();
        List<String> names = new ArrayList<>(rel.getRowType().getFieldNames());
        for (int i = 0; i < names.size(); i++) {
            fields.add(rex.makeInputRef(rel, i));
        }
        fields.add(rex.makeLiteral(true));
        names.add(PRESENT);
        return LogicalProject.create(rel, List.of(), fields, names, Set.of());
    }
}

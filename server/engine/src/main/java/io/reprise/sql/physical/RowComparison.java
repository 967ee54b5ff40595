package io.reprise.sql.physical;

import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** The comparison of two rows: by their first column that differs, unknown where NULL decides. */
final class RowComparison {
    private RowComparison() {}

    static RexNode of(SqlKind kind, List<RexNode> left, List<RexNode> right, Expressions expressions) {
        RexBuilder rex = expressions.rexBuilder();
        int last = left.size() - 1;
        RexNode result = rex.makeCall(RelOptUtil.op(kind, null), left.get(last), right.get(last));
        for (int i = last - 1; i >= 0; i--) {
            RexNode equal = rex.makeCall(SqlStdOperatorTable.EQUALS, left.get(i), right.get(i));
            result = switch (kind) {
                case EQUALS -> rex.makeCall(SqlStdOperatorTable.AND, equal, result);
                case NOT_EQUALS ->
                    rex.makeCall(
                            SqlStdOperatorTable.OR,
                            rex.makeCall(SqlStdOperatorTable.NOT_EQUALS, left.get(i), right.get(i)),
                            result);
                default ->
                    rex.makeCall(
                            SqlStdOperatorTable.OR,
                            rex.makeCall(strict(kind), left.get(i), right.get(i)),
                            rex.makeCall(SqlStdOperatorTable.AND, equal, result));
            };
        }
        return result;
    }

    private static SqlOperator strict(SqlKind kind) {
        return kind == SqlKind.LESS_THAN || kind == SqlKind.LESS_THAN_OR_EQUAL
                ? SqlStdOperatorTable.LESS_THAN
                : SqlStdOperatorTable.GREATER_THAN;
    }
}

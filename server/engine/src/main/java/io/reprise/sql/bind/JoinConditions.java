package io.reprise.sql.bind;

import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/**
 * Sub-queries in ON. Calcite can't convert those that refer to both tables; in WHERE it can. A condition that is nothing but a sub-query is
 * evaluated over the columns of one side alone.
 */
final class JoinConditions {
    /** The place of the condition among a join's operands. */
    private static final int CONDITION = 5;

    private JoinConditions() {}

    /** Moves a condition with a sub-query from ON to WHERE, if FROM is an inner join, where that means the same. */
    static void move(SqlSelect select) {
        if (select.getFrom() instanceof SqlJoin join
                && join.getJoinType() == JoinType.INNER
                && join.getConditionType() == JoinConditionType.ON
                && hasQuery(join.getCondition())) {
            SqlParserPos position = join.getCondition().getParserPosition();
            SqlNode where = select.getWhere() == null
                    ? join.getCondition()
                    : SqlStdOperatorTable.AND.createCall(position, join.getCondition(), select.getWhere());
            select.setWhere(where);
            select.setFrom(new SqlJoin(
                    join.getParserPosition(),
                    join.getLeft(),
                    join.isNaturalNode(),
                    JoinType.CROSS.symbol(position),
                    join.getRight(),
                    JoinConditionType.NONE.symbol(position),
                    null));
        }
    }

    /** Makes a condition that is nothing but a sub-query an operand of IS TRUE. Calcite keeps operands as expressions over both sides. */
    static void wrap(SqlJoin join) {
        if (join.getConditionType() == JoinConditionType.ON
                && join.getCondition().isA(SqlKind.QUERY)) {
            SqlNode query = join.getCondition();
            join.setOperand(CONDITION, SqlStdOperatorTable.IS_TRUE.createCall(query.getParserPosition(), query));
        }
    }

    private static boolean hasQuery(SqlNode condition) {
        try {
            condition.accept(new SqlBasicVisitor<Void>() {
                @Override
                public Void visit(SqlCall call) {
                    if (call.isA(SqlKind.QUERY)) {
                        throw Util.FoundOne.NULL;
                    }
                    return super.visit(call);
                }
            });
            return false;
        } catch (Util.FoundOne found) {
            return true;
        }
    }
}

package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** Forms of window functions that Calcite does not validate. */
final class WindowSyntax {
    private WindowSyntax() {}

    /** {@code f(x) FILTER (WHERE c) OVER w} is {@code f(CASE WHEN c THEN x END) OVER w}. */
    static SqlNode filtered(SqlCall over) {
        SqlCall filter = over.operand(0);
        SqlCall function = filter.operand(0);
        SqlParserPos position = function.getParserPosition();
        List<SqlNode> operands = new ArrayList<>(function.getOperandList());
        if (operands.size() != 1) {
            throw PlanningErrors.at(
                    position, "FILTER of a window function is for COUNT, SUM, AVG, MIN and MAX of one value");
        }
        boolean all = operands.getFirst() instanceof SqlIdentifier name && name.isStar();
        SqlNode value = all ? SqlLiteral.createExactNumeric("1", position) : operands.getFirst();
        operands.set(
                0,
                new SqlCase(
                        position,
                        null,
                        SqlNodeList.of(filter.operand(1)),
                        SqlNodeList.of(value),
                        SqlLiteral.createNull(position)));
        SqlNode condensed = function.getOperator().createCall(function.getFunctionQuantifier(), position, operands);
        return over.getOperator().createCall(over.getParserPosition(), condensed, over.operand(1));
    }

    /** A parameter that counts the rows to an end of a frame is a BIGINT. */
    static SqlNode counted(SqlCall bound) {
        if (!(bound.operand(0) instanceof SqlDynamicParam parameter)) {
            return bound;
        }
        SqlParserPos position = parameter.getParserPosition();
        SqlDataTypeSpec type = new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.BIGINT, position), position);
        return bound.getOperator()
                .createCall(bound.getParserPosition(), SqlStdOperatorTable.CAST.createCall(position, parameter, type));
    }
}

package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** RETURNING: the statement that writes, and the expressions over the rows that it has written. */
public record ReturningClause(SqlNode write, SqlNodeList items) {
    public static final ClauseOperator OPERATOR = new ClauseOperator("RETURNING");

    /** The clause of a syntax tree whose root is one. */
    public static ReturningClause of(SqlCall call) {
        return new ReturningClause(call.operand(0), call.operand(1));
    }
}

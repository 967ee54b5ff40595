package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;

/** OVERRIDING SYSTEM VALUE: the INSERT, with its other clauses, that may give values to columns that number themselves. */
public record OverridingClause(SqlNode insert) {
    public static final ClauseOperator OPERATOR = new ClauseOperator("OVERRIDING SYSTEM VALUE");

    /** The clause of a syntax tree whose root is one. */
    public static OverridingClause of(SqlCall call) {
        return new OverridingClause(call.operand(0));
    }
}

package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * ON CONFLICT: the reaction of an INSERT to a row that has the key already.
 *
 * @param insert the statement
 * @param key the columns of the key; none: any key
 * @param targets the columns that DO UPDATE sets; none: DO NOTHING
 * @param sources their new values
 * @param where the condition for DO UPDATE, or null
 */
public record ConflictClause(
        SqlInsert insert, SqlNodeList key, SqlNodeList targets, SqlNodeList sources, SqlNode where) {
    public static final ClauseOperator OPERATOR = new ClauseOperator("ON CONFLICT");

    /** The clause of a syntax tree whose root is one. */
    public static ConflictClause of(SqlCall call) {
        return new ConflictClause(
                call.operand(0), call.operand(1), call.operand(2), call.operand(3), call.operand(4));
    }
}

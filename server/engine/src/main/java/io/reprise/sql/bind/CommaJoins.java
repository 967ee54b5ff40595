package io.reprise.sql.bind;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;

/**
 * The precedence of the comma in FROM: {@code a, b JOIN c} is {@code a, (b JOIN c)}. Calcite's parser reads commas and joins
 * alike, from left to right.
 */
final class CommaJoins {
    private CommaJoins() {}

    /** A chain of joins with those first that no comma separates. */
    static SqlNode regrouped(SqlJoin joins) {
        Deque<SqlJoin> chain = new ArrayDeque<>();
        SqlNode first = joins;
        while (first instanceof SqlJoin join) {
            chain.push(join);
            first = join.getLeft();
        }
        SqlNode group = first;
        SqlJoin comma = null;
        for (SqlJoin join : chain) {
            if (join.getJoinType() == JoinType.COMMA) {
                group = closed(comma, group);
                comma = with(join, group, join.getRight());
                group = join.getRight();
            } else {
                group = with(join, group, join.getRight());
            }
        }
        return closed(comma, group);
    }

    /** The joins up to the end of a group: all before the comma, and the group. */
    private static SqlNode closed(SqlJoin comma, SqlNode group) {
        return comma == null ? group : with(comma, comma.getLeft(), group);
    }

    private static SqlJoin with(SqlJoin join, SqlNode left, SqlNode right) {
        return left == join.getLeft() && right == join.getRight()
                ? join
                : new SqlJoin(
                        join.getParserPosition(),
                        left,
                        join.isNaturalNode(),
                        join.getJoinTypeNode(),
                        right,
                        join.getConditionTypeNode(),
                        join.getCondition());
    }
}

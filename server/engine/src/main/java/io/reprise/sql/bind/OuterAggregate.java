package io.reprise.sql.bind;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * An aggregate in a sub-query that belongs to a query around it. Validation ends with it, and {@link OuterAggregates} moves it. An error,
 * since Calcite makes something else of exceptions.
 */
final class OuterAggregate extends Error {
    private static final long serialVersionUID = 1L;

    private final transient SqlCall aggregate;
    private final transient SqlNode query;

    /**
     * An aggregate.
     *
     * @param query the query that it belongs to
     */
    OuterAggregate(SqlCall aggregate, SqlNode query) {
        super(aggregate.getOperator().getName(), null, false, false);
        this.aggregate = aggregate;
        this.query = query;
    }

    /** Passes it on if it is why something failed. */
    static void rethrow(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OuterAggregate found) {
                throw found;
            }
        }
    }

    /** Whether a call of another copy of the statement is this aggregate. */
    boolean is(SqlCall call) {
        return isAt(call, aggregate)
                && call.getOperator()
                        .getName()
                        .equalsIgnoreCase(aggregate.getOperator().getName());
    }

    /** Whether a query of another copy of the statement is the one that it belongs to. */
    boolean belongsTo(SqlNode other) {
        return isAt(other, query);
    }

    /** Whether it belongs to the same query as another one. */
    boolean isBeside(OuterAggregate other) {
        return isAt(query, other.query);
    }

    private static boolean isAt(SqlNode one, SqlNode other) {
        SqlParserPos a = one.getParserPosition();
        SqlParserPos b = other.getParserPosition();
        return a.getLineNum() == b.getLineNum()
                && a.getColumnNum() == b.getColumnNum()
                && a.getEndLineNum() == b.getEndLineNum()
                && a.getEndColumnNum() == b.getEndColumnNum();
    }

    /** The fact that it belongs to its query, in words. */
    String belongs() {
        return "the aggregate " + aggregate.getOperator().getName() + " in the sub-query belongs to the outer query";
    }

    /** Refuses it in a clause of its query that is computed before the groups. */
    void requireGroups() {
        // A condition of ON may have become one of WHERE.
        if (query instanceof SqlSelect select && (isIn(select.getWhere()) || isIn(select.getFrom()))) {
            throw refusal("WHERE and ON");
        }
    }

    /** The refusal of an aggregate of a statement that has no place in its query. */
    SqlPlanningException refusal(SqlNode statement) {
        requireGroups();
        if (statement.getKind() == SqlKind.UPDATE) {
            return refusal("UPDATE");
        }
        return PlanningErrors.at(
                aggregate.getParserPosition(),
                belongs() + ", and can't be computed here: compute it in a derived table");
    }

    /** The refusal of an aggregate in a clause that has no groups. */
    private SqlPlanningException refusal(String clause) {
        return PlanningErrors.at(
                aggregate.getParserPosition(),
                belongs() + ", and aggregates are not allowed in " + clause + ": compute it in a sub-query with a FROM"
                        + " of its own");
    }

    private boolean isIn(SqlNode clause) {
        boolean[] found = new boolean[1];
        if (clause != null) {
            clause.accept(new SqlBasicVisitor<Void>() {
                @Override
                public Void visit(SqlCall call) {
                    found[0] |= is(OuterAggregates.unwrapped(call));
                    return found[0] ? null : super.visit(call);
                }
            });
        }
        return found[0];
    }
}

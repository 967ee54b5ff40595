package io.reprise.sql.bind;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

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

    /** The refusal of an aggregate that has no place in its query. */
    SqlPlanningException refusal() {
        return PlanningErrors.at(
                aggregate.getParserPosition(),
                "the aggregate " + aggregate.getOperator().getName()
                        + " belongs to the outer query, because all of its columns do, and can't be computed here: compute it"
                        + " in a derived table");
    }
}

package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.DelegatingScope;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Aggregates within a sub-query all of whose columns are those of an outer query. By the standard such an aggregate is computed
 * over the rows of the outer query, which is not supported.
 */
final class OuterAggregates {
    private OuterAggregates() {}

    /** Refuses the aggregate if it is one of these; {@code scope} is the sub-query's. */
    static void refuse(SqlCall aggregate, SqlValidatorScope scope, SqlNameMatcher matcher) {
        SqlValidatorScope own = scope;
        while (!(own instanceof SelectScope) && own instanceof DelegatingScope inner) {
            own = inner.getParent();
        }
        List<SqlIdentifier> columns = columns(aggregate);
        SqlValidatorScope query = own;
        if (!columns.isEmpty() && columns.stream().allMatch(column -> isOuter(column, query, matcher))) {
            throw PlanningErrors.at(
                    aggregate.getParserPosition(),
                    "the aggregate " + aggregate.getOperator().getName()
                            + " belongs to the outer query, because all of its columns do: compute it there, in a derived"
                            + " table");
        }
    }

    private static boolean isOuter(SqlIdentifier column, SqlValidatorScope query, SqlNameMatcher matcher) {
        SqlValidatorScope.ResolvedImpl found = new SqlValidatorScope.ResolvedImpl();
        query.resolve(List.of(column.names.getFirst()), matcher, false, found);
        return found.count() == 1 && found.only().scope != query;
    }

    private static List<SqlIdentifier> columns(SqlCall aggregate) {
        List<SqlIdentifier> columns = new ArrayList<>();
        SqlBasicVisitor<Void> visitor = new SqlBasicVisitor<>() {
            @Override
            public Void visit(SqlIdentifier name) {
                if (!name.isStar()) {
                    columns.add(name);
                }
                return null;
            }

            @Override
            public Void visit(SqlCall call) {
                return call.isA(SqlKind.QUERY) ? null : super.visit(call);
            }
        };
        aggregate.getOperandList().forEach(operand -> {
            if (operand != null) {
                operand.accept(visitor);
            }
        });
        return columns;
    }
}

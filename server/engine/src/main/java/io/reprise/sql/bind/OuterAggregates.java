package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.DelegatingScope;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Aggregates within a sub-query all of whose columns are those of an outer query. By the standard such an aggregate is computed over the
 * rows of that query: of the innermost one that any of the columns belongs to.
 */
final class OuterAggregates {
    /** The most aggregates of a statement that are moved. */
    private static final int MOST = 100;

    private OuterAggregates() {}

    /** Throws {@link OuterAggregate} if the aggregate is one of these; {@code scope} is the sub-query's. */
    static void find(SqlCall aggregate, SqlNode filter, SqlValidatorScope scope, SqlNameMatcher matcher) {
        SqlValidatorScope own = select(scope);
        SqlValidatorScope owner = null;
        for (SqlIdentifier column : columns(aggregate, filter)) {
            SqlValidatorScope.ResolvedImpl found = new SqlValidatorScope.ResolvedImpl();
            own.resolve(List.of(column.names.getFirst()), matcher, false, found);
            if (found.count() != 1 || found.only().scope == own) {
                return;
            }
            SqlValidatorScope outer = select(found.only().scope);
            owner = owner == null || isWithin(outer, owner) ? outer : owner;
        }
        if (owner instanceof SelectScope query) {
            throw new OuterAggregate(aggregate, query.getNode());
        }
    }

    private static SqlValidatorScope select(SqlValidatorScope scope) {
        SqlValidatorScope own = scope;
        while (!(own instanceof SelectScope) && own instanceof DelegatingScope inner) {
            own = inner.getParent();
        }
        return own;
    }

    private static boolean isWithin(SqlValidatorScope inner, SqlValidatorScope outer) {
        SqlValidatorScope around = inner;
        while (around != outer && around instanceof DelegatingScope scope) {
            around = scope.getParent();
        }
        return around == outer;
    }

    private static List<SqlIdentifier> columns(SqlCall aggregate, SqlNode filter) {
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
        if (filter != null) {
            filter.accept(visitor);
        }
        return columns;
    }

    /** Whether a call is that of an aggregate. */
    static boolean isAggregate(SqlCall call) {
        SqlOperator operator = call.getOperator();
        if (!(operator instanceof SqlUnresolvedFunction function)) {
            return operator.isAggregator();
        }
        List<SqlOperator> found = new ArrayList<>();
        SupportedFunctions.table()
                .lookupOperatorOverloads(
                        function.getSqlIdentifier(),
                        function.getFunctionType(),
                        SqlSyntax.FUNCTION,
                        found,
                        SqlNameMatchers.withCaseSensitive(false));
        return found.stream().anyMatch(SqlOperator::isAggregator);
    }

    /** An aggregate without FILTER and WITHIN GROUP behind it; any other call as it is. */
    static SqlCall unwrapped(SqlCall call) {
        boolean wrapped = call.getKind() == SqlKind.FILTER || call.getKind() == SqlKind.WITHIN_GROUP;
        return wrapped && call.operand(0) instanceof SqlCall inner ? unwrapped(inner) : call;
    }

    /**
     * The statement with its outer aggregates computed in their queries. All are found first, each by a validation of a copy in which NULL
     * stands for those before it.
     *
     * @param first the first one
     * @param validation validates a statement, which it may change
     */
    static SqlNode moved(SqlNode statement, OuterAggregate first, Consumer<SqlNode> validation) {
        List<OuterAggregate> found = new ArrayList<>();
        for (OuterAggregate next = first; next != null; next = next(statement, found, validation)) {
            if (found.size() == MOST) {
                throw next.refusal(statement);
            }
            found.add(next);
        }
        SqlNode moved = statement;
        for (OuterAggregate each : found) {
            List<OuterAggregate> beside = found.stream().filter(each::isBeside).toList();
            if (beside.getFirst() == each) {
                moved = MovedAggregates.in(moved, beside);
            }
        }
        return moved;
    }

    private static OuterAggregate next(SqlNode statement, List<OuterAggregate> found, Consumer<SqlNode> validation) {
        try {
            validation.accept(statement.accept(new Copy(found)));
        } catch (OuterAggregate next) {
            return next;
        } catch (RuntimeException | AssertionError e) {
            // Of a placeholder, or of the statement itself, which is validated when all aggregates have been moved.
            OuterAggregate.rethrow(e);
        }
        return null;
    }

    /** A copy of a statement, because validation changes one in place. */
    static SqlNode copy(SqlNode statement) {
        return statement.accept(new Copy(List.of()));
    }

    private static final class Copy extends SqlShuttle {
        private final List<OuterAggregate> left;

        Copy(List<OuterAggregate> left) {
            this.left = left;
        }

        @Override
        public SqlNode visit(SqlCall call) {
            PlanningLimit.check();
            if (left.stream().anyMatch(aggregate -> aggregate.is(unwrapped(call)))) {
                return SqlLiteral.createNull(call.getParserPosition());
            }
            CallCopyingArgHandler copy = new CallCopyingArgHandler(call, true);
            call.getOperator().acceptCall(this, call, false, copy);
            return copy.result();
        }

        @Override
        public SqlNode visit(SqlIdentifier name) {
            return name.clone(name.getParserPosition());
        }
    }

    /** Whether a statement has an aggregate in a sub-query. */
    static boolean mayBeIn(SqlNode statement) {
        boolean[] found = new boolean[1];
        statement.accept(new SqlBasicVisitor<Void>() {
            private int depth;

            @Override
            public Void visit(SqlCall call) {
                boolean query = call.getKind() == SqlKind.SELECT;
                depth += query ? 1 : 0;
                found[0] |= depth > 1 && isAggregate(call);
                if (!found[0]) {
                    super.visit(call);
                }
                depth -= query ? 1 : 0;
                return null;
            }
        });
        return found[0];
    }
}

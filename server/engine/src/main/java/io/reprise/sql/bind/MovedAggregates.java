package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.util.Litmus;
import org.apache.calcite.util.Util;

/**
 * A query whose sub-queries have aggregates that belong to it. Its FROM becomes a derived table of the groups, with their expressions and
 * all aggregates as columns, and the sub-queries name these columns:
 *
 * <pre>
 * SELECT a, (SELECT SUM(o.x) FROM t) FROM o WHERE c GROUP BY a HAVING d
 * SELECT a, (SELECT o.$A0 FROM t) FROM (SELECT a, SUM(o.x) AS $A0 FROM o WHERE c GROUP BY a) AS o WHERE d
 * </pre>
 */
final class MovedAggregates {
    private static final Set<SqlKind> SETS = Set.of(SqlKind.ROLLUP, SqlKind.CUBE, SqlKind.GROUPING_SETS, SqlKind.ROW);

    private final SqlSelect query;
    private final List<OuterAggregate> moved;
    private final List<SqlNode> columns = new ArrayList<>();

    /** The distinct expressions of GROUP BY. */
    private final List<SqlNode> groups = new ArrayList<>();

    /** The elements of GROUP BY: expressions, and sets of them. */
    private final List<SqlNode> groupings = new ArrayList<>();

    private final List<SqlIdentifier> groupNames = new ArrayList<>();
    private final List<SqlNode> aggregates = new ArrayList<>();

    /** The names by which the query's tables are known, and that of the derived table. */
    private final Set<String> tables = new TreeSet<>();

    private final String alias;

    private MovedAggregates(SqlSelect query, List<OuterAggregate> moved) {
        this.query = query;
        this.moved = moved;
        moved.forEach(OuterAggregate::requireGroups);
        if (query.getFrom() == null) {
            throw moved.getFirst().refusal(query);
        }
        for (SqlNode item : query.getSelectList()) {
            if (isStar(item)) {
                throw PlanningErrors.at(
                        item.getParserPosition(),
                        moved.getFirst().belongs() + ", and so each column of its list is grouped: name the columns"
                                + " instead of *, and list them in GROUP BY");
            }
        }
        addNames(query.getFrom(), tables);
        alias = tables.size() == 1 ? tables.iterator().next() : "$GROUPS";
        if (query.getGroup() != null) {
            query.getGroup().forEach(written -> groupings.add(grouping(written)));
        }
    }

    /** The statement with aggregates, all of the same query, computed in that query. */
    static SqlNode in(SqlNode statement, List<OuterAggregate> moved) {
        boolean[] done = new boolean[1];
        SqlNode result = statement.accept(new SqlShuttle() {
            @Override
            public SqlNode visit(SqlCall call) {
                PlanningLimit.check();
                if (call instanceof SqlOrderBy order && moved.getFirst().belongsTo(order.query)) {
                    done[0] = true;
                    return new MovedAggregates((SqlSelect) order.query, moved).ordered(order);
                } else if (call instanceof SqlSelect select && moved.getFirst().belongsTo(select)) {
                    done[0] = true;
                    return new MovedAggregates(select, moved).selected();
                }
                return super.visit(call);
            }
        });
        if (!done[0]) {
            throw moved.getFirst().refusal(statement);
        }
        return result;
    }

    private static boolean isStar(SqlNode item) {
        return item instanceof SqlIdentifier name && name.isStar();
    }

    /** Adds the names by which the tables of a FROM are known. */
    private static void addNames(SqlNode from, Set<String> names) {
        if (from instanceof SqlJoin join) {
            addNames(join.getLeft(), names);
            addNames(join.getRight(), names);
        } else if (from.getKind() == SqlKind.AS) {
            names.add(((SqlIdentifier) ((SqlCall) from).operand(1)).getSimple());
        } else if (from instanceof SqlIdentifier name) {
            names.add(Util.last(name.names));
        }
    }

    /** An element of GROUP BY for the derived table; the expressions in it become columns. */
    private SqlNode grouping(SqlNode written) {
        if (written instanceof SqlNodeList list) {
            SqlNodeList set = new SqlNodeList(list.getParserPosition());
            list.forEach(each -> set.add(grouping(each)));
            return set;
        }
        if (SETS.contains(written.getKind())) {
            SqlCall call = (SqlCall) written;
            return call.getOperator()
                    .createCall(
                            call.getParserPosition(),
                            call.getOperandList().stream().map(this::grouping).toList());
        }
        if (!(written instanceof SqlNumericLiteral number) || !number.isInteger()) {
            return group(written);
        }
        int position = number.intValue(true);
        // Validation refuses a number that no item has.
        return position < 1 || position > query.getSelectList().size()
                ? written
                : group(SqlUtil.stripAs(query.getSelectList().get(position - 1)));
    }

    private SqlNode group(SqlNode group) {
        if (groups.stream().anyMatch(known -> known.equalsDeep(group, Litmus.IGNORE))) {
            return group;
        }
        SqlParserPos at = group.getParserPosition();
        String simple = group instanceof SqlIdentifier name ? Util.last(name.names) : "";
        boolean named = group instanceof SqlIdentifier
                && groupNames.stream().noneMatch(name -> Util.last(name.names).equals(simple));
        String column = named ? simple : "$G" + groups.size();
        groups.add(group);
        groupNames.add(new SqlIdentifier(List.of(alias, column), at));
        columns.add(SqlStdOperatorTable.AS.createCall(at, group, new SqlIdentifier(column, at)));
        return group;
    }

    private SqlNode ordered(SqlOrderBy order) {
        SqlNodeList by = new SqlNodeList(order.orderList.getParserPosition());
        Substitution substitution = new Substitution();
        order.orderList.forEach(item -> by.add(item.accept(substitution)));
        return new SqlOrderBy(order.getParserPosition(), selected(), by, order.offset, order.fetch);
    }

    /** The query over the derived table. Its aggregates, and those of ORDER BY, are columns of that table. */
    private SqlNode selected() {
        Substitution substitution = new Substitution();
        SqlNodeList items = new SqlNodeList(query.getSelectList().getParserPosition());
        for (int i = 0; i < query.getSelectList().size(); i++) {
            SqlNode item = query.getSelectList().get(i);
            SqlNode replaced = substitution.item(item);
            // An expression keeps the name that it has without a name of its own.
            items.add(
                    replaced instanceof SqlIdentifier
                            ? SqlStdOperatorTable.AS.createCall(
                                    item.getParserPosition(),
                                    replaced,
                                    new SqlIdentifier(SqlValidatorUtil.alias(item, i), item.getParserPosition()))
                            : replaced);
        }
        SqlNode having = query.getHaving() == null ? null : query.getHaving().accept(substitution);
        SqlNodeList windows = query.getWindowList() == null
                ? null
                : (SqlNodeList) query.getWindowList().accept(substitution);
        SqlParserPos at = query.getParserPosition();
        SqlSelect grouped = new SqlSelect(
                at,
                null,
                new SqlNodeList(columns, at),
                query.getFrom(),
                query.getWhere(),
                query.getGroup() == null ? null : new SqlNodeList(groupings, at),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        SqlNode from = SqlStdOperatorTable.AS.createCall(at, grouped, new SqlIdentifier(alias, at));
        return new SqlSelect(
                at,
                (SqlNodeList) query.getOperandList().getFirst(),
                items,
                from,
                having,
                null,
                null,
                windows,
                null,
                null,
                query.getOffset(),
                query.getFetch(),
                null);
    }

    /** Puts columns of the derived table in the places of aggregates and of expressions of GROUP BY. */
    private final class Substitution extends SqlShuttle {
        /** The number of sub-queries around. */
        private int depth;

        /** Whether the innermost sub-query around groups or aggregates. */
        private boolean aggregated;

        /** Whether an item of the query's list is visited. */
        private boolean listed;

        /** Names of the query's tables that tables of a sub-query hide. */
        private Set<String> hidden = Set.of();

        @Override
        public SqlNode visit(SqlCall call) {
            PlanningLimit.check();
            boolean outer = moved.stream().anyMatch(aggregate -> aggregate.is(OuterAggregates.unwrapped(call)));
            if (outer || depth == 0 && OuterAggregates.isAggregate(OuterAggregates.unwrapped(call))) {
                return value(column(call));
            }
            if (depth == 0) {
                for (int i = 0; i < groups.size(); i++) {
                    if (call.equalsDeep(groups.get(i), Litmus.IGNORE)) {
                        return groupNames.get(i).clone(call.getParserPosition());
                    }
                }
            }
            if (call.getKind() == SqlKind.AS) {
                SqlNode operand = call.operand(0).accept(this);
                List<SqlNode> operands = new ArrayList<>(call.getOperandList());
                operands.set(0, operand);
                return call.getOperator().createCall(call.getParserPosition(), operands);
            } else if (call.getKind() == SqlKind.OVER) {
                return window(call);
            } else if (!call.isA(SqlKind.QUERY)) {
                return super.visit(call);
            }
            return within(call);
        }

        private SqlNode within(SqlCall subQuery) {
            Set<String> before = hidden;
            boolean aggregatedBefore = aggregated;
            depth++;
            if (subQuery instanceof SqlSelect select) {
                aggregated = isAggregated(select);
                hidden = new TreeSet<>(hidden);
                if (select.getFrom() != null) {
                    addNames(select.getFrom(), hidden);
                }
            }
            SqlNode visited = super.visit(subQuery);
            depth--;
            hidden = before;
            aggregated = aggregatedBefore;
            return visited;
        }

        private boolean isAggregated(SqlSelect select) {
            boolean[] found = new boolean[] {select.getGroup() != null};
            SqlBasicVisitor<Void> own = new SqlBasicVisitor<>() {
                @Override
                public Void visit(SqlCall call) {
                    boolean other = call.isA(SqlKind.QUERY)
                            || moved.stream().anyMatch(aggregate -> aggregate.is(OuterAggregates.unwrapped(call)));
                    found[0] |= !other && OuterAggregates.isAggregate(call);
                    return other ? null : super.visit(call);
                }
            };
            select.getSelectList().accept(own);
            if (select.getHaving() != null) {
                select.getHaving().accept(own);
            }
            return found[0];
        }

        /** A column as an expression. Calcite takes an outer column beside aggregates in a query of its own only. */
        private SqlNode value(SqlIdentifier column) {
            SqlParserPos at = column.getParserPosition();
            return depth > 0 && aggregated
                    ? new SqlSelect(
                            at,
                            null,
                            SqlNodeList.of(column),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null)
                    : column;
        }

        /** A window function is computed over the groups, of what their aggregates give. */
        private SqlNode window(SqlCall over) {
            SqlCall function = over.operand(0);
            List<SqlNode> operands = new ArrayList<>();
            function.getOperandList().forEach(operand -> operands.add(operand == null ? null : operand.accept(this)));
            SqlNode replaced = function.getOperator()
                    .createCall(function.getFunctionQuantifier(), function.getParserPosition(), operands);
            // A window may have a name.
            boolean listedBefore = listed;
            listed = false;
            SqlNode window = over.operand(1).accept(this);
            listed = listedBefore;
            return over.getOperator().createCall(over.getParserPosition(), replaced, window);
        }

        /** An item of the query's list, whose columns are grouped. */
        SqlNode item(SqlNode item) {
            listed = true;
            SqlNode replaced = item.accept(this);
            listed = false;
            return replaced;
        }

        @Override
        public SqlNode visit(SqlIdentifier name) {
            boolean qualified = name.names.size() == 2
                    && tables.contains(name.names.getFirst())
                    && !hidden.contains(name.names.getFirst());
            for (int i = 0; i < groups.size(); i++) {
                if (groups.get(i) instanceof SqlIdentifier group) {
                    if (qualified && isColumn(group, name)) {
                        return value((SqlIdentifier) groupNames.get(i).clone(name.getParserPosition()));
                    } else if (name.isSimple() && name.getSimple().equals(Util.last(group.names))) {
                        return name;
                    }
                }
            }
            if (qualified || depth == 0 && listed && name.isSimple() && !isFunction(name)) {
                throw PlanningErrors.at(
                        name.getParserPosition(),
                        "the column " + String.join(".", name.names)
                                + " is not grouped: list it in GROUP BY, or take an" + " aggregate of it, because "
                                + moved.getFirst().belongs());
            }
            return name;
        }

        /** Whether a name without parentheses is that of a function, such as CURRENT_USER. */
        private static boolean isFunction(SqlIdentifier name) {
            List<SqlOperator> found = new ArrayList<>();
            SupportedFunctions.table()
                    .lookupOperatorOverloads(
                            name, null, SqlSyntax.FUNCTION_ID, found, SqlNameMatchers.withCaseSensitive(false));
            return !found.isEmpty();
        }

        private boolean isColumn(SqlIdentifier group, SqlIdentifier name) {
            return group.isSimple() ? group.getSimple().equals(Util.last(name.names)) : group.names.equals(name.names);
        }

        private SqlIdentifier column(SqlCall aggregate) {
            SqlParserPos at = aggregate.getParserPosition();
            int known = 0;
            while (known < aggregates.size() && !aggregates.get(known).equalsDeep(aggregate, Litmus.IGNORE)) {
                known++;
            }
            String name = "$A" + known;
            if (known == aggregates.size()) {
                aggregates.add(aggregate);
                columns.add(SqlStdOperatorTable.AS.createCall(at, aggregate, new SqlIdentifier(name, at)));
            }
            return new SqlIdentifier(List.of(alias, name), at);
        }
    }
}

package io.reprise.sql.bind;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * Column names that Calcite resolves otherwise than the standard.
 *
 * <p>A common column of USING or NATURAL JOIN needs no table's name: it is written with one before Calcite looks it up, which
 * takes it for ambiguous in all clauses but the select list. In ORDER BY a name alone is that of a result's column; within an
 * expression it is a column of FROM, and that of the result only if there is none.
 */
final class ColumnNames {
    private final Tables tables;

    /** The FROM clauses of the queries around, from the innermost one. */
    private final Deque<SqlNode> surrounding = new ArrayDeque<>();

    private final Set<SqlSelect> entered = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The select lists of queries before Calcite expands them. */
    private final IdentityHashMap<SqlSelect, SqlNodeList> written = new IdentityHashMap<>();

    ColumnNames(Tables tables) {
        this.tables = tables;
    }

    /** Knowledge of the validator about what stands in FROM. */
    interface Tables {
        RelDataType columns(SqlNode table);

        /** The common columns of a join with USING or NATURAL; null for another one. */
        List<String> common(SqlJoin join);
    }

    /** Begins a query, whose common columns get their table's names. */
    void begin(SqlSelect select) {
        SqlNode from = from(select);
        if (from instanceof SqlJoin join) {
            qualifyConditions(join);
        }
        List<SqlNode> visible = new ArrayList<>(surrounding);
        visible.addFirst(from);
        if (visible.stream().anyMatch(table -> !common(table).isEmpty())) {
            qualify(select, new Qualifying(name -> qualified(visible, name)));
        }
        written.put(select, select.getSelectList());
    }

    /** Tells that a query's FROM has been validated, and its sub-queries are next, which may refer to it. */
    void enter(SqlSelect select) {
        surrounding.push(from(select));
        entered.add(select);
    }

    /** Ends a query. */
    void end(SqlSelect select) {
        if (entered.remove(select)) {
            surrounding.pop();
        }
    }

    private static SqlNode from(SqlSelect select) {
        return select.getFrom() == null ? SqlNodeList.EMPTY : select.getFrom();
    }

    private static void qualify(SqlSelect select, SqlShuttle qualifying) {
        SqlNodeList items = new SqlNodeList(select.getSelectList().getParserPosition());
        for (SqlNode item : select.getSelectList()) {
            SqlNode qualified = item.accept(qualifying);
            items.add(
                    item instanceof SqlIdentifier name && qualified != item
                            ? SqlStdOperatorTable.AS.createCall(
                                    item.getParserPosition(),
                                    qualified,
                                    new SqlIdentifier(name.getSimple(), name.getParserPosition()))
                            : qualified);
        }
        select.setSelectList(items);
        if (select.getWhere() != null) {
            select.setWhere(select.getWhere().accept(qualifying));
        }
        if (select.getGroup() != null) {
            select.setGroupBy((SqlNodeList) select.getGroup().accept(qualifying));
        }
        if (select.getHaving() != null) {
            select.setHaving(select.getHaving().accept(qualifying));
        }
    }

    private void qualifyConditions(SqlJoin join) {
        for (SqlNode side : List.of(join.getLeft(), join.getRight())) {
            if (side instanceof SqlJoin within) {
                qualifyConditions(within);
            }
        }
        if (join.getCondition() != null
                && tables.common(join) == null
                && !common(join).isEmpty()) {
            Set<String> names = common(join);
            join.setOperand(
                    5,
                    join.getCondition()
                            .accept(new Qualifying(
                                    name -> names.contains(name.getSimple()) ? column(join, name) : null)));
        }
    }

    /** A common column of the innermost query that has the name; null if it is no common one. */
    private SqlNode qualified(List<SqlNode> visible, SqlIdentifier name) {
        for (SqlNode from : visible) {
            if (common(from).contains(name.getSimple())) {
                return column(from, name);
            } else if (!columns(from, name.getSimple()).isEmpty()) {
                return null;
            }
        }
        return null;
    }

    private Set<String> common(SqlNode from) {
        if (!(from instanceof SqlJoin join)) {
            return Set.of();
        }
        Set<String> names = new HashSet<>(common(join.getLeft()));
        names.addAll(common(join.getRight()));
        List<String> own = tables.common(join);
        if (own != null) {
            names.addAll(own);
        }
        return names;
    }

    /** The one column of FROM that has a name; null if none or several have. */
    private SqlNode column(SqlNode from, SqlIdentifier name) {
        return columns(from, name.getSimple()).size() == 1 ? value(from, name) : null;
    }

    /** The one column of FROM that has a name; of FULL JOIN, the side's that has a row. */
    private SqlNode value(SqlNode from, SqlIdentifier name) {
        if (!(from instanceof SqlJoin join)) {
            return identifier(SqlValidatorUtil.alias(from), name.getSimple(), name.getParserPosition());
        }
        List<String> own = tables.common(join);
        if (own == null || !own.contains(name.getSimple())) {
            return value(columns(join.getLeft(), name.getSimple()).isEmpty() ? join.getRight() : join.getLeft(), name);
        } else if (join.getJoinType() == JoinType.FULL) {
            return SqlStdOperatorTable.COALESCE.createCall(
                    name.getParserPosition(), value(join.getLeft(), name), value(join.getRight(), name));
        }
        return value(join.getJoinType() == JoinType.RIGHT ? join.getRight() : join.getLeft(), name);
    }

    private static SqlIdentifier identifier(String table, String column, SqlParserPos position) {
        return new SqlIdentifier(List.of(table, column), null, position, List.of(position, position));
    }

    /** The tables that have a column of this name: of a common column, the one whose value it has. */
    private List<String> columns(SqlNode from, String name) {
        if (from instanceof SqlJoin join) {
            List<String> own = tables.common(join);
            if (own != null && own.contains(name)) {
                return columns(join.getJoinType() == JoinType.RIGHT ? join.getRight() : join.getLeft(), name);
            }
            List<String> both = new ArrayList<>(columns(join.getLeft(), name));
            both.addAll(columns(join.getRight(), name));
            return both;
        }
        String alias = from instanceof SqlNodeList ? null : SqlValidatorUtil.alias(from);
        return alias != null && tables.columns(from).getField(name, true, false) != null ? List.of(alias) : List.of();
    }

    /** An item of ORDER BY with the names that are columns of FROM resolved; {@code byCalcite} resolves the others. */
    SqlNode ordered(SqlSelect select, SqlNode item, UnaryOperator<SqlNode> byCalcite) {
        SqlNode from = select.getFrom();
        if (from == null) {
            return byCalcite.apply(item);
        } else if (item instanceof SqlIdentifier name) {
            return name.isSimple() ? orderedBy(select, name, byCalcite) : byCalcite.apply(item);
        } else if (!(item instanceof SqlCall)) {
            return byCalcite.apply(item);
        }
        return item.accept(new Qualifying(name -> {
            SqlNode column = column(from, name);
            return column != null ? column : byCalcite.apply(name);
        }));
    }

    /** An item of ORDER BY, or what is in it below DESC and NULLS, with a name alone resolved if it is a column's. */
    SqlNode orderedByName(SqlSelect select, SqlNode item) {
        boolean direction = item.getKind() == SqlKind.DESCENDING
                || item.getKind() == SqlKind.NULLS_FIRST
                || item.getKind() == SqlKind.NULLS_LAST;
        if (direction) {
            SqlCall call = (SqlCall) item;
            SqlNode inner = call.operand(0);
            SqlNode resolved = orderedByName(select, inner);
            return resolved == inner ? call : call.getOperator().createCall(call.getParserPosition(), resolved);
        }
        return item instanceof SqlIdentifier name && name.isSimple() && select.getFrom() != null
                ? orderedBy(select, name, other -> other)
                : item;
    }

    private SqlNode orderedBy(SqlSelect select, SqlIdentifier name, UnaryOperator<SqlNode> byCalcite) {
        Map<String, SqlNode> meant = resultColumns(select, name);
        if (meant.size() > 1) {
            throw PlanningErrors.ambiguousOrder(name);
        } else if (meant.size() == 1 && meant.values().iterator().next() instanceof SqlIdentifier column) {
            return identifier(column.names.getFirst(), column.names.getLast(), name.getParserPosition());
        }
        SqlNode common = meant.isEmpty() && common(select.getFrom()).contains(name.getSimple())
                ? column(select.getFrom(), name)
                : null;
        return common != null ? common : byCalcite.apply(name);
    }

    /** The different expressions of the result's columns that have a name; columns of FROM with their table's name. */
    private Map<String, SqlNode> resultColumns(SqlSelect select, SqlIdentifier name) {
        SqlNode from = select.getFrom();
        Map<String, SqlNode> found = new LinkedHashMap<>();
        for (SqlNode item : written.getOrDefault(select, select.getSelectList())) {
            boolean all = item instanceof SqlIdentifier star && star.isStar() && star.names.size() == 1;
            SqlNode of = all && common(from).contains(name.getSimple()) ? column(from, name) : null;
            if (of != null) {
                found.put(of.toString(), of);
            } else if (item instanceof SqlIdentifier star && star.isStar()) {
                columns(from, name.getSimple()).stream()
                        .filter(table -> star.names.size() == 1 || table.equals(star.names.get(star.names.size() - 2)))
                        .map(table -> identifier(table, name.getSimple(), name.getParserPosition()))
                        .forEach(column -> found.put(column.toString(), column));
            } else if (name.getSimple().equals(SqlValidatorUtil.alias(item))) {
                SqlNode expression = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
                SqlNode column =
                        expression instanceof SqlIdentifier plain && plain.isSimple() ? column(from, plain) : null;
                found.put((column != null ? column : expression).toString(), column != null ? column : expression);
            }
        }
        return found;
    }

    /** Replaces names, but not those of other queries within, and no aliases. */
    private static final class Qualifying extends SqlShuttle {
        private final Function<SqlIdentifier, SqlNode> columns;

        Qualifying(Function<SqlIdentifier, SqlNode> columns) {
            this.columns = columns;
        }

        @Override
        public SqlNode visit(SqlIdentifier name) {
            SqlNode column = name.isSimple() && !name.isStar() ? columns.apply(name) : null;
            return column != null ? column : name;
        }

        @Override
        public SqlNode visit(SqlCall call) {
            if (call.isA(SqlKind.QUERY)) {
                return call;
            } else if (call.getKind() == SqlKind.AS) {
                SqlNode expression = call.operand(0);
                SqlNode qualified = expression.accept(this);
                if (qualified == expression) {
                    return call;
                }
                List<SqlNode> operands = new ArrayList<>(call.getOperandList());
                operands.set(0, qualified);
                return call.getOperator().createCall(call.getParserPosition(), operands);
            }
            return super.visit(call);
        }
    }
}

package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Util;

/**
 * INSERT from a SELECT over listed rows, of which ORMs generate many: {@code SELECT a::INTEGER FROM (VALUES (?, 0), (?, 1)) AS v (a, n)
 * ORDER BY n}. If a row takes a value that is drawn before the statement, such as one of a sequence, the source becomes VALUES: so the
 * number of drawn values is known. Rows draw in their order.
 */
final class ListedSource {
    private final SqlSelect select;
    private final List<SqlNode> order;
    private final String alias;
    private final List<String> columns;
    private final List<SqlCall> rows;

    private ListedSource(
            SqlSelect select, List<SqlNode> order, String alias, List<String> columns, List<SqlCall> rows) {
        this.select = select;
        this.order = order;
        this.alias = alias;
        this.columns = columns;
        this.rows = rows;
    }

    /** Puts VALUES in the place of the source, if that lists its rows and draws values. */
    static void list(Catalog catalog, SqlInsert insert) {
        ListedSource source = of(insert.getSource());
        if (source != null && source.draws(catalog, insert) && source.isOfEachRow()) {
            insert.setOperand(ColumnDefaults.SOURCE, source.values());
        }
    }

    /** The parts of a source; null if it is another query. */
    private static ListedSource of(SqlNode source) {
        SqlNode query = source;
        List<SqlNode> order = List.of();
        if (source instanceof SqlOrderBy ordered && ordered.offset == null && ordered.fetch == null) {
            query = ordered.query;
            order = ordered.orderList;
        }
        if (!(query instanceof SqlSelect select)
                || !isPlain(select)
                || !(select.getFrom() instanceof SqlBasicCall named)
                || named.getKind() != SqlKind.AS
                || named.operandCount() < 3
                || named.operand(0).getKind() != SqlKind.VALUES) {
            return null;
        }
        List<String> columns = named.getOperandList().subList(2, named.operandCount()).stream()
                .map(name -> Util.last(((SqlIdentifier) name).names))
                .toList();
        List<SqlCall> rows = ((SqlCall) named.operand(0))
                .getOperandList().stream().map(SqlCall.class::cast).toList();
        boolean even =
                rows.stream().allMatch(row -> row.getKind() == SqlKind.ROW && row.operandCount() == columns.size());
        String alias = Util.last(((SqlIdentifier) named.operand(1)).names);
        return even ? new ListedSource(select, order, alias, columns, rows) : null;
    }

    private static boolean isPlain(SqlSelect select) {
        return !select.isDistinct()
                && select.getWhere() == null
                && select.getGroup() == null
                && select.getHaving() == null
                && select.getQualify() == null
                && select.getOffset() == null
                && select.getFetch() == null
                && (select.getOrderList() == null || select.getOrderList().isEmpty())
                && (select.getWindowList() == null || select.getWindowList().isEmpty());
    }

    /** Whether the statement, or the default of a column that it leaves out, takes a value that is drawn. */
    private boolean draws(Catalog catalog, SqlInsert insert) {
        boolean[] found = new boolean[1];
        select.getSelectList().accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                found[0] |= SequenceCalls.isDrawn(call);
                return super.visit(call);
            }
        });
        if (found[0] || insert.getTargetColumnList() == null) {
            return found[0];
        }
        Set<String> given = insert.getTargetColumnList().stream()
                .map(name -> Util.last(((SqlIdentifier) name).names))
                .collect(Collectors.toSet());
        return insert.getTargetTable() instanceof SqlIdentifier name
                && catalog.table(Util.last(name.names)).map(Table::columns).orElse(List.of()).stream()
                        .filter(column -> !given.contains(column.name()))
                        .anyMatch(Column::hasDefaultExpression);
    }

    /** Whether each item is computed from its row alone, and the order is known. */
    private boolean isOfEachRow() {
        return select.getSelectList().stream().allMatch(item -> isOfItsRow(unnamed(item)))
                && order.stream().allMatch(this::isKnown);
    }

    private boolean isOfItsRow(SqlNode item) {
        if (item instanceof SqlIdentifier name) {
            return name.isStar() || column(name) >= 0;
        }
        boolean[] other = new boolean[1];
        item.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                if (SequenceCalls.isDrawn(call)) {
                    return null;
                }
                boolean cast = call.getKind() == SqlKind.CAST;
                other[0] |= call.isA(SqlKind.QUERY) || call.getOperator() instanceof SqlFunction && !cast;
                if (cast && call.operand(0) instanceof SqlIdentifier name) {
                    other[0] |= column(name) < 0;
                    return null;
                }
                return super.visit(call);
            }

            @Override
            public Void visit(SqlIdentifier name) {
                other[0] |= !hasOneType(column(name));
                return null;
            }
        });
        return !other[0];
    }

    /**
     * Whether an operator computes the same from each row's literal as from the column, whose type is that of all its literals together:
     * a half of 1 is 0, and beside 2.5 it is 0.5.
     */
    private boolean hasOneType(int column) {
        if (column < 0) {
            return false;
        }
        Set<String> types = rows.stream().map(row -> type(row.operand(column))).collect(Collectors.toSet());
        types.remove(SqlTypeName.NULL.name());
        return types.size() <= 1 && !types.contains("");
    }

    /** The type and scale of a literal or a CAST; empty for another value. */
    private static String type(SqlNode value) {
        if (value.getKind() == SqlKind.CAST) {
            return ((SqlCall) value).operand(1).toString();
        }
        SqlNode positive = value.getKind() == SqlKind.MINUS_PREFIX ? ((SqlCall) value).operand(0) : value;
        if (!(positive instanceof SqlLiteral literal)) {
            return "";
        }
        RelDataType type = literal.createSqlType(new RepriseTypeFactory());
        SqlTypeName name = type.getSqlTypeName();
        return name == SqlTypeName.DECIMAL ? name + " " + type.getScale() : name.name();
    }

    private static SqlNode unnamed(SqlNode item) {
        return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }

    private boolean isKnown(SqlNode item) {
        int column = sorting(item);
        return column >= 0 && rows.stream().allMatch(row -> row.operand(column) instanceof SqlNumericLiteral);
    }

    /** The column of the listed rows that a part of ORDER BY means; -1: none. A column of the result comes before one of the rows. */
    private int sorting(SqlNode item) {
        SqlNode key = item.getKind() == SqlKind.DESCENDING ? ((SqlCall) item).operand(0) : item;
        if (!(key instanceof SqlIdentifier name)) {
            return -1;
        }
        List<SqlNode> results = !name.isSimple()
                ? List.of()
                : select.getSelectList().stream()
                        .filter(result -> result.getKind() == SqlKind.AS)
                        .map(SqlCall.class::cast)
                        .filter(result ->
                                ((SqlIdentifier) result.operand(1)).getSimple().equals(name.getSimple()))
                        .<SqlNode>map(result -> result.operand(0))
                        .toList();
        if (results.isEmpty()) {
            return column(name);
        }
        return results.size() == 1 && results.getFirst() instanceof SqlIdentifier result ? column(result) : -1;
    }

    /** The column of the listed rows that a name means; -1: none. */
    private int column(SqlIdentifier name) {
        boolean known = name.isSimple()
                || name.names.size() == 2 && name.names.getFirst().equals(alias);
        return known ? columns.indexOf(Util.last(name.names)) : -1;
    }

    private SqlNode values() {
        List<SqlCall> sorted = new ArrayList<>(rows);
        for (SqlNode item : order.reversed()) {
            boolean descending = item.getKind() == SqlKind.DESCENDING;
            int column = sorting(item);
            Comparator<SqlCall> ascending =
                    Comparator.comparing(row -> ((SqlNumericLiteral) row.operand(column)).getValueAs(BigDecimal.class));
            sorted.sort(descending ? ascending.reversed() : ascending);
        }
        List<SqlNode> listed = sorted.stream().map(this::row).toList();
        return SqlStdOperatorTable.VALUES.createCall(select.getParserPosition(), listed);
    }

    private SqlNode row(SqlCall row) {
        SqlShuttle values = new SqlShuttle() {
            @Override
            public SqlNode visit(SqlIdentifier name) {
                int column = column(name);
                return column < 0 ? name : row.operand(column);
            }

            // The name behind NEXT VALUE FOR is a sequence's.
            @Override
            public SqlNode visit(SqlCall call) {
                boolean named = call.getKind() == SqlKind.NEXT_VALUE || call.getKind() == SqlKind.CURRENT_VALUE;
                return named ? call : super.visit(call);
            }
        };
        List<SqlNode> items = new ArrayList<>();
        for (SqlNode item : select.getSelectList()) {
            if (item instanceof SqlIdentifier name && name.isStar()) {
                items.addAll(row.getOperandList());
            } else {
                items.add(unnamed(item).accept(values));
            }
        }
        return SqlStdOperatorTable.ROW.createCall(new SqlNodeList(items, row.getParserPosition()));
    }
}

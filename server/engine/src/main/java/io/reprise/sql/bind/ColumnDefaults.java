package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;

/**
 * DEFAULT as a value. In INSERT, a column without a default gets NULL, or the statement is refused; Calcite resolves the other
 * columns. In UPDATE the column's default takes the word's place.
 */
final class ColumnDefaults {
    /** The operand of an INSERT with its rows. */
    static final int SOURCE = 2;

    /** The operand of an INSERT with its columns. */
    private static final int TARGET_COLUMNS = 3;

    private final Table table;
    private final List<String> columns;

    private ColumnDefaults(Table table, List<String> columns) {
        this.table = table;
        this.columns = columns;
    }

    /** Puts NULL where DEFAULT means it; {@code columns} are those that the statement lists. */
    static void resolve(Catalog catalog, SqlInsert insert, List<String> columns) {
        Table table = table(catalog, insert.getTargetTable());
        if (table == null || insert.getSource().getKind() != SqlKind.VALUES) {
            return;
        }
        List<String> targets =
                columns.isEmpty() ? table.columns().stream().map(Column::name).toList() : columns;
        if (columns.isEmpty()) {
            insert.setOperand(SOURCE, widened((SqlCall) insert.getSource(), targets.size()));
        }
        ColumnDefaults defaults = new ColumnDefaults(table, targets);
        List<SqlCall> rows = ((SqlCall) insert.getSource())
                .getOperandList().stream()
                        .filter(row -> row.getKind() == SqlKind.ROW)
                        .map(SqlCall.class::cast)
                        .toList();
        rows.forEach(defaults::resolve);
        for (int i = 0; i < targets.size(); i++) {
            Optional<Column> column = table.column(targets.get(i));
            if (column.isPresent()) {
                MixedValues.cast(rows, i, column.get().type());
            }
        }
    }

    /** Rows with a DEFAULT for each column in the place of those with a single one. */
    private static SqlNode widened(SqlCall values, int columns) {
        List<SqlNode> rows = new ArrayList<>();
        for (SqlNode row : values.getOperandList()) {
            boolean single = row.getKind() == SqlKind.ROW
                    && ((SqlCall) row).operandCount() == 1
                    && ((SqlCall) row).operand(0).getKind() == SqlKind.DEFAULT;
            rows.add(
                    single
                            ? SqlStdOperatorTable.ROW.createCall(
                                    row.getParserPosition(), Collections.nCopies(columns, ((SqlCall) row).operand(0)))
                            : row);
        }
        return SqlStdOperatorTable.VALUES.createCall(values.getParserPosition(), rows);
    }

    /** Adds the columns that the statement leaves out and whose defaults are expressions, with these expressions as values. */
    static void addExpressions(Catalog catalog, SqlInsert insert) {
        Table table = table(catalog, insert.getTargetTable());
        SqlNodeList targets = insert.getTargetColumnList();
        if (table == null || targets == null) {
            return;
        }
        Set<String> named = targets.stream()
                .map(name -> Util.last(((SqlIdentifier) name).names))
                .collect(Collectors.toSet());
        List<Column> missing = table.columns().stream()
                .filter(column -> column.hasDefaultExpression() && !named.contains(column.name()))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        SqlParserPos position = insert.getSource().getParserPosition();
        if (insert.getSource().getKind() == SqlKind.VALUES) {
            List<SqlNode> rows = new ArrayList<>();
            for (SqlNode row : ((SqlCall) insert.getSource()).getOperandList()) {
                List<SqlNode> values = new ArrayList<>(((SqlCall) row).getOperandList());
                missing.forEach(column -> values.add(expression(table, column)));
                rows.add(SqlStdOperatorTable.ROW.createCall(row.getParserPosition(), values));
            }
            insert.setOperand(SOURCE, SqlStdOperatorTable.VALUES.createCall(position, rows));
        } else {
            insert.setSource(allOf(
                    insert.getSource(),
                    missing.stream().map(column -> expression(table, column)).toList()));
        }
        SqlNodeList all = new SqlNodeList(targets, targets.getParserPosition());
        missing.forEach(column -> all.add(new SqlIdentifier(column.name(), targets.getParserPosition())));
        insert.setOperand(TARGET_COLUMNS, all);
    }

    /** The columns of a query, and others behind them. */
    static SqlSelect allOf(SqlNode query, List<SqlNode> others) {
        SqlParserPos position = query.getParserPosition();
        SqlNodeList items = new SqlNodeList(position);
        items.add(SqlIdentifier.star(position));
        items.addAll(others);
        List<SqlNode> alias = new ArrayList<>(List.of(query, new SqlIdentifier("$SOURCE", position)));
        List<String> names = RecursiveQueries.names(query);
        for (int i = 0; names != null && i < names.size(); i++) {
            // Two columns may have one name.
            alias.add(new SqlIdentifier("$" + i, position));
        }
        SqlNode from = SqlStdOperatorTable.AS.createCall(position, alias);
        return new SqlSelect(position, null, items, from, null, null, null, null, null, null, null, null, null);
    }

    private static SqlNode expression(Table table, Column column) {
        return CatalogSchema.parsedDefault(table, column, column.defaultValue().orElseThrow());
    }

    private void resolve(SqlCall row) {
        List<SqlNode> values = new ArrayList<>(row.getOperandList());
        for (int i = 0; i < Math.min(values.size(), columns.size()); i++) {
            Column column = table.column(columns.get(i)).orElse(null);
            SqlNode value = values.get(i);
            if (value.getKind() == SqlKind.DEFAULT && column != null) {
                if (column.defaultValue().isEmpty()) {
                    row.setOperand(i, missing(table, column, value.getParserPosition()));
                } else if (column.hasDefaultExpression()) {
                    row.setOperand(i, expression(table, column));
                }
            }
        }
    }

    private static SqlNode missing(Table table, Column column, SqlParserPos position) {
        if (!column.nullable()) {
            throw PlanningErrors.at(
                    position,
                    "column " + column.name() + " of table " + table.name()
                            + " has no DEFAULT and cannot be NULL: expected a value");
        }
        return SqlLiteral.createNull(position);
    }

    /** Puts what columns declare where an UPDATE sets them to DEFAULT. */
    static void resolve(Catalog catalog, SqlUpdate update) {
        Table table = table(catalog, update.getTargetTable());
        if (table == null) {
            // Validation refuses that, and does not come to the values.
            return;
        }
        SqlNodeList values = update.getSourceExpressionList();
        for (int i = 0; i < values.size(); i++) {
            SqlIdentifier name = (SqlIdentifier) update.getTargetColumnList().get(i);
            Column column = table.column(Util.last(name.names)).orElse(null);
            if (column != null && values.get(i).getKind() == SqlKind.DEFAULT) {
                values.set(i, value(table, column, values.get(i).getParserPosition()));
            }
        }
    }

    /** The table that a statement writes; null if it is none. */
    private static Table table(Catalog catalog, SqlNode target) {
        return target instanceof SqlIdentifier name
                ? catalog.table(Util.last(name.names)).orElse(null)
                : null;
    }

    static SqlNode value(Table table, Column column, SqlParserPos position) {
        return column.defaultValue()
                .map(text -> CatalogSchema.parsedDefault(table, column, text).clone(position))
                .orElseGet(() -> missing(table, column, position));
    }
}

package io.reprise.sql.plan;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.util.Util;

/** DEFAULT of a column that declares none: NULL, or refused. Calcite knows only what to do where there is a default. */
final class MissingDefaults {
    private final Table table;
    private final List<String> columns;

    private MissingDefaults(Table table, List<String> columns) {
        this.table = table;
        this.columns = columns;
    }

    /** Puts NULL where DEFAULT means it; {@code columns} are those that the statement lists. */
    static void resolve(Catalog catalog, SqlInsert insert, List<String> columns) {
        Table table = insert.getTargetTable() instanceof SqlIdentifier name
                ? catalog.table(Util.last(name.names)).orElse(null)
                : null;
        if (table == null || insert.getSource().getKind() != SqlKind.VALUES) {
            return;
        }
        List<String> targets =
                columns.isEmpty() ? table.columns().stream().map(Column::name).toList() : columns;
        MissingDefaults defaults = new MissingDefaults(table, targets);
        for (SqlNode row : ((SqlCall) insert.getSource()).getOperandList()) {
            if (row.getKind() == SqlKind.ROW) {
                defaults.resolve((SqlCall) row);
            }
        }
    }

    private void resolve(SqlCall row) {
        List<SqlNode> values = new ArrayList<>(row.getOperandList());
        for (int i = 0; i < Math.min(values.size(), columns.size()); i++) {
            Column column = table.column(columns.get(i)).orElse(null);
            SqlNode value = values.get(i);
            if (value.getKind() != SqlKind.DEFAULT
                    || column == null
                    || column.defaultValue().isPresent()) {
                continue;
            }
            if (!column.nullable()) {
                throw PlanningErrors.at(
                        value.getParserPosition(),
                        "column " + column.name() + " of table " + table.name()
                                + " has no DEFAULT and cannot be NULL: expected a value");
            }
            row.setOperand(i, SqlLiteral.createNull(value.getParserPosition()));
        }
    }
}

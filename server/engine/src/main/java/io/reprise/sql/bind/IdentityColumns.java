package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Sequence;
import io.reprise.catalog.Table;
import io.reprise.sql.grammar.OverridingClause;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.util.Util;

/** Columns that are GENERATED ALWAYS AS IDENTITY: statements give them no values but DEFAULT, unless they override it. */
final class IdentityColumns {
    private final Catalog catalog;
    private final Table table;

    private IdentityColumns(Catalog catalog, Table table) {
        this.catalog = catalog;
        this.table = table;
    }

    /** The clause of a statement whose root is one. */
    static Optional<OverridingClause> clause(SqlNode statement) {
        return statement instanceof SqlCall call && call.getOperator() == OverridingClause.OPERATOR
                ? Optional.of(OverridingClause.of(call))
                : Optional.empty();
    }

    /** Refuses values that a statement gives to such columns. */
    static void check(Catalog catalog, SqlNode write, List<String> insertColumns) {
        switch (write) {
            case SqlInsert insert ->
                table(catalog, insert.getTargetTable())
                        .ifPresent(table -> new IdentityColumns(catalog, table).check(insert, insertColumns));
            case SqlUpdate update ->
                table(catalog, update.getTargetTable())
                        .ifPresent(table -> new IdentityColumns(catalog, table).check(update));
            default -> {}
        }
    }

    private static Optional<Table> table(Catalog catalog, SqlNode target) {
        return target instanceof SqlIdentifier name ? catalog.table(Util.last(name.names)) : Optional.empty();
    }

    private void check(SqlInsert insert, List<String> listed) {
        List<String> targets =
                listed.isEmpty() ? table.columns().stream().map(Column::name).toList() : listed;
        for (int i = 0; i < targets.size(); i++) {
            if (!isAlways(targets.get(i))) {
                continue;
            }
            if (insert.getSource().getKind() != SqlKind.VALUES) {
                throw refusal(insert.getSource(), targets.get(i), "inserted");
            }
            for (SqlNode row : ((SqlCall) insert.getSource()).getOperandList()) {
                if (row instanceof SqlCall call && i < call.operandCount()) {
                    require(call.operand(i), targets.get(i), "inserted");
                }
            }
        }
    }

    private void check(SqlUpdate update) {
        for (int i = 0; i < update.getTargetColumnList().size(); i++) {
            String name =
                    Util.last(((SqlIdentifier) update.getTargetColumnList().get(i)).names);
            if (isAlways(name)) {
                require(update.getSourceExpressionList().get(i), name, "set");
            }
        }
    }

    private boolean isAlways(String name) {
        return table.column(name)
                .flatMap(Column::defaultValue)
                .flatMap(Sequence::ofDefault)
                .flatMap(catalog::table)
                .flatMap(Table::sequence)
                .filter(sequence -> sequence.identity() == Sequence.Identity.ALWAYS)
                .isPresent();
    }

    private void require(SqlNode value, String column, String done) {
        if (value.getKind() != SqlKind.DEFAULT) {
            throw refusal(value, column, done);
        }
    }

    private SqlPlanningException refusal(SqlNode value, String column, String done) {
        String way = done.equals("set") ? "" : ", leave the column out, or write OVERRIDING SYSTEM VALUE";
        return PlanningErrors.at(
                value.getParserPosition(),
                "a value can't be " + done + " for column " + column + " of " + table.name()
                        + ", which is GENERATED ALWAYS: write DEFAULT" + way);
    }
}

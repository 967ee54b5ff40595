package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.grammar.ConflictClause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;

/** ON CONFLICT, checked against the table: the conflict is one of the primary key, and the new values are those of EXCLUDED. */
record ConflictRules(OnConflict reaction, List<String> setColumns) {
    private static final String EXCLUDED = "EXCLUDED";

    /** The clause of a statement whose root is one. */
    static Optional<ConflictClause> clause(SqlNode statement) {
        return statement instanceof SqlCall call && call.getOperator() == ConflictClause.OPERATOR
                ? Optional.of(ConflictClause.of(call))
                : Optional.empty();
    }

    static ConflictRules of(Catalog catalog, ConflictClause clause) {
        SqlParserPos at = clause.key().isEmpty()
                ? clause.insert().getTargetTable().getParserPosition()
                : clause.key().getParserPosition();
        if (clause.insert().isUpsert()) {
            throw PlanningErrors.at(at, "UPSERT updates the rows that exist: write INSERT with ON CONFLICT");
        }
        Table table = clause.insert().getTargetTable() instanceof SqlIdentifier name
                ? catalog.table(Util.last(name.names)).orElse(null)
                : null;
        if (table == null) {
            // Validation refuses the statement, with a suggestion.
            return new ConflictRules(OnConflict.SKIP, List.of());
        }
        checkKey(table, clause, at);
        if (clause.targets().isEmpty()) {
            return new ConflictRules(OnConflict.SKIP, List.of());
        }
        if (clause.where() != null) {
            throw PlanningErrors.at(
                    clause.where().getParserPosition(),
                    "WHERE behind DO UPDATE is not supported: write a procedure with SELECT and UPDATE");
        }
        return new ConflictRules(OnConflict.UPDATE, setColumns(table, clause));
    }

    private static void checkKey(Table table, ConflictClause clause, SqlParserPos at) {
        Index key = table.primaryKey()
                .orElseThrow(() -> PlanningErrors.at(
                        at, "ON CONFLICT needs a primary key, and table " + table.name() + " has none"));
        List<String> columns =
                key.columns().stream().map(c -> table.columns().get(c).name()).toList();
        if (!clause.key().isEmpty()) {
            List<String> named = clause.key().stream()
                    .map(column -> ((SqlIdentifier) column).getSimple())
                    .toList();
            if (!new HashSet<>(named).equals(new HashSet<>(columns))) {
                throw PlanningErrors.at(
                        at,
                        "ON CONFLICT takes the primary key of table " + table.name() + ": ("
                                + String.join(", ", columns) + ")");
            }
        } else if (!clause.targets().isEmpty()) {
            throw PlanningErrors.at(
                    at, "DO UPDATE needs the key behind ON CONFLICT: (" + String.join(", ", columns) + ")");
        } else if (table.indexes().stream().anyMatch(index -> index.unique() && !index.primaryKey())) {
            throw PlanningErrors.at(
                    at,
                    "table " + table.name() + " has other unique keys, whose conflicts are errors: write ON CONFLICT ("
                            + String.join(", ", columns) + ")");
        }
    }

    private static List<String> setColumns(Table table, ConflictClause clause) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < clause.targets().size(); i++) {
            SqlIdentifier target = (SqlIdentifier) clause.targets().get(i);
            String name = Util.last(target.names);
            Column column = table.column(name)
                    .orElseThrow(() -> PlanningErrors.at(
                            target.getParserPosition(), "table " + table.name() + " has no column " + name));
            SqlNode source = clause.sources().get(i);
            boolean excluded =
                    source instanceof SqlIdentifier from && from.names.equals(List.of(EXCLUDED, column.name()));
            if (!excluded) {
                throw PlanningErrors.at(
                        source.getParserPosition(),
                        "DO UPDATE sets a column to the value that the INSERT has for it: write " + name
                                + " = EXCLUDED." + name + ", or a procedure with SELECT and UPDATE");
            } else if (columns.contains(name)) {
                throw PlanningErrors.at(target.getParserPosition(), "column " + name + " is set twice");
            }
            columns.add(name);
        }
        return columns;
    }
}

package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.Table;
import io.reprise.sql.grammar.ConflictClause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Util;

/**
 * ON CONFLICT, checked against the table: the conflict is one of the primary key.
 *
 * @param setColumns the columns that DO UPDATE sets
 * @param query the query of their new values, and of the condition, over the row that exists and the inserted one; empty if each column
 *     gets the value that the INSERT has for it
 */
record ConflictRules(OnConflict reaction, List<String> setColumns, Optional<SqlSelect> query) {
    private static final String EXCLUDED = "EXCLUDED";

    /** The clause of a statement whose root is one. */
    static Optional<ConflictClause> clause(SqlNode statement) {
        return statement instanceof SqlCall call && call.getOperator() == ConflictClause.OPERATOR
                ? Optional.of(ConflictClause.of(call))
                : Optional.empty();
    }

    /** The clause with resolved names. */
    static ConflictClause resolved(ConflictClause clause, TableReferences references) {
        return new ConflictClause(
                clause.insert(),
                clause.key(),
                clause.targets(),
                (SqlNodeList) clause.sources().accept(references),
                clause.where() == null ? null : clause.where().accept(references));
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
            return new ConflictRules(OnConflict.SKIP, List.of(), Optional.empty());
        }
        checkKey(table, clause, at);
        if (clause.targets().isEmpty()) {
            return new ConflictRules(OnConflict.SKIP, List.of(), Optional.empty());
        }
        List<String> columns = setColumns(table, clause);
        boolean plain = clause.where() == null;
        for (int i = 0; i < columns.size(); i++) {
            plain &= clause.sources().get(i) instanceof SqlIdentifier from
                    && from.names.equals(List.of(EXCLUDED, columns.get(i)));
        }
        return new ConflictRules(
                OnConflict.UPDATE, columns, plain ? Optional.empty() : Optional.of(query(table, clause)));
    }

    /** The new values as a query of the table joined with itself, which stands for the inserted row. */
    private static SqlSelect query(Table table, ConflictClause clause) {
        SqlParserPos at = clause.targets().getParserPosition();
        SqlNodeList items = new SqlNodeList(clause.sources().getParserPosition());
        for (int i = 0; i < clause.sources().size(); i++) {
            SqlNode source = clause.sources().get(i);
            SqlIdentifier target = (SqlIdentifier) clause.targets().get(i);
            Column column = table.column(Util.last(target.names)).orElseThrow();
            SqlNode value = source.getKind() == SqlKind.DEFAULT
                    ? ColumnDefaults.value(table, column, source.getParserPosition())
                    : source.accept(new TargetColumns(table));
            items.add(named(value, "SET$" + i));
        }
        if (clause.where() != null) {
            items.add(named(clause.where().accept(new TargetColumns(table)), "SET$WHERE"));
        }
        SqlNode existing = TableReferences.underAlias(new SqlIdentifier(table.name(), at));
        SqlNode inserted = SqlStdOperatorTable.AS.createCall(
                at, new SqlIdentifier(table.name(), at), new SqlIdentifier(EXCLUDED, at));
        SqlNode from = new SqlJoin(
                at,
                existing,
                SqlLiteral.createBoolean(false, at),
                JoinType.CROSS.symbol(at),
                inserted,
                JoinConditionType.NONE.symbol(at),
                null);
        return new SqlSelect(at, null, items, from, null, null, null, null, null, null, null, null, null);
    }

    private static SqlNode named(SqlNode value, String name) {
        SqlParserPos at = value.getParserPosition();
        return SqlStdOperatorTable.AS.createCall(at, value, new SqlIdentifier(name, at));
    }

    /** Puts the table in front of its columns, which the inserted row has too; refuses queries. */
    private static final class TargetColumns extends SqlShuttle {
        private final Table table;

        TargetColumns(Table table) {
            this.table = table;
        }

        @Override
        public SqlNode visit(SqlIdentifier name) {
            return name.isSimple() && table.column(name.getSimple()).isPresent()
                    ? new SqlIdentifier(
                            List.of(QualifiedName.simple(table.name()), name.getSimple()), name.getParserPosition())
                    : name;
        }

        @Override
        public SqlNode visit(SqlCall call) {
            if (call.isA(SqlKind.QUERY)) {
                throw PlanningErrors.at(
                        call.getParserPosition(), "DO UPDATE takes no query: write a procedure with SELECT and UPDATE");
            }
            return super.visit(call);
        }
    }

    /** The values of the query over the columns of both rows. */
    static List<RexNode> values(RelNode query, ConflictClause clause) {
        if (query instanceof Project project
                && project.getInput() instanceof Join join
                && join.getInputs().stream().allMatch(input -> input.getInputs().isEmpty())) {
            return project.getProjects();
        }
        throw PlanningErrors.at(
                clause.sources().getParserPosition(), "DO UPDATE takes no aggregates: it sets columns of one row");
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
            if (columns.contains(name)) {
                throw PlanningErrors.at(target.getParserPosition(), "column " + name + " is set twice");
            }
            if (table.partitionColumn().isPresent() && table.partitionColumn().getAsInt() == column.position()) {
                throw PlanningErrors.at(
                        target.getParserPosition(),
                        "the partitioning column " + name + " of table " + table.name() + " cannot be updated");
            }
            columns.add(name);
        }
        return columns;
    }
}

package io.reprise.sql.bind;

import io.reprise.sql.grammar.ReturningClause;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** RETURNING as a query of the written table, whose columns are the values that the statement returns of each written row. */
final class Returning {
    private Returning() {}

    /** The clause of a statement whose root is one. */
    static Optional<ReturningClause> clause(SqlNode statement) {
        return statement instanceof SqlCall call && call.getOperator() == ReturningClause.OPERATOR
                ? Optional.of(ReturningClause.of(call))
                : Optional.empty();
    }

    /** The clause with resolved names. */
    static ReturningClause resolved(ReturningClause clause, TableReferences references) {
        return new ReturningClause(clause.write(), (SqlNodeList) clause.items().accept(references));
    }

    /** The clause as a query of the table that the statement writes. */
    static SqlSelect query(ReturningClause clause, SqlNode write) {
        clause.items().accept(new NoQueries());
        SqlNode table;
        SqlIdentifier alias = null;
        switch (write) {
            case SqlInsert insert -> table = insert.getTargetTable();
            case SqlUpdate update -> {
                table = update.getTargetTable();
                alias = update.getAlias();
            }
            case SqlDelete delete -> {
                table = delete.getTargetTable();
                alias = delete.getAlias();
            }
            default -> throw new IllegalStateException("not a write: " + write.getKind());
        }
        SqlParserPos position = clause.items().getParserPosition();
        SqlNode named = table.clone(table.getParserPosition());
        SqlNode from = alias == null
                ? TableReferences.underAlias(named)
                : SqlStdOperatorTable.AS.createCall(position, named, alias);
        return new SqlSelect(
                position, null, clause.items(), from, null, null, null, null, null, null, null, null, null);
    }

    /** The values over the table's columns. */
    static List<RexNode> values(RelNode query, SqlNode position) {
        if (query instanceof Project project && project.getInput().getInputs().isEmpty()) {
            return project.getProjects();
        } else if (query.getInputs().isEmpty()) {
            return query.getCluster().getRexBuilder().identityProjects(query.getRowType()).stream()
                    .<RexNode>map(RexNode.class::cast)
                    .toList();
        }
        throw PlanningErrors.at(
                position.getParserPosition(), "RETURNING takes no aggregates: it gives one row for each row written");
    }

    /** Refuses a query within the clause. */
    private static final class NoQueries extends SqlBasicVisitor<Void> {
        @Override
        public Void visit(SqlCall call) {
            if (call.isA(SqlKind.QUERY)) {
                throw PlanningErrors.at(
                        call.getParserPosition(),
                        "RETURNING takes no query: write the query as a statement of its own");
            }
            return super.visit(call);
        }
    }
}

package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Check;
import io.reprise.catalog.Column;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Position;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.Table;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/** The conditions of a table's checks and the expressions of its defaults, as queries. */
public final class TableConditions {
    private TableConditions() {}

    /** The query of the checks that the rows of an INSERT or UPDATE must pass, from the written table; empty: there are none. */
    static Optional<SqlNode> query(Catalog catalog, SqlNode write) {
        SqlNode target = switch (write) {
            case SqlInsert insert -> insert.getTargetTable();
            case SqlUpdate update -> update.getTargetTable();
            default -> null;
        };
        return target instanceof SqlIdentifier name
                ? catalog.table(Util.last(name.names))
                        .filter(table -> !table.checks().isEmpty())
                        .map(table -> parsed(catalog, query(table)))
                : Optional.empty();
    }

    private static String query(Table table) {
        return table.checks().stream().map(TableConditions::line).collect(Collectors.joining(", ", "SELECT ", ""))
                + " FROM " + QualifiedName.quoted(table.name());
    }

    /** The line break ends a comment. */
    private static String line(Check check) {
        return "(" + check.condition() + "\n)";
    }

    /** The query that finds a row which violates a check. */
    public static String violations(Table table, Check check) {
        return "SELECT COUNT(*) FROM " + QualifiedName.quoted(table.name()) + " WHERE NOT " + line(check);
    }

    private static SqlNode parsed(Catalog catalog, String query) {
        StatementParser.Syntax syntax = (StatementParser.Syntax) StatementParser.parse(query);
        SqlNode node = new TableReferences(catalog, syntax.path()).resolved(syntax.node());
        node.accept(new UnsupportedSyntax());
        return node.accept(new SyntaxRewriter());
    }

    /** Refuses checks and defaults of a table that can't be computed. */
    public static void check(Catalog catalog, Table table) {
        for (Check check : table.checks()) {
            String subject = "CHECK " + check.name() + " of table " + table.name();
            SqlNode condition = parse(catalog, line(check), subject);
            LogicalPlanner.Logical logical =
                    plan(catalog, "SELECT " + line(check) + " FROM " + QualifiedName.quoted(table.name()), subject);
            RelDataTypeField field = logical.rel().getRowType().getFieldList().getFirst();
            if (field.getType().getSqlTypeName() != SqlTypeName.BOOLEAN) {
                throw refused(subject + " is no condition: " + check.condition());
            }
            List<RexNode> values = values(logical, condition, subject);
            if (values.size() != 1) {
                throw refused(subject + " has to be one condition: " + check.condition());
            }
        }
        for (Column column : table.columns()) {
            if (column.hasDefaultExpression()) {
                String subject = "the DEFAULT of column " + column.name() + " of table " + table.name();
                String expression = column.defaultValue().orElseThrow();
                parse(catalog, expression, subject);
                plan(catalog, "SELECT CAST(" + expression + " AS " + column.type() + ")", subject);
            }
        }
    }

    private static List<RexNode> values(LogicalPlanner.Logical logical, SqlNode position, String subject) {
        try {
            return Returning.values(logical.rel(), position);
        } catch (SqlPlanningException aggregates) {
            throw refused(subject + " can't have aggregates: it is computed for one row");
        }
    }

    private static SqlNode parse(Catalog catalog, String expression, String subject) {
        try {
            SqlNode parsed = parsed(catalog, "SELECT " + expression);
            parsed.accept(new NoQueries(subject));
            return parsed;
        } catch (DdlException e) {
            throw e;
        } catch (SqlPlanningException e) {
            throw refused(subject + " can't be planned: " + e.getMessage());
        } catch (RuntimeException e) {
            throw refused(subject + " can't be planned: "
                    + PlanningErrors.of(e, catalog.tables().keySet()).getMessage());
        }
    }

    private static LogicalPlanner.Logical plan(Catalog catalog, String query, String subject) {
        try {
            return LogicalPlanner.plan(catalog, ((StatementParser.Syntax) StatementParser.parse(query)).node());
        } catch (SqlPlanningException e) {
            throw refused(subject + " can't be planned: " + e.getMessage());
        }
    }

    private static DdlException refused(String problem) {
        return new DdlException(Position.START, problem);
    }

    /** Refuses a query within an expression. */
    private static final class NoQueries extends SqlBasicVisitor<Void> {
        private final String subject;
        private boolean inside;

        NoQueries(String subject) {
            this.subject = subject;
        }

        @Override
        public Void visit(SqlCall call) {
            if (call.isA(SqlKind.QUERY)) {
                if (inside) {
                    throw refused(subject + " can't have a query: it is computed for one row alone");
                }
                inside = true;
            }
            return super.visit(call);
        }
    }
}

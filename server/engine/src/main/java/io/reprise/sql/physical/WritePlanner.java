package io.reprise.sql.physical;

import io.reprise.catalog.Check;
import io.reprise.catalog.Column;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.CatalogSchema;
import io.reprise.sql.bind.OnConflict;
import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.bind.SqlPlanningException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Plans INSERT, UPSERT, UPDATE, DELETE and TRUNCATE. */
public final class WritePlanner {
    /** The result of a write: the number of written rows. */
    static final List<PlanField> COUNT =
            List.of(new PlanField("MODIFIED_ROWS", SqlType.of(SqlType.Kind.BIGINT), false));

    private final RelPlanner planner;
    private final Expressions expressions;

    public WritePlanner(RelPlanner planner) {
        this.planner = planner;
        this.expressions = planner.expressions();
    }

    /**
     * Plans a write.
     *
     * @param columns the names of those that an INSERT sets in a row that exists; none: all
     * @param conflict the new values of these columns, and the condition under which they are set; none: those of the inserted row
     * @param checked the conditions of the table's checks
     * @param returned the values of written rows that are the result; none: the count
     */
    public PlanNode plan(
            TableModify modify,
            OnConflict onConflict,
            List<String> columns,
            List<RexNode> conflict,
            List<RexNode> checked,
            List<RexNode> returned) {
        Table table = modify.getTable()
                .unwrapOrThrow(CatalogSchema.PlannerTable.class)
                .table();
        return switch (modify.getOperation()) {
            case INSERT ->
                insert(
                        modify,
                        table,
                        onConflict,
                        named(table, columns),
                        conflict(table, columns, conflict),
                        checks(table, checked),
                        returning(returned));
            case UPDATE -> update(modify, table, checks(table, checked), returning(returned));
            case DELETE -> new PlanNode.Delete(table, target(modify).node(), returning(returned), fields(returned));
            default -> throw new SqlPlanningException(modify.getOperation() + " is not supported");
        };
    }

    private List<RexNode> returning(List<RexNode> returned) {
        return returned.stream()
                .map(value -> expressions.normalize(value, Expressions.Environment.EMPTY))
                .toList();
    }

    private List<PlanNode.RowCheck> checks(Table table, List<RexNode> conditions) {
        List<PlanNode.RowCheck> checks = new ArrayList<>();
        for (int i = 0; i < conditions.size(); i++) {
            RexNode condition = expressions.normalize(conditions.get(i), Expressions.Environment.EMPTY);
            Check check = table.checks().get(i);
            checks.add(new PlanNode.RowCheck(
                    check.name(),
                    check.condition(),
                    expressions.rexBuilder().makeCall(SqlStdOperatorTable.IS_NOT_FALSE, condition)));
        }
        return List.copyOf(checks);
    }

    /** The checks that name a column which is set: the others hold as before. */
    private static List<PlanNode.RowCheck> touched(List<PlanNode.RowCheck> checks, List<Integer> columns) {
        return checks.stream()
                .filter(check -> RelOptUtil.InputFinder.bits(check.condition()).asList().stream()
                        .anyMatch(columns::contains))
                .toList();
    }

    private static List<PlanField> fields(List<RexNode> returning) {
        if (returning.isEmpty()) {
            return COUNT;
        }
        List<PlanField> fields = new ArrayList<>();
        for (RexNode value : returning) {
            SqlType type = RepriseTypeFactory.toSqlType(value.getType(), "a column of RETURNING");
            fields.add(new PlanField(
                    "COLUMN_" + (fields.size() + 1), type, value.getType().isNullable()));
        }
        return List.copyOf(fields);
    }

    private RelPlanner.Row target(TableModify modify) {
        return planner.row(
                modify.getInput(), RelPlanner.Wanted.NOTHING, List.of(), Expressions.Environment.EMPTY, true);
    }

    private PlanNode insert(
            TableModify modify,
            Table table,
            OnConflict onConflict,
            List<Integer> named,
            PlanNode.ConflictUpdate update,
            List<PlanNode.RowCheck> checks,
            List<RexNode> returning) {
        if (onConflict != OnConflict.FAIL && table.primaryKey().isEmpty()) {
            throw new SqlPlanningException(
                    table.name(),
                    "UPSERT needs a primary key, and table " + table.name() + " has none: use INSERT, or declare one");
        }
        RelPlanner.Row row = planner.row(
                modify.getInput(), RelPlanner.Wanted.NOTHING, List.of(), Expressions.Environment.EMPTY, false);
        PlanNode source = planner.project(row, modify.getInput().getRowType());
        List<RexNode> values = new ArrayList<>();
        for (Column column : table.columns()) {
            values.add(assigned(expressions.field(source.fields(), column.position()), column));
        }
        PlanNode converted =
                source instanceof PlanNode.Values rows ? converted(rows, table) : assigned(source, values, table);
        return new PlanNode.Insert(
                table, converted, onConflict, named, update, checks, false, returning, fields(returning));
    }

    /** The new values by the positions of their columns, and the condition behind them. */
    private PlanNode.ConflictUpdate conflict(Table table, List<String> columns, List<RexNode> expressionsOfSet) {
        if (expressionsOfSet.isEmpty()) {
            return PlanNode.ConflictUpdate.OF_INSERTED;
        }
        List<RexNode> normal = expressionsOfSet.stream()
                .map(value -> expressions.normalize(value, Expressions.Environment.EMPTY))
                .toList();
        List<RexNode> values = new ArrayList<>();
        for (int position : named(table, columns)) {
            Column column = table.columns().get(position);
            values.add(assigned(normal.get(columns.indexOf(column.name())), column));
        }
        return new PlanNode.ConflictUpdate(
                List.copyOf(values), normal.size() > columns.size() ? Optional.of(normal.getLast()) : Optional.empty());
    }

    private static List<Integer> named(Table table, List<String> columns) {
        return table.columns().stream()
                .filter(column -> columns.isEmpty() || columns.contains(column.name()))
                .map(Column::position)
                .toList();
    }

    private PlanNode converted(PlanNode.Values source, Table table) {
        List<List<RexNode>> rows = new ArrayList<>();
        for (List<RexNode> row : source.rows()) {
            List<RexNode> values = new ArrayList<>();
            for (Column column : table.columns()) {
                values.add(assigned(row.get(column.position()), column));
            }
            rows.add(List.copyOf(values));
        }
        return new PlanNode.Values(List.copyOf(rows), fieldsOf(table));
    }

    private PlanNode assigned(PlanNode source, List<RexNode> values, Table table) {
        if (source instanceof PlanNode.Project project) {
            List<RexNode> merged = values.stream()
                    .map(value -> JoinBlock.substitute(value, project.expressions()))
                    .map(value -> ConstantFolder.fold(expressions.rexBuilder(), value))
                    .toList();
            return new PlanNode.Project(project.input(), merged, fieldsOf(table));
        }
        return new PlanNode.Project(source, values, fieldsOf(table));
    }

    /** The values may still be NULL: the columns' constraints are checked when a row is stored. */
    private static List<PlanField> fieldsOf(Table table) {
        return table.columns().stream()
                .map(column -> new PlanField(column.name(), column.type(), true))
                .toList();
    }

    /**
     * A value as it is assigned to a column. A string is not cut to the column's length here: a longer one is an
     * error when it is stored.
     */
    private RexNode assigned(RexNode value, Column column) {
        return expressions.cast(value, column.type());
    }

    private PlanNode update(TableModify modify, Table table, List<PlanNode.RowCheck> checks, List<RexNode> returning) {
        RelPlanner.Row row = target(modify);
        List<Integer> columns = new ArrayList<>();
        List<RexNode> values = new ArrayList<>();
        List<String> names = modify.getUpdateColumnList();
        for (int i = 0; i < names.size(); i++) {
            Column column = table.column(names.get(i)).orElseThrow();
            if (table.partitionColumn().isPresent() && table.partitionColumn().getAsInt() == column.position()) {
                throw new SqlPlanningException(
                        column.name(),
                        "the partitioning column " + column.name() + " of table " + table.name()
                                + " cannot be updated, since the row would belong to another partition:"
                                + " delete the row and insert it again");
            }
            if (columns.contains(column.position())) {
                throw new SqlPlanningException(column.name(), "column " + column.name() + " is set twice");
            }
            columns.add(column.position());
            values.add(assigned(row.fields().get(table.columns().size() + i), column));
        }
        return new PlanNode.Update(
                table,
                row.node(),
                List.copyOf(columns),
                List.copyOf(values),
                touched(checks, columns),
                returning,
                fields(returning));
    }

    public static PlanNode truncate(Table table) {
        return new PlanNode.Truncate(table, COUNT);
    }
}

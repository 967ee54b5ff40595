package io.reprise.sql.physical;

import io.reprise.catalog.Table;
import io.reprise.sql.bind.CatalogSchema;
import io.reprise.sql.bind.SqlPlanningException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A tree of joins, filters and projections taken apart: the relations that are joined (factors), in any order; the terms
 * of all conditions; and what comes out, as expressions over the factors' columns. Those are numbered through in the order
 * in which factors were found; such a number is called a base column.
 *
 * <p>The nullable side of an outer join is a factor with a condition of its own. It can be placed once the columns
 * that its condition needs are there: {@code (A LEFT JOIN B) JOIN C} equals {@code (A JOIN C) LEFT JOIN B}.
 */
final class JoinBlock {
    private final Expressions expressions;
    private final Expressions.Environment environment;
    final List<Factor> factors = new ArrayList<>();
    final List<RexNode> terms = new ArrayList<>();

    /** Terms that are computed when all others are true, in their order. */
    final List<LateTerm> lateTerms = new ArrayList<>();

    List<RexNode> outputs = List.of();
    int width;

    private JoinBlock(Expressions expressions, Expressions.Environment environment) {
        this.expressions = expressions;
        this.environment = environment;
    }

    /** A relation that takes part in the joins. */
    static final class Factor {
        final RelNode rel;
        final Table table;
        final int start;
        final int width;
        final boolean optional;
        final List<RexNode> condition;
        final PlanNode given;

        Factor(RelNode rel, Table table, int start, int width, Optional<List<RexNode>> condition, PlanNode given) {
            this.rel = rel;
            this.table = table;
            this.start = start;
            this.width = width;
            this.optional = condition.isPresent();
            this.condition = condition.orElse(List.of());
            this.given = given;
        }

        ImmutableBitSet columns() {
            return ImmutableBitSet.range(start, start + width);
        }

        /** The base columns that have to be there before this factor can be placed. */
        ImmutableBitSet needs() {
            ImmutableBitSet needed = ImmutableBitSet.of();
            for (RexNode term : condition) {
                needed = needed.union(Expressions.inputs(term));
            }
            return needed.except(columns());
        }
    }

    /**
     * A term with sub-queries, or one that may fail for a row that a derived table leaves out; {@code row} are the fields of
     * the row it is evaluated on, over base columns.
     */
    record LateTerm(RexNode term, List<RexNode> row) {}

    /** A table read directly, perhaps through filters and column choices. */
    private record TableView(Table table, List<Integer> columns, List<RexNode> terms) {}

    /** Takes a tree apart; {@code pushed} are further terms, over the fields of the tree. */
    static JoinBlock of(
            RelNode rel, List<RexNode> pushed, Expressions expressions, Expressions.Environment environment) {
        JoinBlock block = new JoinBlock(expressions, environment);
        block.outputs = block.flatten(rel, pushed);
        return block;
    }

    /** Whether a tree is one that this class takes apart. */
    static boolean accepts(RelNode rel) {
        return switch (rel) {
            case TableScan scan -> isTable(scan);
            case Filter filter -> true;
            case Join join -> join.getJoinType() != JoinRelType.FULL;
            case Project project -> isPlain(project);
            default -> false;
        };
    }

    private static boolean isPlain(Project project) {
        return project.getProjects().stream().noneMatch(Expressions::hasSubQuery)
                && !WindowPlanner.isIn(project.getProjects())
                && accepts(project.getInput());
    }

    /**
     * Adds the factors of a tree. {@code above} are terms from above, over the fields of the tree: they are added too,
     * and they tell outer joins whether rows without partner are wanted at all.
     */
    private List<RexNode> flatten(RelNode rel, List<RexNode> above) {
        if (rel instanceof Filter filter) {
            return flattenFilter(filter, above);
        } else if (rel instanceof Join join && accepts(join)) {
            return flattenJoin(join, above);
        } else if (rel instanceof Project project && isPlain(project)) {
            List<RexNode> computed =
                    project.getProjects().stream().map(this::normalize).toList();
            List<RexNode> below = substitute(above, computed);
            boolean joined = project.getInput() instanceof Join;
            List<RexNode> row = flatten(
                    project.getInput(),
                    below.stream().filter(term -> !joined || !waits(term)).toList());
            below.stream()
                    .filter(term -> joined && waits(term))
                    .forEach(term -> lateTerms.add(new LateTerm(term, row)));
            return substitute(computed, row);
        }
        Table table = rel instanceof TableScan scan && isTable(scan) ? table(scan) : null;
        List<RexNode> columns = addFactor(rel, table, rel.getRowType(), Optional.empty(), false);
        terms.addAll(substitute(above, columns));
        return columns;
    }

    private List<RexNode> flattenFilter(Filter filter, List<RexNode> above) {
        List<RexNode> plain = new ArrayList<>();
        List<RexNode> late = new ArrayList<>();
        above.forEach(term -> (waits(term) ? late : plain).add(term));
        List<RexNode> withSubQueries = new ArrayList<>();
        for (RexNode term : expressions.conjuncts(filter.getCondition())) {
            if (Expressions.hasSubQuery(term)) {
                withSubQueries.add(term);
            } else {
                plain.addAll(expressions.conjuncts(normalize(term)));
            }
        }
        List<RexNode> row = flatten(filter.getInput(), plain);
        withSubQueries.forEach(term -> lateTerms.add(new LateTerm(term, row)));
        late.forEach(term -> lateTerms.add(new LateTerm(term, row)));
        return row;
    }

    /** Whether a term from above may fail for a row, so that only rows that pass all conditions below may meet it. */
    private static boolean waits(RexNode term) {
        return FailingExpressions.mayFailByRow(term);
    }

    private List<RexNode> flattenJoin(Join join, List<RexNode> above) {
        int left = join.getLeft().getRowType().getFieldCount();
        int total = left + join.getRight().getRowType().getFieldCount();
        List<RexNode> condition = new ArrayList<>();
        List<RexNode> withSubQueries = new ArrayList<>();
        for (RexNode term : expressions.conjuncts(join.getCondition())) {
            if (Expressions.hasSubQuery(term)) {
                withSubQueries.add(term);
            } else {
                condition.addAll(expressions.conjuncts(normalize(term)));
            }
        }
        ImmutableBitSet leftFields = ImmutableBitSet.range(left);
        ImmutableBitSet rightFields = ImmutableBitSet.range(left, total);
        if (join.getJoinType() == JoinRelType.LEFT && !rejectsNulls(above, rightFields)) {
            refuseSubQueries(withSubQueries);
            return flattenOuter(join.getLeft(), join.getRight(), condition, above, left, true);
        } else if (join.getJoinType() == JoinRelType.RIGHT && !rejectsNulls(above, leftFields)) {
            refuseSubQueries(withSubQueries);
            return flattenOuter(join.getRight(), join.getLeft(), condition, above, left, false);
        }
        List<RexNode> all = new ArrayList<>(above);
        all.addAll(condition);
        List<RexNode> row = new ArrayList<>();
        // Terms over one side alone go down with it, so that outer joins there hear of them.
        row.addAll(flatten(join.getLeft(), only(all, leftFields, 0)));
        row.addAll(flatten(join.getRight(), only(all, rightFields, left)));
        for (RexNode term : all) {
            ImmutableBitSet used = Expressions.inputs(term);
            if (used.isEmpty() || !leftFields.contains(used) && !rightFields.contains(used)) {
                terms.add(substitute(term, row));
            }
        }
        withSubQueries.forEach(term -> lateTerms.add(new LateTerm(term, row)));
        return row;
    }

    private static void refuseSubQueries(List<RexNode> terms) {
        if (!terms.isEmpty()) {
            throw new SqlPlanningException(
                    "JOIN", "a sub-query in ON of an outer join is not supported: join the sub-query instead");
        }
    }

    /** The terms over the given fields only, renumbered from 0. */
    private static List<RexNode> only(List<RexNode> terms, ImmutableBitSet fields, int offset) {
        return terms.stream()
                .filter(term -> {
                    ImmutableBitSet used = Expressions.inputs(term);
                    return !used.isEmpty() && fields.contains(used);
                })
                .map(term -> RexUtil.shift(term, -offset))
                .toList();
    }

    private static boolean rejectsNulls(List<RexNode> above, ImmutableBitSet fields) {
        return above.stream().anyMatch(term -> Strong.isNotTrue(term, fields));
    }

    private List<RexNode> flattenOuter(
            RelNode kept, RelNode optional, List<RexNode> condition, List<RexNode> above, int left, boolean keptLeft) {
        int total = left + (keptLeft ? optional : kept).getRowType().getFieldCount();
        ImmutableBitSet keptFields = keptLeft ? ImmutableBitSet.range(left) : ImmutableBitSet.range(left, total);
        int keptOffset = keptLeft ? 0 : left;
        List<RexNode> keptRow = flatten(kept, only(above, keptFields, keptOffset));
        TableView view = view(optional);
        RelDataType rowType = view == null ? optional.getRowType() : null;
        int start = width;
        List<RexNode> optionalRow;
        List<RexNode> on = new ArrayList<>();
        if (view == null) {
            optionalRow = references(start, rowType, true);
        } else {
            RelDataType whole = scanned(optional).getRowType();
            List<RexNode> columns = references(start, whole, true);
            optionalRow = view.columns().stream().map(columns::get).toList();
            view.terms().forEach(term -> on.add(substitute(term, columns)));
        }
        List<RexNode> row = new ArrayList<>(keptLeft ? keptRow : optionalRow);
        row.addAll(keptLeft ? optionalRow : keptRow);
        condition.forEach(term -> on.add(substitute(term, row)));
        int columns =
                view == null ? rowType.getFieldCount() : view.table().columns().size();
        factors.add(new Factor(optional, view == null ? null : view.table(), start, columns, Optional.of(on), null));
        width += columns;
        for (RexNode term : above) {
            ImmutableBitSet used = Expressions.inputs(term);
            if (used.isEmpty() || !keptFields.contains(used)) {
                terms.add(substitute(term, row));
            }
        }
        return row;
    }

    /** Adds a factor made by the planner itself, and returns references to its columns. */
    List<RexNode> addGiven(PlanNode node, RelDataType rowType) {
        int start = width;
        int columns = rowType.getFieldCount();
        factors.add(new Factor(null, null, start, columns, Optional.empty(), node));
        width += columns;
        return references(start, rowType, false);
    }

    private List<RexNode> addFactor(
            RelNode rel, Table table, RelDataType rowType, Optional<List<RexNode>> condition, boolean nullable) {
        int start = width;
        int columns = rowType.getFieldCount();
        factors.add(new Factor(rel, table, start, columns, condition, null));
        width += columns;
        return references(start, rowType, nullable);
    }

    private List<RexNode> references(int start, RelDataType rowType, boolean nullable) {
        List<RexNode> columns = new ArrayList<>();
        for (int i = 0; i < rowType.getFieldCount(); i++) {
            RelDataType type = rowType.getFieldList().get(i).getType();
            columns.add(new RexInputRef(
                    start + i, nullable ? expressions.types().createTypeWithNullability(type, true) : type));
        }
        return columns;
    }

    private TableView view(RelNode rel) {
        if (rel instanceof TableScan scan && isTable(scan)) {
            Table table = table(scan);
            List<Integer> columns = new ArrayList<>();
            for (int i = 0; i < table.columns().size(); i++) {
                columns.add(i);
            }
            return new TableView(table, columns, List.of());
        } else if (rel instanceof Filter filter && !Expressions.hasSubQuery(filter.getCondition())) {
            TableView input = view(filter.getInput());
            if (input == null) {
                return null;
            }
            List<RexNode> all = new ArrayList<>(input.terms());
            RelDataType whole = scanned(rel).getRowType();
            for (RexNode term : expressions.conjuncts(normalize(filter.getCondition()))) {
                all.add(Expressions.remap(term, i -> {
                    int column = input.columns().get(i);
                    return new RexInputRef(
                            column, whole.getFieldList().get(column).getType());
                }));
            }
            return new TableView(input.table(), input.columns(), all);
        } else if (rel instanceof Project project
                && project.getProjects().stream().allMatch(RexInputRef.class::isInstance)) {
            TableView input = view(project.getInput());
            return input == null
                    ? null
                    : new TableView(
                            input.table(),
                            project.getProjects().stream()
                                    .map(e -> input.columns().get(((RexInputRef) e).getIndex()))
                                    .toList(),
                            input.terms());
        }
        return null;
    }

    private static RelNode scanned(RelNode rel) {
        return rel instanceof TableScan ? rel : scanned(rel.getInput(0));
    }

    /** Whether a scan is of a table of the catalog, and not of the rows that a recursion has found. */
    private static boolean isTable(TableScan scan) {
        return scan.getTable().unwrap(CatalogSchema.PlannerTable.class) != null;
    }

    static Table table(TableScan scan) {
        return scan.getTable().unwrapOrThrow(CatalogSchema.PlannerTable.class).table();
    }

    private RexNode normalize(RexNode expression) {
        return expressions.normalize(expression, environment);
    }

    private static List<RexNode> substitute(List<RexNode> all, List<RexNode> fields) {
        return all.stream().map(e -> substitute(e, fields)).toList();
    }

    static RexNode substitute(RexNode expression, List<RexNode> fields) {
        return Expressions.remap(expression, fields::get);
    }
}

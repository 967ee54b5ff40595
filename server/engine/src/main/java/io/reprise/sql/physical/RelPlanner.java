package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.bind.SqlPlanningException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/** From relational algebra to operators. One for each statement that is planned. */
public final class RelPlanner {
    /** The depth to which nested parts are planned twice: each level doubles the work for the parts within. */
    private static final int PLANNED_TWICE = 6;

    private final Expressions expressions;
    private final boolean forWriter;
    private final SubQueryPlanner subQueries;
    private final AggregatePlanner aggregates;
    private final RecursionPlanner recursions;
    private final IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders = new IdentityHashMap<>();

    private int depth;

    /** A planner for a statement that writes, or one of a procedure that does, or for none of these. */
    public RelPlanner(Expressions expressions, boolean forWriter) {
        this.expressions = expressions;
        this.forWriter = forWriter;
        this.subQueries = new SubQueryPlanner(this);
        this.aggregates = new AggregatePlanner(this);
        this.recursions = new RecursionPlanner(this);
    }

    public Expressions expressions() {
        return expressions;
    }

    /** Whether the order in which rows are stored must not be seen. */
    boolean isForWriter() {
        return forWriter;
    }

    /**
     * The orders in which rows of operators come, where ORDER BY relied on them instead of a sort. By identity.
     */
    public IdentityHashMap<PlanNode, List<PlanNode.SortKey>> orders() {
        return orders;
    }

    /**
     * The order in which rows are wanted.
     *
     * @param limited whether only the first of them are
     */
    record Wanted(List<PlanNode.SortKey> keys, boolean limited) {
        static final Wanted NOTHING = new Wanted(List.of(), false);
    }

    /** Operators whose rows are a relation's, and whether they come in the wanted order. */
    record Planned(PlanNode node, boolean ordered) {}

    /** Operators, and a relation's fields as expressions over theirs. */
    record Row(PlanNode node, List<RexNode> fields, boolean ordered) {}

    /** Plans a relation such that the operators' fields are the relation's. */
    public Planned plan(RelNode rel, Wanted wanted, List<RexNode> pushed, Expressions.Environment environment) {
        Row row = row(rel, wanted, pushed, environment, false);
        return new Planned(project(row, rel.getRowType()), row.ordered());
    }

    /** Whether a part may be planned in two ways, to see whether an index helps; deep within others it has to do without. */
    boolean mayPlanTwice() {
        return depth < PLANNED_TWICE;
    }

    /** Plans what lies within a part that may be planned twice. */
    Planned planWithin(RelNode rel, Wanted wanted, List<RexNode> pushed, Expressions.Environment environment) {
        depth++;
        try {
            return plan(rel, wanted, pushed, environment);
        } finally {
            depth--;
        }
    }

    public PlanNode plan(RelNode rel, Expressions.Environment environment) {
        return plan(rel, Wanted.NOTHING, List.of(), environment).node();
    }

    /**
     * Plans a relation.
     *
     * @param pushed terms over the relation's fields that the rows have to fulfil as well
     * @param target whether the first table is the one to be written, whose rows must come from the leftmost table leaf
     */
    Row row(RelNode rel, Wanted wanted, List<RexNode> pushed, Expressions.Environment environment, boolean target) {
        if (JoinBlock.accepts(rel)) {
            return block(rel, wanted, pushed, environment, target);
        } else if (rel instanceof Project project && WindowPlanner.isIn(project.getProjects())) {
            return windowed(project, pushed, environment);
        } else if (rel instanceof Project project) {
            return projected(project, wanted, pushed, environment, target);
        }
        Planned planned = switch (rel) {
            case Aggregate aggregate
            when aggregate.getGroupType() != Aggregate.Group.SIMPLE ->
                new Planned(union(GroupingSets.union(aggregate), pushed, environment), false);
            case Aggregate aggregate -> aggregates.plan(aggregate, wanted, pushed, environment);
            case Sort sort -> new Planned(filtered(sort(sort, environment), pushed), false);
            case Union union -> new Planned(union(union, pushed, environment), false);
            case SetOp operation
            when operation.all ->
                new Planned(filtered(new CountedRows(this).plan(operation, environment), pushed), false);
            case Intersect intersect ->
                new Planned(filtered(semi(intersect, PlanNode.JoinKind.SEMI, environment), pushed), false);
            case Minus minus -> new Planned(filtered(semi(minus, PlanNode.JoinKind.ANTI, environment), pushed), false);
            case Values values -> new Planned(filtered(values(values), pushed), false);
            case Join join -> new Planned(union(FullJoins.union(join), pushed, environment), false);
            case Correlate correlate -> new Planned(lateral(correlate, pushed, environment), false);
            case TableFunctionScan function -> new Planned(filtered(series(function, environment), pushed), false);
            case RepeatUnion recursion -> new Planned(filtered(recursions.plan(recursion, environment), pushed), false);
            case TableScan scan -> new Planned(filtered(recursions.workTable(scan), pushed), false);
            case Filter filter -> throw new IllegalStateException("a filter that is no join block");
            default -> throw new SqlPlanningException("the statement is not supported: " + rel.getRelTypeName());
        };
        return new Row(planned.node(), references(planned.node()), planned.ordered());
    }

    List<RexNode> references(PlanNode node) {
        List<RexNode> all = new ArrayList<>();
        for (int i = 0; i < node.fields().size(); i++) {
            all.add(expressions.field(node.fields(), i));
        }
        return all;
    }

    PlanNode filtered(PlanNode node, List<RexNode> terms) {
        return terms.isEmpty() ? node : new PlanNode.Filter(node, expressions.conjunction(terms));
    }

    /** Computes a row's fields, unless the operators' fields are these already. */
    PlanNode project(Row row, RelDataType type) {
        List<PlanField> fields = fields(type);
        boolean same = row.fields().size() == row.node().fields().size();
        for (int i = 0; same && i < row.fields().size(); i++) {
            same = row.fields().get(i) instanceof RexInputRef ref
                    && ref.getIndex() == i
                    && fields.get(i).type().equals(row.node().fields().get(i).type());
        }
        if (same) {
            return row.node();
        }
        if (row.node() instanceof PlanNode.Values values) {
            List<List<RexNode>> rows = new ArrayList<>();
            for (List<RexNode> before : values.rows()) {
                rows.add(row.fields().stream()
                        .map(e -> JoinBlock.substitute(e, before))
                        .toList());
            }
            return new PlanNode.Values(rows, fields);
        }
        return new PlanNode.Project(row.node(), row.fields(), fields);
    }

    static List<PlanField> fields(RelDataType type) {
        List<PlanField> fields = new ArrayList<>();
        for (RelDataTypeField field : type.getFieldList()) {
            fields.add(new PlanField(
                    field.getName(),
                    RepriseTypeFactory.toSqlType(field.getType(), "column " + field.getName()),
                    field.getType().isNullable()));
        }
        return List.copyOf(fields);
    }

    private Row block(
            RelNode rel, Wanted wanted, List<RexNode> pushed, Expressions.Environment environment, boolean target) {
        JoinBlock block = JoinBlock.of(rel, pushed, expressions, environment);
        BlockSearch search = new BlockSearch(this, block, baseKeys(wanted, block.outputs), wanted.limited(), target);
        JoinOrder.Choice choice = search.choose();
        BlockPlanner built = new BlockPlanner(this, environment, choice, block.width);
        PlanNode node = built.build();
        List<RexNode> outputs = block.outputs.stream().map(built::physical).toList();
        List<List<RexNode>> rows = block.lateTerms.stream()
                .map(term -> term.row().stream().map(built::physical).toList())
                .toList();
        for (int i = 0; i < block.lateTerms.size(); i++) {
            node = subQueries.filter(node, block.lateTerms.get(i).term(), rows.get(i), environment);
        }
        return new Row(node, outputs, choice.ordered());
    }

    private static List<JoinOrder.BaseKey> baseKeys(Wanted wanted, List<RexNode> outputs) {
        List<JoinOrder.BaseKey> keys = new ArrayList<>();
        for (PlanNode.SortKey key : wanted.keys()) {
            if (!(outputs.get(key.field()) instanceof RexInputRef ref)) {
                return null;
            }
            keys.add(new JoinOrder.BaseKey(ref.getIndex(), key.descending(), key.nullsFirst()));
        }
        return keys;
    }

    /**
     * Tells whether a relation's rows would come in the wanted order, as {@link #plan} would, without planning its
     * inside, so that nothing has to be planned twice only for this.
     */
    boolean comesInOrder(RelNode rel, Wanted wanted, List<RexNode> pushed, Expressions.Environment environment) {
        if (JoinBlock.accepts(rel)) {
            JoinBlock block = JoinBlock.of(rel, pushed, expressions, environment);
            return new BlockSearch(this, block, baseKeys(wanted, block.outputs), wanted.limited(), false)
                    .choose()
                    .ordered();
        }
        return switch (rel) {
            case Project project when WindowPlanner.isIn(project.getProjects()) -> false;
            case Project project -> {
                Below below = below(project, wanted, pushed, environment);
                yield below.mapped() && comesInOrder(project.getInput(), below.wanted(), below.terms(), environment);
            }
            case Aggregate aggregate when aggregate.getGroupType() != Aggregate.Group.SIMPLE -> false;
            case Aggregate aggregate -> aggregates.comesInOrder(aggregate, wanted, pushed, environment);
            default -> false;
        };
    }

    /**
     * The demands on a projection, or an aggregate, that concern its input.
     *
     * @param wanted the order, over the input's fields
     * @param mapped whether that is the order wanted
     * @param terms those that the input's rows have to fulfil
     * @param above the terms that are left, over what is made of those rows
     */
    record Below(Wanted wanted, boolean mapped, List<RexNode> terms, List<RexNode> above) {}

    private Below below(Project project, Wanted wanted, List<RexNode> pushed, Expressions.Environment environment) {
        List<PlanNode.SortKey> keys = new ArrayList<>();
        boolean mapped = true;
        for (PlanNode.SortKey key : wanted.keys()) {
            if (project.getProjects().get(key.field()) instanceof RexInputRef ref) {
                keys.add(new PlanNode.SortKey(ref.getIndex(), key.descending(), key.nullsFirst()));
            } else {
                mapped = false;
            }
        }
        List<RexNode> plainFields = project.getProjects().stream()
                .map(e -> Expressions.hasSubQuery(e) ? e : expressions.normalize(e, environment))
                .toList();
        List<RexNode> down = new ArrayList<>();
        List<RexNode> here = new ArrayList<>();
        for (RexNode term : pushed) {
            boolean plain = Expressions.inputs(term).asList().stream()
                    .noneMatch(
                            i -> Expressions.hasSubQuery(project.getProjects().get(i)));
            if (plain) {
                down.add(JoinBlock.substitute(term, plainFields));
            } else {
                here.add(term);
            }
        }
        return new Below(mapped ? new Wanted(keys, wanted.limited()) : Wanted.NOTHING, mapped, down, here);
    }

    /** A projection with window functions. Conditions on the keys by which all of them divide the rows select the input's rows. */
    private Row windowed(Project project, List<RexNode> pushed, Expressions.Environment environment) {
        Set<RexNode> keys = WindowPlanner.commonKeys(project.getProjects());
        List<RexNode> down = new ArrayList<>();
        List<RexNode> above = new ArrayList<>();
        for (RexNode term : pushed) {
            boolean divides = !FailingExpressions.mayFailByRow(term)
                    && Expressions.inputs(term).asList().stream()
                            .allMatch(i -> keys.contains(project.getProjects().get(i))
                                    && project.getProjects().get(i) instanceof RexInputRef);
            boolean constant = Expressions.inputs(term).isEmpty();
            (divides && !constant ? down : above).add(term);
        }
        List<RexNode> below = down.stream()
                .map(term -> JoinBlock.substitute(term, project.getProjects()))
                .toList();
        PlanNode input =
                plan(project.getInput(), Wanted.NOTHING, below, environment).node();
        WindowPlanner.Planned windows = new WindowPlanner(expressions, environment).plan(input, project.getProjects());
        PlanNode node = windows.node();
        List<RexNode> row = references(node);
        List<RexNode> fields = new ArrayList<>();
        for (RexNode expression : project.getProjects()) {
            SubQueryPlanner.Replaced replaced =
                    subQueries.replace(node, windows.replaced(expression), row, environment);
            node = replaced.node();
            fields.add(replaced.expression());
        }
        List<RexNode> terms =
                above.stream().map(term -> JoinBlock.substitute(term, fields)).toList();
        return new Row(filtered(node, terms), fields, false);
    }

    /** A projection with sub-queries, or above something other than joins. */
    private Row projected(
            Project project, Wanted wanted, List<RexNode> pushed, Expressions.Environment environment, boolean target) {
        Below below = below(project, wanted, pushed, environment);
        Row input = row(project.getInput(), below.wanted(), below.terms(), environment, target);
        PlanNode node = input.node();
        List<RexNode> fields = new ArrayList<>();
        for (RexNode expression : project.getProjects()) {
            SubQueryPlanner.Replaced replaced = subQueries.replace(node, expression, input.fields(), environment);
            node = replaced.node();
            fields.add(replaced.expression());
        }
        if (!below.above().isEmpty()) {
            node = filtered(
                    node,
                    below.above().stream()
                            .map(e -> JoinBlock.substitute(e, fields))
                            .toList());
        }
        return new Row(node, fields, below.mapped() && input.ordered());
    }

    static List<PlanNode.SortKey> keys(List<RelFieldCollation> collations) {
        List<PlanNode.SortKey> keys = new ArrayList<>();
        for (RelFieldCollation collation : collations) {
            keys.add(new PlanNode.SortKey(
                    collation.getFieldIndex(),
                    collation.getDirection().isDescending(),
                    collation.nullDirection == RelFieldCollation.NullDirection.UNSPECIFIED
                            ? !collation.getDirection().isDescending()
                            : collation.nullDirection == RelFieldCollation.NullDirection.FIRST));
        }
        return keys;
    }

    private PlanNode sort(Sort sort, Expressions.Environment environment) {
        List<PlanNode.SortKey> keys = keys(sort.getCollation().getFieldCollations());
        Optional<RexNode> offset = Optional.ofNullable(sort.offset).map(e -> expressions.normalize(e, environment));
        Optional<RexNode> fetch = Optional.ofNullable(sort.fetch).map(e -> expressions.normalize(e, environment));
        Planned input = plan(sort.getInput(), new Wanted(keys, fetch.isPresent()), List.of(), environment);
        PlanNode node = input.node();
        if (!keys.isEmpty() && input.ordered()) {
            orders.put(node, keys);
        } else if (!keys.isEmpty()) {
            return new PlanNode.Sort(node, keys, offset, fetch);
        }
        return offset.isEmpty() && fetch.isEmpty() ? node : new PlanNode.Limit(node, offset, fetch);
    }

    /** Terms from above are evaluated in each input, where they may find an index or say where its rows are. */
    private PlanNode union(Union union, List<RexNode> pushed, Expressions.Environment environment) {
        List<PlanNode> inputs = new ArrayList<>();
        for (RelNode input : union.getInputs()) {
            List<RexNode> fields = new ArrayList<>();
            for (RelDataTypeField field : input.getRowType().getFieldList()) {
                SqlType type = RepriseTypeFactory.toSqlType(
                        union.getRowType().getFieldList().get(field.getIndex()).getType(), "column " + field.getName());
                fields.add(expressions.cast(new RexInputRef(field.getIndex(), field.getType()), type));
            }
            List<RexNode> terms = pushed.stream()
                    .map(term -> JoinBlock.substitute(term, fields))
                    .toList();
            PlanNode node = plan(input, Wanted.NOTHING, terms, environment).node();
            inputs.add(converted(node, union.getRowType()));
        }
        PlanNode all;
        if (inputs.stream().allMatch(PlanNode.Values.class::isInstance)) {
            List<List<RexNode>> rows = new ArrayList<>();
            inputs.forEach(input -> rows.addAll(((PlanNode.Values) input).rows()));
            all = new PlanNode.Values(rows, fields(union.getRowType()));
        } else {
            all = new PlanNode.UnionAll(inputs, fields(union.getRowType()));
        }
        return union.all ? all : distinct(all);
    }

    public static PlanNode distinct(PlanNode input) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < input.fields().size(); i++) {
            all.add(i);
        }
        return new PlanNode.Aggregate(input, all, List.of(), input.fields());
    }

    /** INTERSECT and EXCEPT: the distinct rows of the first input that the others have, or have not. */
    private PlanNode semi(SetOp operation, PlanNode.JoinKind kind, Expressions.Environment environment) {
        PlanNode result = distinct(converted(plan(operation.getInput(0), environment), operation.getRowType()));
        for (RelNode input :
                operation.getInputs().subList(1, operation.getInputs().size())) {
            PlanNode other = converted(plan(input, environment), operation.getRowType());
            List<PlanField> both = new ArrayList<>(result.fields());
            both.addAll(other.fields());
            List<RexNode> terms = new ArrayList<>();
            for (int i = 0; i < result.fields().size(); i++) {
                int theirs = result.fields().size() + i;
                // Without NULLs it is a plain equality, so that the placement of equal rows in one partition can be
                // derived.
                boolean nullable = both.get(i).nullable() || both.get(theirs).nullable();
                terms.add(expressions
                        .rexBuilder()
                        .makeCall(
                                nullable ? SqlStdOperatorTable.IS_NOT_DISTINCT_FROM : SqlStdOperatorTable.EQUALS,
                                expressions.field(both, i),
                                expressions.field(both, theirs)));
            }
            PlanNode inner = PlanShapes.isCorrelated(other) ? other : new PlanNode.Materialize(other);
            result = new PlanNode.NestedLoopJoin(
                    result,
                    inner,
                    kind,
                    Optional.of(expressions.conjunction(terms)),
                    expressions.outerRow(result.fields()).correlation(),
                    result.fields());
        }
        return result;
    }

    /** For each row of the left side the rows of the right side, which refers to it. */
    private PlanNode lateral(Correlate correlate, List<RexNode> pushed, Expressions.Environment environment) {
        ImmutableBitSet left =
                ImmutableBitSet.range(correlate.getLeft().getRowType().getFieldCount());
        List<RexNode> own = new ArrayList<>();
        List<RexNode> others = new ArrayList<>();
        for (RexNode term : pushed) {
            ImmutableBitSet used = Expressions.inputs(term);
            boolean ofLeft = !used.isEmpty() && left.contains(used) && !FailingExpressions.mayFailByRow(term);
            (ofLeft ? own : others).add(term);
        }
        PlanNode outer =
                plan(correlate.getLeft(), Wanted.NOTHING, own, environment).node();
        Expressions.OuterRow row = expressions.outerRow(outer.fields());
        Expressions.Environment inside =
                environment.with(List.of(correlate.getCorrelationId().getName()), row.fields());
        PlanNode inner = plan(correlate.getRight(), inside);
        boolean optional = correlate.getJoinType() == JoinRelType.LEFT;
        List<PlanField> both = new ArrayList<>(outer.fields());
        inner.fields().forEach(field -> both.add(optional ? new PlanField(field.name(), field.type(), true) : field));
        PlanNode joined = new PlanNode.NestedLoopJoin(
                outer,
                PlanShapes.isCorrelated(inner) ? inner : new PlanNode.Materialize(inner),
                optional ? PlanNode.JoinKind.LEFT : PlanNode.JoinKind.INNER,
                Optional.empty(),
                row.correlation(),
                List.copyOf(both));
        return filtered(joined, others);
    }

    /** The functions that give rows: GENERATE_SERIES, and the elements of an array. */
    private PlanNode series(TableFunctionScan function, Expressions.Environment environment) {
        List<PlanField> fields = fields(function.getRowType());
        RexNode first = ((RexCall) function.getCall()).getOperands().getFirst();
        if (first.getType().getSqlTypeName() == SqlTypeName.ARRAY) {
            return new PlanNode.Elements(expressions.normalize(first, environment), fields);
        }
        SqlType type = fields.getFirst().type();
        if (type.isWide()) {
            throw new SqlPlanningException(
                    "GENERATE_SERIES",
                    "GENERATE_SERIES of DECIMALs of more than " + SqlType.MAX_WORD_PRECISION
                            + " digits is not supported: CAST them");
        }
        List<RexNode> operands = new ArrayList<>();
        for (RexNode operand : ((RexCall) function.getCall()).getOperands()) {
            operands.add(expressions.cast(expressions.normalize(operand, environment), type));
        }
        RexNode one = expressions.cast(expressions.rexBuilder().makeExactLiteral(BigDecimal.ONE), type);
        RexNode step = operands.size() > 2 ? operands.get(2) : expressions.normalize(one, environment);
        return new PlanNode.Series(operands.get(0), operands.get(1), step, fields);
    }

    /** Brings the inputs of a set operation to its types. */
    PlanNode converted(PlanNode node, RelDataType type) {
        List<PlanField> fields = fields(type);
        List<RexNode> cast = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            cast.add(expressions.cast(
                    expressions.field(node.fields(), i), fields.get(i).type()));
        }
        return project(new Row(node, cast, false), type);
    }

    private PlanNode values(Values values) {
        List<List<RexNode>> rows = new ArrayList<>();
        for (List<RexLiteral> tuple : values.getTuples()) {
            rows.add(List.copyOf(tuple));
        }
        return new PlanNode.Values(rows, fields(values.getRowType()));
    }
}

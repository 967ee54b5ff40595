package io.reprise.sql.place;

import io.reprise.catalog.Table;
import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.physical.ColumnPredicate;
import io.reprise.sql.physical.Expressions;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanShapes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Finds out what the partitioning columns of all tables in a plan are equal to, by following the equalities in access
 * keys, filters and join conditions. A term is a column of a table's occurrence, or a value known before the statement
 * runs ("constant": an expression over parameters and literals).
 *
 * <p>Only equalities that carry the bucket over count: between integers of any width, strings, or values of one type. A
 * DECIMAL with another scale is another number to the hash.
 */
public final class PlacementAnalyzer {
    private final IdentityHashMap<PlanNode, Occurrence> occurrences = new IdentityHashMap<>();
    private final IdentityHashMap<PlanNode, List<String>> terms = new IdentityHashMap<>();
    private final IdentityHashMap<PlanNode, Equalities> parts = new IdentityHashMap<>();
    private final Map<String, List<String>> outerRows = new HashMap<>();
    private final Map<String, RexNode> constants = new TreeMap<>();
    private int fresh;

    /** A table where it is read, or the table that an INSERT writes. */
    record Occurrence(Table table, String partitioningTerm, Equalities part) {
        /** All that the partitioning column is equal to. */
        Set<String> partitioningClass() {
            return part.of(partitioningTerm);
        }
    }

    public PlacementAnalyzer(PlanNode plan) {
        analyze(plan, new Equalities(null));
    }

    /** The partitioned tables' occurrences in a plan, outer ones first. */
    List<Occurrence> partitioned(PlanNode plan) {
        List<Occurrence> found = new ArrayList<>();
        PlanShapes.visit(plan, node -> {
            Occurrence occurrence = occurrences.get(node);
            if (occurrence != null && !occurrence.table().replicated()) {
                found.add(occurrence);
            }
        });
        return found;
    }

    /**
     * Those of them that say where a plan's rows are: not what an outer join or NOT EXISTS has looked up for them, which
     * {@link Distribution} has found to be in the same place.
     */
    List<Occurrence> placing(PlanNode plan) {
        List<Occurrence> found = new ArrayList<>();
        addPlacing(plan, found);
        return found;
    }

    private void addPlacing(PlanNode node, List<Occurrence> found) {
        Occurrence occurrence = occurrences.get(node);
        if (occurrence != null && !occurrence.table().replicated()) {
            found.add(occurrence);
        }
        if (node instanceof PlanNode.NestedLoopJoin join
                && (join.kind() == PlanNode.JoinKind.LEFT || join.kind() == PlanNode.JoinKind.ANTI)) {
            addPlacing(join.outer(), found);
        } else {
            PlanShapes.inputs(node).forEach(input -> addPlacing(input, found));
        }
    }

    /** The constant that a term stands for, or null if it is a column. */
    RexNode constant(String term) {
        return constants.get(term);
    }

    /** The term that stands for a field of a plan's rows in the classes of equal terms. */
    String term(PlanNode node, int field) {
        return terms.get(node).get(field);
    }

    /** All that a field of a plan's rows is equal to. */
    Set<String> classOf(PlanNode node, int field) {
        return parts.get(node).of(terms.get(node).get(field));
    }

    private List<String> analyze(PlanNode node, Equalities part) {
        List<String> result = fieldTerms(node, part);
        terms.put(node, result);
        parts.put(node, part);
        return result;
    }

    private List<String> fieldTerms(PlanNode node, Equalities part) {
        switch (node) {
            case PlanNode.Scan scan -> {
                List<String> columns = occurrence(node, scan.table(), part);
                scan.filter().ifPresent(filter -> addFilter(filter, columns, part));
                return columns;
            }
            case PlanNode.IndexLookup lookup -> {
                List<String> columns = occurrence(node, lookup.table(), part);
                addKeys(lookup.table(), lookup.index().columns(), lookup.keys(), columns, part);
                lookup.filter().ifPresent(filter -> addFilter(filter, columns, part));
                return columns;
            }
            case PlanNode.IndexRange range -> {
                List<String> columns = occurrence(node, range.table(), part);
                addKeys(range.table(), range.index().columns(), range.equal(), columns, part);
                range.filter().ifPresent(filter -> addFilter(filter, columns, part));
                return columns;
            }
            case PlanNode.Filter filter -> {
                List<String> input = analyze(filter.input(), part);
                addFilter(filter.condition(), input, part);
                return input;
            }
            case PlanNode.Owned owned -> {
                List<String> input = analyze(owned.input(), part);
                occurrences.put(node, new Occurrence(owned.table(), input.get(owned.field()), part));
                return input;
            }
            case PlanNode.Guard guard -> {
                return analyze(guard.input(), part);
            }
            case PlanNode.Project project -> {
                List<String> input = analyze(project.input(), part);
                return project.expressions().stream()
                        .map(e -> term(e, input))
                        .collect(java.util.stream.Collectors.toCollection(ArrayList::new));
            }
            case PlanNode.NestedLoopJoin join -> {
                return joined(join, part);
            }
            case PlanNode.Aggregate aggregate -> {
                return aggregated(aggregate, part);
            }
            case PlanNode.Window window -> {
                return windowed(window, part);
            }
            case PlanNode.Limit limit -> {
                return cut(limit.input(), part);
            }
            case PlanNode.Sort sort -> {
                return sort.fetch().isPresent() || sort.offset().isPresent()
                        ? cut(sort.input(), part)
                        : analyze(sort.input(), part);
            }
            case PlanNode.Materialize materialize -> {
                return analyze(materialize.input(), part);
            }
            case PlanNode.Values values -> {
                return values(values);
            }
            case PlanNode.UnionAll union -> {
                union.inputs().forEach(input -> analyze(input, new Equalities(part)));
                return fresh(union.fields().size());
            }
            case PlanNode.Insert insert -> {
                List<String> input = analyze(insert.input(), part);
                int column = insert.table().partitionColumn().orElse(-1);
                occurrences.put(node, new Occurrence(insert.table(), column < 0 ? null : input.get(column), part));
                return fresh(insert.fields().size());
            }
            case PlanNode.Update update -> {
                analyze(update.input(), part);
                return fresh(update.fields().size());
            }
            case PlanNode.Delete delete -> {
                analyze(delete.input(), part);
                return fresh(delete.fields().size());
            }
            case PlanNode.Truncate truncate -> {
                occurrence(node, truncate.table(), part);
                return fresh(1);
            }
            case PlanNode.Recursion recursion -> {
                analyze(recursion.first(), new Equalities(part));
                analyze(recursion.step(), new Equalities(part));
                return fresh(recursion.fields().size());
            }
            case PlanNode.WorkTable table -> {
                return fresh(table.fields().size());
            }
            case PlanNode.Series series -> {
                return fresh(1);
            }
            case PlanNode.Elements elements -> {
                return fresh(elements.fields().size());
            }
            case PlanNode.Gathered gathered -> {
                return fresh(gathered.fields().size());
            }
        }
    }

    private List<String> occurrence(PlanNode node, Table table, Equalities part) {
        List<String> columns = fresh(table.columns().size());
        int partitioning = table.partitionColumn().orElse(-1);
        occurrences.put(node, new Occurrence(table, partitioning < 0 ? null : columns.get(partitioning), part));
        return columns;
    }

    private List<String> fresh(int count) {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add("column " + fresh++);
        }
        return made;
    }

    private List<String> joined(PlanNode.NestedLoopJoin join, Equalities part) {
        List<String> outer = analyze(join.outer(), part);
        outerRows.put(join.correlation(), outer);
        boolean same = join.kind() == PlanNode.JoinKind.INNER || join.kind() == PlanNode.JoinKind.SEMI;
        Equalities inside = same ? part : new Equalities(part);
        List<String> inner = analyze(join.inner(), inside);
        List<String> both = new ArrayList<>(outer);
        both.addAll(inner);
        join.condition().ifPresent(condition -> addFilter(condition, both, inside));
        return switch (join.kind()) {
            case INNER -> both;
            case LEFT -> {
                List<String> result = new ArrayList<>(outer);
                for (String column : inner) {
                    String optional = fresh(1).getFirst();
                    inside.addOptional(optional, column, inside);
                    result.add(optional);
                }
                yield result;
            }
            case SEMI, ANTI -> outer;
        };
    }

    private List<String> aggregated(PlanNode.Aggregate aggregate, Equalities part) {
        boolean always = aggregate.groupBy().isEmpty();
        List<String> input = analyze(aggregate.input(), always ? new Equalities(part) : part);
        List<String> result = new ArrayList<>();
        aggregate.groupBy().forEach(field -> result.add(input.get(field)));
        result.addAll(fresh(aggregate.fields().size() - aggregate.groupBy().size()));
        return result;
    }

    /** A condition on the rows with their functions' values tells about the input's rows by the fields that divide these only. */
    private List<String> windowed(PlanNode.Window window, Equalities part) {
        Equalities inside = new Equalities(part);
        List<String> input = analyze(window.input(), inside);
        List<String> result = new ArrayList<>();
        for (int i = 0; i < input.size(); i++) {
            result.add(window.partitionBy().contains(i) ? input.get(i) : known(input.get(i), inside));
        }
        result.addAll(fresh(window.calls().size()));
        return result;
    }

    /** A condition on the rows that a LIMIT lets through tells nothing about its input. */
    private List<String> cut(PlanNode input, Equalities part) {
        Equalities inside = new Equalities(part);
        List<String> result = new ArrayList<>();
        for (String term : analyze(input, inside)) {
            result.add(known(term, inside));
        }
        return result;
    }

    /** The constant that a term equals, or a term that equals nothing. */
    private String known(String term, Equalities inside) {
        String known = null;
        for (String equal : inside.of(term)) {
            known = constants.containsKey(equal) ? equal : known;
        }
        return known != null ? known : fresh(1).getFirst();
    }

    private List<String> values(PlanNode.Values values) {
        List<String> result = fresh(values.fields().size());
        for (int i = 0; i < result.size(); i++) {
            String common = null;
            boolean same = !values.rows().isEmpty();
            for (List<RexNode> row : values.rows()) {
                String term = term(row.get(i), List.of());
                same &= term != null && (common == null || common.equals(term));
                common = term;
            }
            if (same) {
                result.set(i, common);
            }
        }
        return result;
    }

    private void addKeys(
            Table table, List<Integer> keyColumns, List<RexNode> keys, List<String> columns, Equalities part) {
        for (int i = 0; i < keys.size(); i++) {
            int column = keyColumns.get(i);
            RexNode key = compared(keys.get(i));
            RelDataType type =
                    new RepriseTypeFactory().of(table.columns().get(column).type(), true);
            if (sameHash(type, key.getType())) {
                part.add(columns.get(column), term(key, columns));
            }
        }
    }

    private void addFilter(RexNode filter, List<String> fields, Equalities part) {
        for (RexNode condition : RelOptUtil.conjunctions(filter)) {
            if (condition.getKind() == SqlKind.EQUALS) {
                RexNode left = compared(((RexCall) condition).getOperands().get(0));
                RexNode right = compared(((RexCall) condition).getOperands().get(1));
                if (sameHash(left.getType(), right.getType())) {
                    part.add(term(left, fields), term(right, fields));
                }
            }
        }
    }

    private String term(RexNode expression, List<String> fields) {
        RexNode inner = withoutCasts(expression);
        if (inner instanceof RexInputRef ref) {
            return fields.get(ref.getIndex());
        } else if (inner instanceof RexFieldAccess access
                && access.getReferenceExpr() instanceof RexCorrelVariable variable) {
            List<String> outer = outerRows.get(variable.getName());
            return outer == null ? null : outer.get(access.getField().getIndex());
        } else if (Expressions.inputs(inner).isEmpty() && !Expressions.isCorrelated(inner, null)) {
            if (Expressions.dependsOnTime(inner)) {
                // The time is not known yet when a statement is routed.
                return "time " + inner;
            }
            String key = "constant "
                    + (inner instanceof RexDynamicParam ? "0" : inner instanceof RexLiteral ? "1" : "2") + " " + inner;
            constants.putIfAbsent(key, inner);
            return key;
        }
        return fresh(1).getFirst();
    }

    /** Takes off what changes neither the value nor its hash: a wider integer or string. */
    private static RexNode withoutCasts(RexNode expression) {
        if (ColumnPredicate.withoutWidening(expression) == expression) {
            return expression;
        }
        RexNode operand = ((RexCall) expression).getOperands().get(0);
        return sameHash(operand.getType(), expression.getType()) ? withoutCasts(operand) : expression;
    }

    /**
     * Takes the guard of a lookup off a side of an equality, also a guard that the user wrote: NULL equals nothing. Anywhere else
     * the NULL is a value of its own, in rows of all partitions.
     */
    private static RexNode compared(RexNode expression) {
        RexNode inner = withoutCasts(expression);
        if (inner.getKind() != SqlKind.CASE) {
            return inner;
        }
        List<RexNode> operands = ((RexCall) inner).getOperands();
        boolean guard = operands.size() == 3
                && operands.get(2) instanceof RexLiteral literal
                && literal.isNull()
                && operands.get(1).getKind() == SqlKind.CAST
                && SqlTypeUtil.isIntType(operands.get(1).getType());
        if (!guard) {
            return inner;
        }
        RexNode value = ((RexCall) operands.get(1)).getOperands().get(0);
        return SqlTypeUtil.isIntType(value.getType()) ? compared(value) : inner;
    }

    private static boolean sameHash(RelDataType one, RelDataType other) {
        if (SqlTypeUtil.isIntType(one) && SqlTypeUtil.isIntType(other)
                || SqlTypeUtil.inCharFamily(one) && SqlTypeUtil.inCharFamily(other)) {
            return true;
        }
        return one.getSqlTypeName() == other.getSqlTypeName()
                && (one.getSqlTypeName() != SqlTypeName.DECIMAL || one.getScale() == other.getScale());
    }
}

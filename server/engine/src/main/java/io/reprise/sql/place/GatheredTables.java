package io.reprise.sql.place;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.physical.Expressions;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.Bound;
import io.reprise.sql.physical.PlanNode.SortKey;
import io.reprise.sql.physical.PlanShapes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Splits an ad hoc query that joins rows of different partitions. Each partition finds its rows of every partitioned table
 * that the query reads, as far as the conditions without other tables select them. All of them are gathered, and the query
 * runs over these in one place, within the work memory of one transaction. It is slow, and meant for reports.
 *
 * <p>The rows of several tables are gathered as one kind of row: the number of the table and a column for each type that a
 * table needs, which tables share.
 */
public final class GatheredTables {
    private static final PlanField NUMBER = new PlanField("TABLE", SqlType.of(SqlType.Kind.INTEGER), false);

    private final Expressions expressions;
    private final IdentityHashMap<PlanNode, List<SortKey>> orders;
    private final List<PlanNode> found = new ArrayList<>();
    private final List<List<Integer>> columns = new ArrayList<>();
    private final List<PlanField> shared = new ArrayList<>(List.of(NUMBER));

    public GatheredTables(Expressions expressions, IdentityHashMap<PlanNode, List<SortKey>> orders) {
        this.expressions = expressions;
        this.orders = orders;
    }

    /** Splits a query into the rows of each partition, and the query over all of them. */
    public Distributor.Split split(PlanNode query) {
        PlanNode merge = replaced(query);
        return new Distributor.Split(fragment(), merge);
    }

    private PlanNode replaced(PlanNode node) {
        PlanNode result = switch (node) {
            case PlanNode.Scan scan when !scan.table().replicated() -> gathered(scan, scan.filter(), List.of());
            case PlanNode.IndexLookup lookup
            when !lookup.table().replicated() ->
                isIndependent(lookup.keys())
                        ? gathered(lookup, lookup.filter(), List.of())
                        : gathered(scan(lookup.table(), lookup), lookup.filter(), conditions(lookup));
            case PlanNode.IndexRange range
            when !range.table().replicated() ->
                isIndependent(keys(range))
                        ? gathered(range, range.filter(), List.of())
                        : gathered(scan(range.table(), range), range.filter(), conditions(range));
            default -> {
                List<PlanNode> inputs = PlanShapes.inputs(node);
                yield inputs.isEmpty()
                        ? node
                        : PlanShapes.withInputs(
                                node, inputs.stream().map(this::replaced).toList());
            }
        };
        List<SortKey> order = orders.get(node);
        return order == null || result == node
                ? result
                : new PlanNode.Sort(result, order, Optional.empty(), Optional.empty());
    }

    private static PlanNode.Scan scan(Table table, PlanNode access) {
        return new PlanNode.Scan(table, Optional.empty(), access.fields());
    }

    private static List<RexNode> keys(PlanNode.IndexRange range) {
        List<RexNode> keys = new ArrayList<>(range.equal());
        range.lower().ifPresent(bound -> keys.add(bound.value()));
        range.upper().ifPresent(bound -> keys.add(bound.value()));
        return keys;
    }

    private List<RexNode> conditions(PlanNode.IndexLookup lookup) {
        List<RexNode> conditions = new ArrayList<>();
        for (int i = 0; i < lookup.keys().size(); i++) {
            conditions.add(compared(
                    lookup,
                    lookup.index(),
                    i,
                    SqlStdOperatorTable.EQUALS,
                    lookup.keys().get(i)));
        }
        return conditions;
    }

    private List<RexNode> conditions(PlanNode.IndexRange range) {
        List<RexNode> conditions = new ArrayList<>();
        int next = range.equal().size();
        for (int i = 0; i < next; i++) {
            conditions.add(compared(
                    range,
                    range.index(),
                    i,
                    SqlStdOperatorTable.EQUALS,
                    range.equal().get(i)));
        }
        range.lower()
                .ifPresent(bound -> conditions.add(compared(
                        range,
                        range.index(),
                        next,
                        isInclusive(bound)
                                ? SqlStdOperatorTable.GREATER_THAN_OR_EQUAL
                                : SqlStdOperatorTable.GREATER_THAN,
                        bound.value())));
        range.upper()
                .ifPresent(bound -> conditions.add(compared(
                        range,
                        range.index(),
                        next,
                        isInclusive(bound) ? SqlStdOperatorTable.LESS_THAN_OR_EQUAL : SqlStdOperatorTable.LESS_THAN,
                        bound.value())));
        return conditions;
    }

    private static boolean isInclusive(Bound bound) {
        return bound.inclusive();
    }

    private RexNode compared(PlanNode access, Index index, int keyColumn, SqlOperator operator, RexNode value) {
        RexNode column = expressions.field(access.fields(), index.columns().get(keyColumn));
        return expressions.rexBuilder().makeCall(operator, column, value);
    }

    /** Has rows found in each partition as far as their own columns select them; the other conditions are for where all are. */
    private PlanNode gathered(PlanNode access, Optional<RexNode> filter, List<RexNode> conditions) {
        List<RexNode> own = new ArrayList<>();
        List<RexNode> others = new ArrayList<>(conditions);
        filter.ifPresent(condition -> RelOptUtil.conjunctions(condition)
                .forEach(term -> (isIndependent(List.of(term)) ? own : others).add(term)));
        PlanNode rows = new PlanNode.Materialize(numbered(withFilter(access, conjunction(own))));
        return others.isEmpty()
                ? rows
                : new PlanNode.Filter(rows, conjunction(others).orElseThrow());
    }

    private Optional<RexNode> conjunction(List<RexNode> terms) {
        return terms.isEmpty()
                ? Optional.empty()
                : Optional.of(RexUtil.composeConjunction(expressions.rexBuilder(), terms));
    }

    private static PlanNode withFilter(PlanNode access, Optional<RexNode> filter) {
        return switch (access) {
            case PlanNode.Scan scan -> new PlanNode.Scan(scan.table(), filter, scan.fields());
            case PlanNode.IndexLookup lookup ->
                new PlanNode.IndexLookup(lookup.table(), lookup.index(), lookup.keys(), filter, lookup.fields());
            case PlanNode.IndexRange range ->
                new PlanNode.IndexRange(
                        range.table(),
                        range.index(),
                        range.equal(),
                        range.lower(),
                        range.upper(),
                        range.descending(),
                        filter,
                        range.fields());
            default -> throw new IllegalStateException("no access to a table: " + access);
        };
    }

    /** The rows with the number of this access, as the access would give them; an access that comes again is made once. */
    private PlanNode numbered(PlanNode access) {
        int number = found.indexOf(access);
        if (number < 0) {
            number = found.size();
            found.add(access);
            columns.add(placed(access.fields()));
        }
        RexNode ofAccess = expressions
                .rexBuilder()
                .makeCall(SqlStdOperatorTable.EQUALS, expressions.field(shared, 0), number(number));
        List<RexNode> values = columns.get(number).stream()
                .map(column -> expressions.field(shared, column))
                .toList();
        return new PlanNode.Project(
                new PlanNode.Filter(new PlanNode.Gathered(shared), ofAccess), values, access.fields());
    }

    private RexNode number(int number) {
        RelDataType type = expressions.types().of(NUMBER.type(), false);
        return expressions.rexBuilder().makeLiteral(number, type);
    }

    /** For each field a column of its type that no other field of the same row has. */
    private List<Integer> placed(List<PlanField> fields) {
        Map<SqlType, Integer> taken = new HashMap<>();
        List<Integer> places = new ArrayList<>();
        for (PlanField field : fields) {
            int from = taken.getOrDefault(field.type(), 1);
            while (from < shared.size() && !shared.get(from).type().equals(field.type())) {
                from++;
            }
            if (from == shared.size()) {
                shared.add(new PlanField("C" + from, field.type(), true));
            }
            places.add(from);
            taken.put(field.type(), from + 1);
        }
        return places;
    }

    private PlanNode fragment() {
        List<PlanNode> inputs = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            List<RexNode> values = new ArrayList<>();
            values.add(number(i));
            for (int column = 1; column < shared.size(); column++) {
                int field = columns.get(i).indexOf(column);
                RelDataType type = expressions.types().of(shared.get(column).type(), true);
                values.add(
                        field < 0
                                ? expressions.rexBuilder().makeNullLiteral(type)
                                : expressions.field(found.get(i).fields(), field));
            }
            inputs.add(new PlanNode.Project(found.get(i), values, shared));
        }
        return inputs.size() == 1 ? inputs.getFirst() : new PlanNode.UnionAll(inputs, shared);
    }

    private static boolean isIndependent(List<RexNode> terms) {
        boolean[] refers = new boolean[1];
        for (RexNode term : terms) {
            term.accept(new RexVisitorImpl<Void>(true) {
                @Override
                public Void visitFieldAccess(RexFieldAccess outer) {
                    refers[0] = true;
                    return null;
                }
            });
        }
        return !refers[0];
    }
}

package io.reprise.sql.physical;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/** GROUPING SETS, ROLLUP and CUBE as a union of aggregates, one for each set, with NULL for the columns that it does not group by. */
final class GroupingSets {
    private final Aggregate aggregate;
    private final RexBuilder rex;

    private GroupingSets(Aggregate aggregate) {
        this.aggregate = aggregate;
        rex = aggregate.getCluster().getRexBuilder();
    }

    /** The aggregate as a union. */
    static Union union(Aggregate aggregate) {
        GroupingSets sets = new GroupingSets(aggregate);
        return LogicalUnion.create(
                aggregate.getGroupSets().stream().map(sets::grouped).toList(), true);
    }

    private RelNode grouped(ImmutableBitSet set) {
        List<AggregateCall> calls = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            if (call.getAggregation().getKind() != SqlKind.GROUPING) {
                calls.add(AggregateCall.create(
                        call.getParserPosition(),
                        call.getAggregation(),
                        call.isDistinct(),
                        call.isApproximate(),
                        call.ignoreNulls(),
                        call.rexList,
                        call.getArgList(),
                        call.filterArg,
                        call.distinctKeys,
                        call.getCollation(),
                        set.isEmpty(),
                        aggregate.getInput(),
                        null,
                        call.getName()));
            }
        }
        RelNode one = LogicalAggregate.create(aggregate.getInput(), List.of(), set, null, calls);
        return LogicalProject.create(
                one, List.of(), fields(one, set), aggregate.getRowType().getFieldNames(), Set.of());
    }

    private List<RexNode> fields(RelNode one, ImmutableBitSet set) {
        List<RexNode> fields = new ArrayList<>();
        int at = 0;
        for (int column : aggregate.getGroupSet()) {
            if (set.get(column)) {
                fields.add(rex.makeInputRef(one, at++));
            } else {
                fields.add(rex.makeNullLiteral(nullable(fields.size())));
            }
        }
        for (AggregateCall call : aggregate.getAggCallList()) {
            if (call.getAggregation().getKind() == SqlKind.GROUPING) {
                fields.add(grouping(call, set));
            } else {
                fields.add(rex.makeInputRef(one, at++));
            }
        }
        return fields;
    }

    private RelDataType nullable(int field) {
        RelDataTypeField described = aggregate.getRowType().getFieldList().get(field);
        return rex.getTypeFactory().createTypeWithNullability(described.getType(), true);
    }

    /** A bit for each argument, the last one the lowest: 1 if the set does not group by it. */
    private RexNode grouping(AggregateCall call, ImmutableBitSet set) {
        long bits = 0;
        for (int column : call.getArgList()) {
            bits = bits << 1 | (set.get(column) ? 0 : 1);
        }
        return rex.makeExactLiteral(BigDecimal.valueOf(bits), call.getType());
    }
}

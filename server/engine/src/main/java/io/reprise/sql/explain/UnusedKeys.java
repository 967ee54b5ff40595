package io.reprise.sql.explain;

import io.reprise.catalog.Index;
import io.reprise.sql.physical.ColumnPredicate;
import io.reprise.sql.physical.PlanNode;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Hash indexes that a scan passes by, because a condition binds the first column of their keys and not all of them. */
final class UnusedKeys {
    private UnusedKeys() {}

    /** The remark about a scan; empty if there is no such index. */
    static String remark(PlanNode.Scan scan) {
        for (Index index : scan.table().indexes()) {
            if (index.kind() == Index.Kind.HASH
                    && index.columns().size() > 1
                    && scan.filter().isPresent()
                    && binds(scan.filter().get(), index.columns().getFirst())) {
                return "; " + index.name() + " is a hash index, which finds whole keys only";
            }
        }
        return "";
    }

    private static boolean binds(RexNode filter, int column) {
        return RelOptUtil.conjunctions(filter).stream()
                .filter(term -> term.getKind() == SqlKind.EQUALS)
                .flatMap(term -> ((RexCall) term).getOperands().stream())
                .map(ColumnPredicate::withoutWidening)
                .anyMatch(operand -> operand instanceof RexInputRef ref && ref.getIndex() == column);
    }
}

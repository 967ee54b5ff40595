package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * Finds out which DECIMAL parameters are only compared with something, and how. It looks at a statement's algebra:
 * BETWEEN, IN with a list and NULLIF are plain comparisons there, and no term is an index key yet.
 */
final class ComparedParameters extends RexShuttle {
    private final Set<Integer> cast;
    private final ParameterRounding[] roundings;

    private ComparedParameters(Set<Integer> cast, int parameters) {
        this.cast = cast;
        this.roundings = new ParameterRounding[parameters];
    }

    /**
     * For each parameter what becomes of digits that it has no room for.
     *
     * @param cast those that a CAST rounds, see {@link #cast}
     */
    static List<ParameterRounding> of(List<RelNode> rels, int parameters, Set<Integer> cast) {
        if (parameters == 0) {
            return List.of();
        }
        ComparedParameters found = new ComparedParameters(cast, parameters);
        rels.forEach(found::visit);
        List<ParameterRounding> all = new ArrayList<>();
        for (ParameterRounding rounding : found.roundings) {
            all.add(rounding == null ? ParameterRounding.NEAREST : rounding);
        }
        return List.copyOf(all);
    }

    /** The parameters within CAST as it was written: Calcite takes off those that change no type, but they round. */
    static Set<Integer> cast(SqlNode statement) {
        Set<Integer> found = new HashSet<>();
        statement.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                if (call.getKind() == SqlKind.CAST && call.operand(0) instanceof SqlDynamicParam parameter) {
                    found.add(parameter.getIndex());
                }
                return super.visit(call);
            }
        });
        return found;
    }

    private void visit(RelNode rel) {
        rel.accept(this);
        rel.getInputs().forEach(this::visit);
    }

    @Override
    public RexNode visitCall(RexCall call) {
        return switch (call.getKind()) {
            case EQUALS,
                    NOT_EQUALS,
                    IS_DISTINCT_FROM,
                    IS_NOT_DISTINCT_FROM,
                    LESS_THAN,
                    LESS_THAN_OR_EQUAL,
                    GREATER_THAN,
                    GREATER_THAN_OR_EQUAL -> {
                RexNode left = call.getOperands().get(0);
                RexNode right = call.getOperands().get(1);
                compare(left, right.getType(), call.getKind().reverse());
                compare(right, left.getType(), call.getKind());
                yield call;
            }
            case IS_NULL, IS_NOT_NULL -> {
                RexNode operand = call.getOperands().getFirst();
                yield operand instanceof RexDynamicParam ? call : super.visitCall(call);
            }
            default -> super.visitCall(call);
        };
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
        SqlKind kind = subQuery.op instanceof SqlQuantifyOperator quantify && quantify.comparisonKind != null
                ? quantify.comparisonKind
                : SqlKind.EQUALS;
        for (int i = 0; i < subQuery.getOperands().size(); i++) {
            RelDataType column = subQuery.rel.getRowType().getFieldList().get(i).getType();
            compare(subQuery.getOperands().get(i), column, kind.reverse());
            if (subQuery.getOperands().size() > 1 && kind != SqlKind.NOT_EQUALS) {
                // The first columns of rows are equal where a later one decides.
                compare(subQuery.getOperands().get(i), column, SqlKind.EQUALS);
            }
        }
        visit(subQuery.rel);
        return subQuery;
    }

    @Override
    public RexNode visitDynamicParam(RexDynamicParam parameter) {
        roundings[parameter.getIndex()] = ParameterRounding.NEAREST;
        return parameter;
    }

    /** Something of a type is compared with a value: {@code kind} is what it is to that. */
    private void compare(RexNode value, RelDataType other, SqlKind kind) {
        RexNode inner = withoutCast(value);
        if (!(inner instanceof RexDynamicParam parameter) || cast.contains(parameter.getIndex())) {
            value.accept(this);
            return;
        }
        boolean alike = inner == value
                && SqlTypeUtil.isExactNumeric(other)
                && RepriseTypeSystem.scale(other) <= RepriseTypeSystem.scale(value.getType());
        add(parameter.getIndex(), alike ? rounding(kind) : ParameterRounding.REFUSED);
    }

    /** Without the cast to a common type that validation has put around a number. */
    private static RexNode withoutCast(RexNode value) {
        return value.getKind() == SqlKind.CAST && value.getType().getSqlTypeName() == SqlTypeName.DECIMAL
                ? ((RexCall) value).getOperands().getFirst()
                : value;
    }

    private static ParameterRounding rounding(SqlKind kind) {
        return switch (kind) {
            case LESS_THAN, GREATER_THAN_OR_EQUAL -> ParameterRounding.ABOVE;
            case GREATER_THAN, LESS_THAN_OR_EQUAL -> ParameterRounding.BELOW;
            default -> ParameterRounding.UNEQUAL;
        };
    }

    /** A parameter that is also used as a value is rounded in all places. */
    private void add(int parameter, ParameterRounding rounding) {
        ParameterRounding before = roundings[parameter];
        if (before == null) {
            roundings[parameter] = rounding;
        } else if (before != ParameterRounding.NEAREST && before != rounding) {
            boolean refused = before == ParameterRounding.REFUSED || rounding == ParameterRounding.REFUSED;
            roundings[parameter] = refused ? ParameterRounding.REFUSED : ParameterRounding.SEVERAL;
        }
    }
}

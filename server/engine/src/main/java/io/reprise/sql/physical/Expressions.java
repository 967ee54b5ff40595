package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.PlanningLimit;
import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.bind.RepriseTypeSystem;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.bind.SupportedCasts;
import io.reprise.sql.bind.SupportedFunctions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The scalar expressions of the physical planner: substitution, normal form, terms. One for each statement that is
 * planned.
 */
public final class Expressions {
    private static final Set<SqlKind> COMPARISONS = Set.of(
            SqlKind.EQUALS,
            SqlKind.NOT_EQUALS,
            SqlKind.LESS_THAN,
            SqlKind.LESS_THAN_OR_EQUAL,
            SqlKind.GREATER_THAN,
            SqlKind.GREATER_THAN_OR_EQUAL,
            SqlKind.IS_DISTINCT_FROM,
            SqlKind.IS_NOT_DISTINCT_FROM,
            SqlKind.IS_NULL,
            SqlKind.IS_NOT_NULL);

    /**
     * The algebra's correlation variables are numbered from 0. Ours never have the same name: an expression that refers to
     * one of ours may become a part of another, which is then resolved.
     */
    private static final int FIRST_OUTER_ROW = 1_000_000;

    private final RexBuilder rexBuilder;
    private final RepriseTypeFactory types;
    private int correlations = FIRST_OUTER_ROW;

    public Expressions(RexBuilder rexBuilder) {
        this.rexBuilder = rexBuilder;
        this.types = (RepriseTypeFactory) rexBuilder.getTypeFactory();
    }

    public RexBuilder rexBuilder() {
        return rexBuilder;
    }

    public RepriseTypeFactory types() {
        return types;
    }

    /**
     * The correlation variables of the algebra: for each, its fields as expressions that are valid in this
     * environment.
     */
    public record Environment(Map<String, IntFunction<RexNode>> variables) {
        public static final Environment EMPTY = new Environment(Map.of());

        Environment with(Iterable<String> names, IntFunction<RexNode> fields) {
            Map<String, IntFunction<RexNode>> extended = new HashMap<>(variables);
            names.forEach(name -> extended.put(name, fields));
            return new Environment(extended);
        }

        boolean knows(CorrelationId id) {
            return variables.containsKey(id.getName());
        }
    }

    /** An outer row to which an inner side refers: the name, and its fields as expressions. */
    record OuterRow(String correlation, IntFunction<RexNode> fields) {}

    /** Gives the row of an outer side a name of its own. */
    OuterRow outerRow(List<PlanField> fields) {
        CorrelationId id = new CorrelationId(correlations++);
        List<RelDataType> columnTypes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            columnTypes.add(types.of(fields.get(i).type(), fields.get(i).nullable()));
            names.add("f" + i);
        }
        RexNode row = rexBuilder.makeCorrel(types.createStructType(columnTypes, names), id);
        return new OuterRow(id.getName(), field -> rexBuilder.makeFieldAccess(row, field));
    }

    /** A reference to a field. */
    public RexNode field(List<PlanField> fields, int index) {
        PlanField field = fields.get(index);
        return rexBuilder.makeInputRef(types.of(field.type(), field.nullable()), index);
    }

    /** Replaces references to input fields. */
    static RexNode remap(RexNode expression, IntFunction<RexNode> fields) {
        return expression.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
                return fields.apply(ref.getIndex());
            }
        });
    }

    /** Replaces references to input fields, given the references themselves. */
    static RexNode rewrite(RexNode expression, Replacement fields) {
        return expression.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
                return fields.apply(ref);
            }
        });
    }

    /** The replacement of a reference by {@link #rewrite}. */
    interface Replacement {
        RexNode apply(RexInputRef ref);
    }

    /** Resolves correlation variables, expands SEARCH, folds constants, and refuses operators that we do not have. */
    RexNode normalize(RexNode expression, Environment environment) {
        RexNode expanded = RexUtil.expandSearch(rexBuilder, null, expression);
        return expanded.accept(new RexShuttle() {
            @Override
            public RexNode visitFieldAccess(RexFieldAccess access) {
                if (access.getReferenceExpr() instanceof RexCorrelVariable variable && environment.knows(variable.id)) {
                    return environment
                            .variables()
                            .get(variable.getName())
                            .apply(access.getField().getIndex());
                }
                return super.visitFieldAccess(access);
            }

            @Override
            public RexNode visitLiteral(RexLiteral literal) {
                SupportedCasts.check(literal);
                return literal;
            }

            @Override
            public RexNode visitOver(RexOver over) {
                throw new SqlPlanningException("OVER", "window functions are not supported: OVER");
            }

            @Override
            public RexNode visitSubQuery(RexSubQuery subQuery) {
                throw new SqlPlanningException(
                        "SELECT", "a sub-query is not supported in this place: " + subQuery.getKind());
            }

            @Override
            public RexNode visitCall(RexCall call) {
                PlanningLimit.check();
                if (call.getKind() == SqlKind.COALESCE) {
                    return coalesce((RexCall) super.visitCall(call));
                }
                String name = call.getOperator().getName();
                if (!SupportedFunctions.OPERATORS.contains(name)) {
                    throw new SqlPlanningException(name, SupportedFunctions.unknown(name));
                }
                if (call.getKind() == SqlKind.CAST) {
                    SupportedCasts.check(call.getOperands().get(0).getType(), call.getType());
                }
                RexNode visited = super.visitCall(call);
                return visited instanceof RexCall rewritten
                        ? ConstantFolder.fold(rexBuilder, withoutCommonType(withoutNeedlessCast(rewritten)))
                        : visited;
            }
        });
    }

    /** Only joins with USING leave COALESCE as a call of its own. */
    private RexNode coalesce(RexCall call) {
        List<RexNode> cases = new ArrayList<>();
        for (RexNode operand : call.getOperands().subList(0, call.getOperands().size() - 1)) {
            cases.add(rexBuilder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, operand));
            cases.add(operand);
        }
        cases.add(call.getOperands().getLast());
        return rexBuilder.makeCall(call.getType(), SqlStdOperatorTable.CASE, cases);
    }

    /** Takes off casts that change nothing: to a longer string, to more digits before the point, to the type it has. */
    private RexNode withoutNeedlessCast(RexCall call) {
        if (call.getKind() == SqlKind.CAST) {
            RexNode operand = call.getOperands().get(0);
            boolean nullable = call.getType().isNullable() || !operand.getType().isNullable();
            return nullable && keepsAll(operand.getType(), call.getType()) ? operand : call;
        } else if (call.getOperator() == SqlStdOperatorTable.OCTET_LENGTH
                && call.getOperands().get(0).getKind() == SqlKind.CAST) {
            // Only to count bytes, a string need not become a binary one.
            RexNode operand =
                    ((RexCall) call.getOperands().get(0)).getOperands().get(0);
            if (SqlTypeUtil.inCharFamily(operand.getType())) {
                return rexBuilder.makeCall(call.getType(), call.getOperator(), List.of(operand));
            }
        }
        return call;
    }

    /** Compares exact numbers, with each other or with NULL, as they are. */
    private RexNode withoutCommonType(RexNode expression) {
        if (!(expression instanceof RexCall call)
                || !COMPARISONS.contains(call.getKind())
                || !call.getOperands().stream().allMatch(operand -> SqlTypeUtil.isExactNumeric(operand.getType()))) {
            return expression;
        }
        List<RexNode> operands =
                call.getOperands().stream().map(Expressions::compared).toList();
        return operands.equals(call.getOperands())
                ? call
                : rexBuilder.makeCall(call.getType(), call.getOperator(), operands);
    }

    /**
     * A number that is compared with another exact one, without the cast to the widest type of both that validation has
     * inserted: no value changes by it, but a BIGINT of 18 digits is no DECIMAL(18,2), and comparing needs no common type.
     */
    static RexNode compared(RexNode number) {
        if (number.getKind() != SqlKind.CAST
                || number.getType().getSqlTypeName() != SqlTypeName.DECIMAL
                || number.getType().getPrecision() < RepriseTypeSystem.most(number.getType())) {
            return number;
        }
        RexNode operand = ((RexCall) number).getOperands().getFirst();
        return SqlTypeUtil.isExactNumeric(operand.getType())
                        && RepriseTypeSystem.scale(operand.getType()) <= RepriseTypeSystem.scale(number.getType())
                ? operand
                : number;
    }

    private static boolean keepsAll(RelDataType from, RelDataType to) {
        if (from.getSqlTypeName() != to.getSqlTypeName()) {
            return false;
        }
        return switch (to.getSqlTypeName()) {
            case VARCHAR, VARBINARY -> to.getPrecision() >= from.getPrecision() && !isCheckedJson(from, to);
            case TIMESTAMP -> to.getPrecision() == from.getPrecision();
            case DECIMAL ->
                to.getScale() == from.getScale()
                        && to.getPrecision() >= from.getPrecision()
                        && RepriseTypeSystem.most(from) == RepriseTypeSystem.most(to);
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DATE, TIME, UUID -> true;
            default -> false;
        };
    }

    private static boolean isCheckedJson(RelDataType from, RelDataType to) {
        return RepriseTypeFactory.toSqlType(to, "CAST").isJson()
                && !RepriseTypeFactory.toSqlType(from, "CAST").isJson();
    }

    /** The terms of a conjunction, also of the negation of a disjunction. */
    List<RexNode> conjuncts(RexNode condition) {
        List<RexNode> terms = new ArrayList<>();
        for (RexNode term : RelOptUtil.conjunctions(condition)) {
            if (term.getKind() == SqlKind.NOT
                    && ((RexCall) term).getOperands().get(0).getKind() == SqlKind.OR) {
                for (RexNode part : ((RexCall) ((RexCall) term).getOperands().get(0)).getOperands()) {
                    terms.addAll(conjuncts(rexBuilder.makeCall(SqlStdOperatorTable.NOT, part)));
                }
            } else if (term.getKind() == SqlKind.NOT
                    && ((RexCall) term).getOperands().get(0).getKind() == SqlKind.NOT) {
                terms.addAll(conjuncts(((RexCall) ((RexCall) term).getOperands().get(0))
                        .getOperands()
                        .get(0)));
            } else {
                terms.add(term);
            }
        }
        return terms;
    }

    /** All terms as one condition; null if there are none. */
    RexNode conjunction(List<RexNode> terms) {
        return terms.isEmpty() ? null : RexUtil.composeConjunction(rexBuilder, terms);
    }

    /** A cast, unless the type is right already (apart from nullability and a string's length). */
    public RexNode cast(RexNode expression, SqlType target) {
        RelDataType type = expression.getType();
        if (target.isWide()
                        && type.getSqlTypeName() == SqlTypeName.DECIMAL
                        && RepriseTypeFactory.toSqlType(type, "CAST").equals(target)
                || target.isArray()
                        && type.getSqlTypeName() == SqlTypeName.ARRAY
                        && RepriseTypeFactory.toSqlType(type, "CAST").equals(target)
                || target.isUuid() && type.getSqlTypeName() == SqlTypeName.UUID
                || target.isReal() && type.getSqlTypeName() == SqlTypeName.REAL) {
            return expression;
        }
        boolean marked = target.isUuid() || target.isReal() || target.isWide();
        if (type.getSqlTypeName().name().equals(target.kind().name()) && !marked) {
            boolean sameScale = target.kind() != SqlType.Kind.DECIMAL || type.getScale() == target.scale();
            boolean samePrecision = target.kind() != SqlType.Kind.DECIMAL || type.getPrecision() == target.precision();
            if (sameScale && samePrecision) {
                return expression;
            }
        }
        RelDataType wanted = types.of(target, type.isNullable());
        SupportedCasts.check(type, wanted);
        return rexBuilder.makeCast(wanted, expression);
    }

    /** The input fields that an expression refers to. */
    public static ImmutableBitSet inputs(RexNode expression) {
        return RelOptUtil.InputFinder.bits(expression);
    }

    static boolean hasSubQuery(RexNode expression) {
        return RexUtil.SubQueryFinder.find(expression) != null;
    }

    /** Whether an expression refers to an outer row; with a name, to that one. */
    public static boolean isCorrelated(RexNode expression, String correlation) {
        Set<String> names = outerRows(expression);
        return correlation == null ? !names.isEmpty() : names.contains(correlation);
    }

    /** Whether an expression refers to an outer row other than the named ones. */
    static boolean refersBeyond(RexNode expression, Collection<String> inside) {
        return !inside.containsAll(outerRows(expression));
    }

    /** Whether the transaction's time has to be known to evaluate an expression. */
    public static boolean dependsOnTime(RexNode expression) {
        boolean[] found = new boolean[1];
        expression.accept(new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitCall(RexCall call) {
                found[0] |= call.getOperator().isDynamicFunction();
                return super.visitCall(call);
            }
        });
        return found[0];
    }

    private static Set<String> outerRows(RexNode expression) {
        Set<String> names = new HashSet<>();
        expression.accept(new RexVisitorImpl<Void>(true) {
            @Override
            public Void visitCorrelVariable(RexCorrelVariable variable) {
                names.add(variable.getName());
                return null;
            }
        });
        return names;
    }
}

package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.physical.PlanNode.FrameBound;
import io.reprise.sql.physical.PlanNode.WindowCall;
import io.reprise.sql.physical.PlanNode.WindowFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;

/**
 * Plans window functions: a projection that computes their arguments and keys behind the input's fields, and above it one
 * operator for each division and order of the rows.
 */
final class WindowPlanner {
    private final Expressions expressions;
    private final Expressions.Environment environment;

    /** The input's fields, and behind them what the functions need. */
    private final List<RexNode> computed = new ArrayList<>();

    private final List<PlanField> fields = new ArrayList<>();

    WindowPlanner(Expressions expressions, Expressions.Environment environment) {
        this.expressions = expressions;
        this.environment = environment;
    }

    /** The rows with the functions' values, and the functions as references to these. */
    record Planned(PlanNode node, Map<RexNode, RexNode> functions) {
        /** An expression with the functions replaced. */
        RexNode replaced(RexNode expression) {
            return expression.accept(new RexShuttle() {
                @Override
                public RexNode visitOver(RexOver over) {
                    return functions.get(over);
                }
            });
        }
    }

    /** Whether one of the expressions is or has a window function. */
    static boolean isIn(List<RexNode> expressions) {
        return RexOver.containsOver(expressions, null);
    }

    /** The keys by which all window functions divide the rows, as they are written. */
    static Set<RexNode> commonKeys(List<RexNode> expressions) {
        Set<RexNode> common = null;
        for (RexOver over : functions(expressions)) {
            Set<RexNode> keys = new LinkedHashSet<>(over.getWindow().partitionKeys);
            if (common == null) {
                common = keys;
            } else {
                common.retainAll(keys);
            }
        }
        return common == null ? Set.of() : common;
    }

    private static Set<RexOver> functions(List<RexNode> expressions) {
        Set<RexOver> found = new LinkedHashSet<>();
        for (RexNode expression : expressions) {
            expression.accept(new RexVisitorImpl<Void>(true) {
                @Override
                public Void visitOver(RexOver over) {
                    found.add(over);
                    return null;
                }
            });
        }
        return found;
    }

    /** Plans the window functions of expressions over an input's fields. */
    Planned plan(PlanNode input, List<RexNode> projects) {
        for (int i = 0; i < input.fields().size(); i++) {
            computed.add(expressions.field(input.fields(), i));
            fields.add(input.fields().get(i));
        }
        Map<Division, Map<RexOver, WindowCall>> divisions = new LinkedHashMap<>();
        for (RexOver over : functions(projects)) {
            divisions
                    .computeIfAbsent(division(over.getWindow()), key -> new LinkedHashMap<>())
                    .put(over, call(over));
        }
        boolean same = computed.size() == input.fields().size();
        PlanNode node = same ? input : new PlanNode.Project(input, List.copyOf(computed), List.copyOf(fields));
        Map<RexNode, RexNode> functions = new HashMap<>();
        for (Map.Entry<Division, Map<RexOver, WindowCall>> division : divisions.entrySet()) {
            for (RexOver over : division.getValue().keySet()) {
                fields.add(new PlanField(
                        over.getAggOperator().getName(),
                        type(over.getType()),
                        over.getType().isNullable()));
                functions.put(over, expressions.field(fields, fields.size() - 1));
            }
            node = new PlanNode.Window(
                    node,
                    division.getKey().partitionBy(),
                    division.getKey().orderBy(),
                    List.copyOf(division.getValue().values()),
                    List.copyOf(fields));
        }
        return new Planned(node, functions);
    }

    private record Division(List<Integer> partitionBy, List<PlanNode.SortKey> orderBy) {}

    private Division division(RexWindow window) {
        List<Integer> partitionBy = new ArrayList<>();
        for (RexNode key : window.partitionKeys) {
            partitionBy.add(field(expressions.normalize(key, environment)));
        }
        List<PlanNode.SortKey> orderBy = new ArrayList<>();
        for (RexFieldCollation key : window.orderKeys) {
            orderBy.add(new PlanNode.SortKey(
                    field(expressions.normalize(key.left, environment)),
                    key.getDirection().isDescending(),
                    key.getNullDirection() == RelFieldCollation.NullDirection.FIRST));
        }
        return new Division(List.copyOf(partitionBy), List.copyOf(orderBy));
    }

    /** The field with an expression's value. */
    private int field(RexNode expression) {
        int there = computed.indexOf(expression);
        if (there >= 0) {
            return there;
        }
        computed.add(expression);
        fields.add(new PlanField(
                expression instanceof RexInputRef ? "FIELD" : expression.toString(),
                type(expression.getType()),
                expression.getType().isNullable()));
        return fields.size() - 1;
    }

    private static SqlType type(RelDataType type) {
        return RepriseTypeFactory.toSqlType(type, "a window function");
    }

    private WindowCall call(RexOver over) {
        WindowFunction function = function(over);
        if (over.isDistinct()) {
            throw new SqlPlanningException(
                    "OVER", function + "(DISTINCT ...) OVER is not supported: use a derived table");
        } else if (over.ignoreNulls()) {
            throw new SqlPlanningException("OVER", "IGNORE NULLS is not supported");
        }
        List<Integer> arguments = new ArrayList<>();
        for (int i = 0; i < over.getOperands().size(); i++) {
            RexNode argument = expressions.normalize(over.getOperands().get(i), environment);
            arguments.add(field(converted(function, i, argument, over.getType())));
        }
        return new WindowCall(function, List.copyOf(arguments), frame(over.getWindow()));
    }

    private static WindowFunction function(RexOver over) {
        return switch (over.getAggOperator().getKind()) {
            case ROW_NUMBER -> WindowFunction.ROW_NUMBER;
            case RANK -> WindowFunction.RANK;
            case DENSE_RANK -> WindowFunction.DENSE_RANK;
            case PERCENT_RANK -> WindowFunction.PERCENT_RANK;
            case CUME_DIST -> WindowFunction.CUME_DIST;
            case NTILE -> WindowFunction.NTILE;
            case LAG -> WindowFunction.LAG;
            case LEAD -> WindowFunction.LEAD;
            case FIRST_VALUE -> WindowFunction.FIRST_VALUE;
            case LAST_VALUE -> WindowFunction.LAST_VALUE;
            case NTH_VALUE -> WindowFunction.NTH_VALUE;
            case COUNT -> WindowFunction.COUNT;
            case SUM -> WindowFunction.SUM;
            case SUM0 -> WindowFunction.SUM0;
            case AVG -> WindowFunction.AVG;
            case MIN -> WindowFunction.MIN;
            case MAX -> WindowFunction.MAX;
            default ->
                throw new SqlPlanningException(
                        over.getAggOperator().getName(),
                        over.getAggOperator().getName()
                                + " is no window function here: expected COUNT, SUM, AVG, MIN, MAX,"
                                + " ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE, LAG, LEAD, FIRST_VALUE,"
                                + " LAST_VALUE or NTH_VALUE");
        };
    }

    /** Values have the type of the result, except summed words, and numbers of rows are BIGINT. */
    private RexNode converted(WindowFunction function, int argument, RexNode value, RelDataType result) {
        boolean isValue = switch (function) {
            case SUM, SUM0 -> !isSummedAsWords(type(value.getType()), type(result));
            case MIN, MAX, FIRST_VALUE, LAST_VALUE -> true;
            case LAG, LEAD -> argument != 1;
            case NTH_VALUE -> argument == 0;
            // Of exact numbers it has the sum's digits, and of DOUBLEs it is one.
            case AVG -> type(result).kind() == SqlType.Kind.DOUBLE;
            default -> false;
        };
        boolean isCount = switch (function) {
            case LAG, LEAD, NTH_VALUE -> argument == 1;
            case NTILE -> true;
            default -> false;
        };
        if (isValue) {
            return expressions.cast(value, type(result));
        }
        return isCount ? expressions.cast(value, SqlType.of(SqlType.Kind.BIGINT)) : value;
    }

    /** Whether DECIMALs of up to 18 digits are summed, whose sum alone needs more. */
    private static boolean isSummedAsWords(SqlType value, SqlType sum) {
        return value.kind() == SqlType.Kind.DECIMAL && sum.isWide() && value.decimals() == sum.decimals();
    }

    private PlanNode.Frame frame(RexWindow window) {
        if (window.getExclude() != RexWindowExclusion.EXCLUDE_NO_OTHER) {
            throw new SqlPlanningException("EXCLUDE", "EXCLUDE in a window's frame is not supported");
        }
        FrameBound lower = bound(window.getLowerBound());
        FrameBound upper = bound(window.getUpperBound());
        if (!window.isRows() && (lower.offset().isPresent() || upper.offset().isPresent())) {
            throw new SqlPlanningException(
                    "RANGE", "RANGE with an offset is not supported: use ROWS, UNBOUNDED or CURRENT ROW");
        }
        return new PlanNode.Frame(window.isRows(), lower, upper);
    }

    private FrameBound bound(RexWindowBound bound) {
        if (bound.isCurrentRow()) {
            return new FrameBound(FrameBound.Kind.CURRENT_ROW, OptionalInt.empty());
        } else if (bound.isUnbounded()) {
            return new FrameBound(
                    bound.isPreceding() ? FrameBound.Kind.UNBOUNDED_PRECEDING : FrameBound.Kind.UNBOUNDED_FOLLOWING,
                    OptionalInt.empty());
        }
        RexNode offset = expressions.cast(
                expressions.normalize(bound.getOffset(), environment), SqlType.of(SqlType.Kind.BIGINT));
        if (!Expressions.inputs(offset).isEmpty()) {
            throw new SqlPlanningException("ROWS", "the number of rows of a frame can't depend on the row");
        }
        return new FrameBound(
                bound.isPreceding() ? FrameBound.Kind.PRECEDING : FrameBound.Kind.FOLLOWING,
                OptionalInt.of(field(offset)));
    }
}

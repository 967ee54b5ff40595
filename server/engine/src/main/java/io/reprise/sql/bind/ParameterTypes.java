package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/** The types of parameters as the operators around tell them, for operators whose operands Calcite gives no type. */
final class ParameterTypes {
    private static final Set<SqlKind> COMPARED_WITH_QUERIES =
            Set.of(SqlKind.IN, SqlKind.NOT_IN, SqlKind.SOME, SqlKind.ALL);

    private static final SqlType TEXT = SqlType.varchar(SqlType.MAX_STRING_BYTES);
    private static final SqlType INTEGER = SqlType.of(SqlType.Kind.INTEGER);
    private static final SqlType DOUBLE = SqlType.of(SqlType.Kind.DOUBLE);

    /** Operators whose operands are alike: a parameter has the type of the first other operand that has one. */
    private static final Set<String> ALIKE = Set.of("BITAND", "BITOR", "BITXOR", "GREATEST", "LEAST", "||");

    /** Texts first, whole numbers behind them. */
    private static final Map<String, Integer> TEXTS = Map.ofEntries(
            Map.entry("UPPER", 1),
            Map.entry("LOWER", 1),
            Map.entry("INITCAP", 1),
            Map.entry("CHAR_LENGTH", 1),
            Map.entry("CHARACTER_LENGTH", 1),
            Map.entry("ASCII", 1),
            Map.entry("LTRIM", 1),
            Map.entry("RTRIM", 1),
            Map.entry("LEFT", 1),
            Map.entry("RIGHT", 1),
            Map.entry("REPEAT", 1),
            Map.entry("SUBSTRING", 1),
            Map.entry("POSITION", 2),
            Map.entry("OVERLAY", 2),
            Map.entry("REPLACE", 3),
            Map.entry("LIKE", 3),
            Map.entry("TRIM", 3));

    private static final Set<String> DOUBLES = Set.of(
            "SQRT", "POWER", "EXP", "LN", "LOG10", "SIN", "COS", "TAN", "COT", "ASIN", "ACOS", "ATAN", "ATAN2",
            "DEGREES", "RADIANS");

    /** Numbers that don't tell their type, and how many digits to keep. */
    private static final Set<String> ROUNDING = Set.of("ROUND", "TRUNCATE");

    private ParameterTypes() {}

    /** The type of a parameter that is an operand, as the operator and its other operands tell it. */
    static Optional<RelDataType> of(
            SqlCall call, int operand, RepriseTypeFactory types, Function<SqlNode, RelDataType> typeOf) {
        String name = call.getOperator().getName();
        if (ALIKE.contains(name)) {
            return call.getOperandList().stream()
                    .map(typeOf)
                    .filter(type -> !StatementValidator.isUnknown(type))
                    .findFirst();
        } else if (TEXTS.containsKey(name)) {
            return Optional.of(types.of(operand < TEXTS.get(name) ? TEXT : INTEGER, true));
        } else if (DOUBLES.contains(name)) {
            return Optional.of(types.of(DOUBLE, true));
        }
        boolean digits = operand == 1 && ROUNDING.contains(name);
        return digits ? Optional.of(types.of(INTEGER, true)) : Optional.empty();
    }

    /** Whether it is a sub-query in place of a value that is a parameter. */
    static boolean isQueryOfParameters(SqlNode node) {
        return (node.getKind() == SqlKind.SCALAR_QUERY || node.isA(SqlKind.QUERY))
                && rows(node).stream().anyMatch(row -> row.size() == 1 && row.getFirst() instanceof SqlDynamicParam);
    }

    /** The operands that a call computes its value of: of CASE, the results. */
    static List<SqlNode> alternatives(SqlCall call) {
        if (!(call instanceof SqlCase choice)) {
            return call.getOperandList();
        }
        List<SqlNode> alternatives = new ArrayList<>(choice.getThenOperands());
        alternatives.add(choice.getElseOperand());
        return alternatives;
    }

    /** The type of such a sub-query, as the operator whose operand it is and its other operands tell it. */
    static Optional<RelDataType> ofQuery(
            SqlCall call, SqlNode query, RepriseTypeFactory types, Function<SqlNode, RelDataType> typeOf) {
        List<SqlNode> operands = alternatives(call);
        if (call.getKind() == SqlKind.CAST) {
            return Optional.of(typeOf.apply(call.operand(1)));
        } else if (call instanceof SqlCase
                || SqlKind.BINARY_ARITHMETIC.contains(call.getKind())
                || ALIKE.contains(call.getOperator().getName())) {
            return operands.stream()
                    .filter(other -> other != null && !isQueryOfParameters(other))
                    .map(typeOf)
                    .filter(type -> !StatementValidator.isUnknown(type) && type.getSqlTypeName() != SqlTypeName.NULL)
                    .findFirst();
        }
        return of(call, operands.indexOf(query), types, typeOf);
    }

    /** Whether it computes a value of others: not a query, nor a part of one that has no type. */
    static boolean isExpression(SqlNode node) {
        return node instanceof SqlCall
                && !node.isA(SqlKind.QUERY)
                && !node.isA(SqlKind.DML)
                && node.getKind() != SqlKind.JOIN
                && node.getKind() != SqlKind.AS;
    }

    /** The operands of a comparison, also of IN with a list; none of other calls. */
    static List<SqlNode> compared(SqlNode node) {
        boolean in = node.getKind() == SqlKind.IN || node.getKind() == SqlKind.NOT_IN;
        if (!in && !node.isA(SqlKind.BINARY_COMPARISON)) {
            return List.of();
        }
        List<SqlNode> compared = new ArrayList<>();
        for (SqlNode operand : ((SqlCall) node).getOperandList()) {
            if (operand instanceof SqlNodeList list) {
                compared.addAll(list);
            } else {
                compared.add(operand);
            }
        }
        return compared;
    }

    /** Whether a node is the right side of {@code (a, b) IN (...)}. */
    static boolean isListOfRows(SqlNode node) {
        return node instanceof SqlNodeList list
                && !list.isEmpty()
                && list.stream().allMatch(row -> row != null && row.getKind() == SqlKind.ROW);
    }

    /** The parameters that are conditions of a CASE. */
    static List<SqlNode> ofConditions(SqlNode node) {
        return node instanceof SqlCase choice && choice.getValueOperand() == null
                ? choice.getWhenOperands().stream()
                        .filter(SqlDynamicParam.class::isInstance)
                        .toList()
                : List.of();
    }

    /** Whether it is a test for NULL, which any type passes and which so tells nothing of a parameter's. */
    static boolean isNullTestOfParameter(SqlNode node) {
        return isNullTest(node) && ((SqlCall) node).operand(0) instanceof SqlDynamicParam;
    }

    /** Whether it is such a test of a sub-query that is a parameter. */
    static boolean isNullTestOfQuery(SqlNode node) {
        return isNullTest(node) && isQueryOfParameters(((SqlCall) node).operand(0));
    }

    private static boolean isNullTest(SqlNode node) {
        return node.getKind() == SqlKind.IS_NULL || node.getKind() == SqlKind.IS_NOT_NULL;
    }

    /** The queries that a comparison, also IN and its like, compares with something, and what that is. */
    static Map<SqlNode, SqlNode> comparedQueries(SqlNode node) {
        if (!node.isA(SqlKind.BINARY_COMPARISON) && !COMPARED_WITH_QUERIES.contains(node.getKind())) {
            return Map.of();
        }
        Map<SqlNode, SqlNode> queries = new LinkedHashMap<>();
        List<SqlNode> operands = ((SqlCall) node).getOperandList();
        for (int i = 0; i < operands.size(); i++) {
            SqlNode operand = operands.get(i);
            SqlNode query = operand.getKind() == SqlKind.SCALAR_QUERY ? ((SqlCall) operand).operand(0) : operand;
            if (query.isA(SqlKind.QUERY)) {
                queries.put(query, operands.get(operands.size() - 1 - i));
            }
        }
        return queries;
    }

    /** The columns, without their names, of each query or row that a query puts its own rows together from. */
    static List<List<SqlNode>> rows(SqlNode query) {
        return switch (query.getKind()) {
            case UNION, INTERSECT, EXCEPT, VALUES ->
                ((SqlCall) query)
                        .getOperandList().stream()
                                .flatMap(each -> rows(each).stream())
                                .toList();
            case ROW -> List.of(((SqlCall) query).getOperandList());
            case SELECT ->
                List.of(((SqlSelect) query)
                        .getSelectList().stream().map(SqlUtil::stripAs).toList());
            case WITH -> rows(((SqlWith) query).body);
            case SCALAR_QUERY -> rows(((SqlCall) query).operand(0));
            default -> List.of();
        };
    }

    static boolean hasParameter(SqlNode node) {
        return first(node, parameter -> true).isPresent();
    }

    /** The first parameter within a node that passes a test. */
    static Optional<SqlDynamicParam> first(SqlNode node, Predicate<SqlDynamicParam> test) {
        try {
            node.accept(new SqlBasicVisitor<Void>() {
                @Override
                public Void visit(SqlDynamicParam parameter) {
                    if (test.test(parameter)) {
                        throw new Util.FoundOne(parameter);
                    }
                    return null;
                }
            });
            return Optional.empty();
        } catch (Util.FoundOne found) {
            return Optional.of((SqlDynamicParam) found.getNode());
        }
    }
}

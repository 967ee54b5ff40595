package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import io.reprise.sql.grammar.ArrayOperators;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** The functions and operators of arrays. */
final class ArrayCalls {
    /** The binding power of {@code ||}. */
    private static final int PRECEDENCE = 60;

    private static final ArrayOperands ARRAY = new ArrayOperands("A");
    private static final ArrayOperands BOTH = new ArrayOperands("AA");
    private static final ArrayOperands ARRAY_ELEMENT = new ArrayOperands("AE");
    private static final ArrayOperands ELEMENT_ARRAY = new ArrayOperands("EA");

    /** ARRAY[...]. */
    static final SqlFunction OF = new SqlFunction(
            "ARRAY_OF",
            SqlKind.OTHER_FUNCTION,
            ArrayCalls::ofElements,
            InferTypes.FIRST_KNOWN,
            OperandTypes.VARIADIC,
            SqlFunctionCategory.USER_DEFINED_FUNCTION);

    /** The element with a number, from 1. */
    static final SqlFunction ITEM = function("ARRAY_ITEM", ArrayCalls::element, new ArrayOperands("AI"));

    static final SqlFunction CARDINALITY = function("CARDINALITY", ReturnTypes.INTEGER_NULLABLE, ARRAY);
    static final SqlFunction APPEND = function("ARRAY_APPEND", call -> ArrayOperands.array(call, "AE"), ARRAY_ELEMENT);
    static final SqlFunction PREPEND =
            function("ARRAY_PREPEND", call -> ArrayOperands.array(call, "EA"), ELEMENT_ARRAY);
    static final SqlFunction REMOVE = function("ARRAY_REMOVE", call -> ArrayOperands.array(call, "AE"), ARRAY_ELEMENT);
    static final SqlFunction POSITION =
            function("ARRAY_POSITION", ReturnTypes.INTEGER.andThen(SqlTypeTransforms.FORCE_NULLABLE), ARRAY_ELEMENT);
    static final SqlFunction CONTAINS = function("@>", ReturnTypes.BOOLEAN_NULLABLE, BOTH);
    static final SqlFunction OVERLAPS = function("&&", ReturnTypes.BOOLEAN_NULLABLE, BOTH);
    static final SqlFunction TO_STRING = function(
            "ARRAY_TO_STRING",
            ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.FORCE_NULLABLE),
            new ArrayOperands("ASS", 2));
    static final SqlFunction FROM_STRING = function(
            "STRING_TO_ARRAY",
            call -> ((RepriseTypeFactory) call.getTypeFactory()).of(SqlType.array(SqlType.TEXT), true),
            new ArrayOperands("SS"));

    /** The text of an array. Calcite has no CAST for it. */
    private static final SqlFunction TEXT =
            function("ARRAY_TEXT", ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE), ARRAY);

    /** {@code ||} of strings, of arrays, or of an array and an element, in the place of Calcite's own. */
    static final SqlBinaryOperator JOINED = new SqlBinaryOperator(
            "||", SqlKind.OTHER, PRECEDENCE, true, ArrayCalls::joined, null, new JoinedOperands());

    private static final Map<SqlKind, List<SqlFunction>> QUANTIFIED = Map.of(
            SqlKind.EQUALS, both("="),
            SqlKind.NOT_EQUALS, both("<>"),
            SqlKind.LESS_THAN, both("<"),
            SqlKind.LESS_THAN_OR_EQUAL, both("<="),
            SqlKind.GREATER_THAN, both(">"),
            SqlKind.GREATER_THAN_OR_EQUAL, both(">="));

    /** Those that a statement calls by name. */
    static final List<SqlFunction> CALLED_BY_NAME =
            List.of(CARDINALITY, APPEND, PREPEND, REMOVE, POSITION, TO_STRING, FROM_STRING);

    static final List<SqlFunction> ALL = Stream.of(
                    CALLED_BY_NAME.stream(),
                    Stream.of(OF, ITEM, CONTAINS, OVERLAPS, TEXT),
                    QUANTIFIED.values().stream().flatMap(List::stream))
            .flatMap(each -> each)
            .toList();

    private ArrayCalls() {}

    /** The comparisons of a value with any element and with all elements of an array. */
    private static List<SqlFunction> both(String operator) {
        return List.of(comparison(operator + " ANY"), comparison(operator + " ALL"));
    }

    private static SqlFunction comparison(String name) {
        return function(name, ReturnTypes.BOOLEAN.andThen(SqlTypeTransforms.FORCE_NULLABLE), ELEMENT_ARRAY);
    }

    private static SqlFunction function(String name, SqlReturnTypeInference type, ArrayOperands operands) {
        return new SqlFunction(
                name, SqlKind.OTHER_FUNCTION, type, operands, operands, SqlFunctionCategory.USER_DEFINED_FUNCTION);
    }

    private static RelDataType ofElements(SqlOperatorBinding call) {
        RelDataType element = call.getTypeFactory().leastRestrictive(call.collectOperandTypes());
        if (element == null) {
            throw new SqlPlanningException("ARRAY", "the elements of an array have no common type: CAST them to one");
        } else if (element.getSqlTypeName() == SqlTypeName.ARRAY) {
            throw new SqlPlanningException("ARRAY", "arrays of arrays are not supported: arrays have one dimension");
        }
        return ((RepriseTypeFactory) call.getTypeFactory()).arrayOf(element, false);
    }

    private static RelDataType element(SqlOperatorBinding call) {
        return call.getTypeFactory()
                .createTypeWithNullability(call.getOperandType(0).getComponentType(), true);
    }

    private static boolean isArray(SqlOperatorBinding call, int operand) {
        return call.getOperandType(operand).getSqlTypeName() == SqlTypeName.ARRAY;
    }

    private static RelDataType joined(SqlOperatorBinding call) {
        if (!isArray(call, 0) && !isArray(call, 1)) {
            return SqlStdOperatorTable.CONCAT.inferReturnType(call);
        }
        String kinds = (isArray(call, 0) ? "A" : "E") + (isArray(call, 1) ? "A" : "E");
        return call.getTypeFactory().createTypeWithNullability(ArrayOperands.array(call, kinds), true);
    }

    /** The operands of {@code ||}. A literal beside an array stands for an array, as PostgreSQL has it. */
    private static final class JoinedOperands implements SqlOperandTypeChecker {
        @Override
        public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
            boolean left = isArray(binding, 0);
            boolean right = isArray(binding, 1);
            if (!left && !right) {
                return SqlStdOperatorTable.CONCAT.getOperandTypeChecker().checkOperandTypes(binding, throwOnFailure);
            }
            return operands(binding, left, right).checkOperandTypes(binding, throwOnFailure);
        }

        private static ArrayOperands operands(SqlCallBinding binding, boolean left, boolean right) {
            if (left && right || stands(binding, left ? 1 : 0)) {
                return BOTH;
            }
            return left ? ARRAY_ELEMENT : ELEMENT_ARRAY;
        }

        private static boolean stands(SqlCallBinding binding, int operand) {
            return binding.operand(operand) instanceof SqlCharStringLiteral
                    || binding.getOperandType(operand).getSqlTypeName() == SqlTypeName.NULL;
        }

        @Override
        public SqlOperandCountRange getOperandCountRange() {
            return SqlStdOperatorTable.CONCAT.getOperandTypeChecker().getOperandCountRange();
        }

        @Override
        public String getAllowedSignatures(SqlOperator operator, String name) {
            return SqlStdOperatorTable.CONCAT.getOperandTypeChecker().getAllowedSignatures(operator, name);
        }
    }

    /** Replaces the syntax of arrays; empty for any other call. */
    static Optional<SqlNode> rewrite(SqlCall call) {
        SqlParserPos position = call.getParserPosition();
        List<SqlNode> operands = call.getOperandList();
        if (call.getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
            return Optional.of(
                    operands.isEmpty()
                            ? SqlLiteral.createCharString("{}", position)
                            : OF.createCall(position, operands));
        } else if (call.getKind() == SqlKind.ITEM) {
            return Optional.of(ITEM.createCall(position, operands));
        } else if (call.getOperator() instanceof SqlQuantifyOperator quantify) {
            return quantified(call, quantify);
        } else if (call.getOperator() == ArrayOperators.CONTAINS) {
            return Optional.of(CONTAINS.createCall(position, operands));
        } else if (call.getOperator() == ArrayOperators.CONTAINED) {
            return Optional.of(CONTAINS.createCall(position, operands.reversed()));
        } else if (call.getOperator() == ArrayOperators.OVERLAPS) {
            return Optional.of(OVERLAPS.createCall(position, operands));
        }
        return call.getOperator() instanceof SqlUnresolvedFunction function
                ? named(function.getName().toUpperCase(Locale.ROOT), operands, position)
                : Optional.empty();
    }

    private static Optional<SqlNode> named(String name, List<SqlNode> operands, SqlParserPos position) {
        return switch (name + "/" + operands.size()) {
            case "ARRAY_CAT/2" -> Optional.of(JOINED.createCall(position, operands));
            case "ARRAY_LENGTH/2", "ARRAY_UPPER/2" -> Optional.of(length(operands, position));
            case "ARRAY_LOWER/2" ->
                Optional.of(SqlLibraryOperators.LEAST.createCall(
                        position, length(operands, position), SqlLiteral.createExactNumeric("1", position)));
            default -> Optional.empty();
        };
    }

    /** The length of an array in a dimension; NULL of an empty array. */
    private static SqlNode length(List<SqlNode> operands, SqlParserPos position) {
        checkDimension(operands.get(1));
        return SqlStdOperatorTable.NULLIF.createCall(
                position,
                CARDINALITY.createCall(position, operands.get(0)),
                SqlLiteral.createExactNumeric("0", position));
    }

    private static void checkDimension(SqlNode number) {
        if (!(number instanceof SqlNumericLiteral literal)
                || !literal.toString().equals("1")) {
            throw PlanningErrors.at(number.getParserPosition(), "arrays have one dimension: its number is 1");
        }
    }

    /** A comparison by ANY or ALL with one expression that may be an array; other lists are those of IN. */
    private static Optional<SqlNode> quantified(SqlCall call, SqlQuantifyOperator operator) {
        if (!(call.operand(1) instanceof SqlNodeList list) || list.size() != 1 || !mayBeArray(list.get(0))) {
            return Optional.empty();
        }
        List<SqlFunction> both = QUANTIFIED.get(operator.comparisonKind);
        SqlFunction chosen = both.get(call.getKind() == SqlKind.ALL ? 1 : 0);
        return Optional.of(chosen.createCall(call.getParserPosition(), call.operand(0), list.get(0)));
    }

    /** Whether a node is a CAST to a string, of neither a literal nor a parameter. */
    static boolean isCastToText(SqlNode node) {
        return node.getKind() == SqlKind.CAST
                && !(((SqlCall) node).operand(0) instanceof SqlLiteral)
                && !(((SqlCall) node).operand(0) instanceof SqlDynamicParam)
                && ((SqlCall) node).operand(1) instanceof SqlDataTypeSpec type
                && type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec named
                && SqlTypeName.CHAR_TYPES.contains(
                        SqlTypeName.get(named.getTypeName().getSimple()));
    }

    /** The operand of a CAST to a string: of an array its text. */
    static SqlNode asText(SqlNode operand, RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.ARRAY
                ? TEXT.createCall(operand.getParserPosition(), operand)
                : operand;
    }

    private static boolean mayBeArray(SqlNode node) {
        if (node instanceof SqlCharStringLiteral text) {
            return text.getValueAs(String.class).startsWith("{");
        }
        return !(node instanceof SqlLiteral) && !(node instanceof SqlDynamicParam) && !node.isA(SqlKind.QUERY);
    }
}

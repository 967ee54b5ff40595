package io.reprise.sql.physical;

import io.reprise.sql.bind.RepriseTypeFactory;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlPostfixOperator;
import org.apache.calcite.sql.SqlPrefixOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Prints scalar expressions much as they would be written in SQL, columns by their names, parameters counted from 1. */
public final class ExpressionPrinter {
    private final IntFunction<String> names;
    private final BiFunction<String, Integer, String> outerNames;

    private ExpressionPrinter(IntFunction<String> names, BiFunction<String, Integer, String> outerNames) {
        this.names = names;
        this.outerNames = outerNames;
    }

    public static String print(RexNode expression, List<String> names, Map<String, List<String>> outerRows) {
        return print(
                expression,
                field -> name(names, field),
                (correlation, field) -> name(outerRows.getOrDefault(correlation, List.of()), field));
    }

    /** Prints an expression; fields of its input are named by one function, those of outer rows by the other. */
    public static String print(
            RexNode expression, IntFunction<String> names, BiFunction<String, Integer, String> outerNames) {
        return new ExpressionPrinter(names, outerNames).text(expression, false);
    }

    private String text(RexNode expression, boolean nested) {
        return switch (expression) {
            case RexInputRef ref -> names.apply(ref.getIndex());
            case RexDynamicParam parameter -> "?" + (parameter.getIndex() + 1);
            case RexLiteral literal -> literal(literal);
            case RexFieldAccess access
            when access.getReferenceExpr() instanceof RexCorrelVariable variable ->
                outerNames.apply(variable.getName(), access.getField().getIndex());
            case RexCall call ->
                nested && call.getOperator() instanceof SqlBinaryOperator ? "(" + call(call) + ")" : call(call);
            default -> expression.toString();
        };
    }

    private static String name(List<String> names, int index) {
        return index < names.size() ? names.get(index) : "$" + index;
    }

    private static String literal(RexLiteral literal) {
        if (literal.isNull()) {
            return "NULL";
        } else if (literal.getTypeName() == SqlTypeName.CHAR) {
            return "'" + String.valueOf(literal.getValueAs(String.class)).replace("'", "''") + "'";
        }
        if (SqlTypeName.YEAR_INTERVAL_TYPES.contains(literal.getTypeName())) {
            return "INTERVAL '" + literal.getValueAs(BigDecimal.class).toPlainString() + "' MONTH";
        } else if (SqlTypeName.DAY_INTERVAL_TYPES.contains(literal.getTypeName())) {
            BigDecimal seconds = literal.getValueAs(BigDecimal.class).movePointLeft(3);
            return "INTERVAL '" + seconds.stripTrailingZeros().toPlainString() + "' SECOND";
        }
        String text = literal.toString();
        return switch (literal.getTypeName()) {
            case DATE -> "DATE '" + literal.getValueAs(DateString.class) + "'";
            case TIME -> "TIME '" + literal.getValueAs(TimeString.class) + "'";
            case TIMESTAMP -> "TIMESTAMP '" + literal.getValueAs(TimestampString.class) + "'";
            case DECIMAL, DOUBLE, REAL, FLOAT, BINARY -> text.replaceFirst(":.*", "");
            case SYMBOL -> String.valueOf(literal.getValue());
            default -> text;
        };
    }

    private String call(RexCall call) {
        List<RexNode> operands = call.getOperands();
        if (call.getKind() == SqlKind.CAST) {
            return "CAST(" + text(operands.getFirst(), false) + " AS "
                    + RepriseTypeFactory.toSqlType(call.getType(), "an expression") + ")";
        } else if (call.getKind() == SqlKind.CASE) {
            return caseText(operands);
        }
        String name = call.getOperator().getName();
        if (call.getKind() == SqlKind.TRIM && operands.size() == 3) {
            return name + "(" + text(operands.get(0), false) + " " + text(operands.get(1), true) + " FROM "
                    + text(operands.get(2), true) + ")";
        }
        if (call.getKind() == SqlKind.LIKE && operands.size() > 2) {
            return text(operands.get(0), true) + " LIKE " + text(operands.get(1), true) + " ESCAPE "
                    + text(operands.get(2), true);
        } else if (call.getOperator() instanceof SqlBinaryOperator
                || call.getKind() == SqlKind.LIKE
                || operands.size() == 2 && (name.equals("+") || name.equals("-"))) {
            return String.join(
                    " " + name + " ", operands.stream().map(e -> text(e, true)).toList());
        } else if (call.getOperator() instanceof SqlPostfixOperator) {
            return text(operands.getFirst(), true) + " " + name;
        } else if (call.getOperator() instanceof SqlPrefixOperator) {
            return name + (name.equals("-") ? "" : " ") + text(operands.getFirst(), true);
        }
        return name + "("
                + String.join(", ", operands.stream().map(e -> text(e, false)).toList()) + ")";
    }

    private String caseText(List<RexNode> operands) {
        StringBuilder text = new StringBuilder("CASE");
        for (int i = 0; i + 1 < operands.size(); i += 2) {
            text.append(" WHEN ").append(text(operands.get(i), false));
            text.append(" THEN ").append(text(operands.get(i + 1), false));
        }
        return text.append(" ELSE ")
                .append(text(operands.getLast(), false))
                .append(" END")
                .toString();
    }
}

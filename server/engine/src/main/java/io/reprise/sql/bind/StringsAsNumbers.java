package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Strings in place of numbers. A string is taken for a number only if it is written in the statement and is a value
 * of the number's type. A CAST in its place would round: 1 would be equal to '1.4'.
 */
final class StringsAsNumbers {
    private static final String NUMBER = "what a string is taken for";

    private StringsAsNumbers() {}

    /** Whether a value of the one type would be taken for a number of the other. */
    static boolean meet(RelDataType string, RelDataType number) {
        return SqlTypeUtil.inCharFamily(string) && SqlTypeUtil.isNumeric(number);
    }

    /** Refuses an expression that is no number of the type. */
    static void require(SqlNode string, RelDataType number) {
        value(string, RepriseTypeFactory.toSqlType(number, NUMBER));
    }

    /** The number that a string is; other strings are refused. */
    static SqlLiteral number(SqlNode string, RelDataType type) {
        SqlType ours = RepriseTypeFactory.toSqlType(type, NUMBER);
        BigDecimal value = value(string, ours);
        SqlParserPos position = string.getParserPosition();
        return ours.kind() == SqlType.Kind.DOUBLE
                ? SqlLiteral.createApproxNumeric(value.toString(), position)
                : SqlLiteral.createExactNumeric(value.toPlainString(), position);
    }

    /** Checks the columns of two compared rows. Calcite casts them later, without asking. */
    static void requireInRows(SqlCallBinding binding) {
        for (int side = 0; side < 2 && binding.getOperandCount() == 2; side++) {
            RelDataType row = binding.getOperandType(side);
            RelDataType other = binding.getOperandType(1 - side);
            if (!(binding.operand(side) instanceof SqlCall call)
                    || call.getKind() != SqlKind.ROW
                    || !other.isStruct()) {
                continue;
            }
            for (int i = 0; i < Math.min(row.getFieldCount(), other.getFieldCount()); i++) {
                RelDataType number = other.getFieldList().get(i).getType();
                if (meet(row.getFieldList().get(i).getType(), number)) {
                    require(call.operand(i), number);
                }
            }
        }
    }

    /** Columns of one name that USING or NATURAL compares. */
    static void requireInJoin(SqlJoin join, String column, RelDataType left, RelDataType right) {
        if (meet(left, right) || meet(right, left)) {
            SqlNode place = join.isNatural() ? join.isNaturalNode() : join.getCondition();
            throw PlanningErrors.at(
                    place.getParserPosition(),
                    "column " + column
                            + " is a string in one table and a number in the other: join ON, with CAST to a type"
                            + " that has room for what the string may hold");
        }
    }

    /** The refusal of a string that isn't known before the statement runs, or must not be taken for a number. */
    static SqlPlanningException refusal(SqlParserPos position, RelDataType number) {
        return refusal(position, RepriseTypeFactory.toSqlType(number, NUMBER));
    }

    private static SqlPlanningException refusal(SqlParserPos position, SqlType type) {
        return PlanningErrors.at(
                position,
                "a string is taken for a number of type " + type
                        + ": write CAST, with a type that has room for what the string may hold");
    }

    private static BigDecimal value(SqlNode string, SqlType type) {
        if (!(string instanceof SqlCharStringLiteral literal)) {
            throw refusal(string.getParserPosition(), type);
        }
        String text = literal.getValueAs(String.class);
        try {
            BigDecimal value = new BigDecimal(text.trim()).stripTrailingZeros();
            if (isValue(value, type)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // No number at all.
        } catch (ArithmeticException e) {
            // One with an exponent that no number has.
        }
        throw PlanningErrors.at(
                string.getParserPosition(),
                "'" + text + "' is taken for a number of type " + type
                        + " and is no value of it: write a number, such as 1.5, instead of a string");
    }

    private static boolean isValue(BigDecimal value, SqlType type) {
        if (type.isDecimal()) {
            return value.scale() <= type.decimals()
                    && isBelow(value, BigDecimal.TEN.pow(type.precision() - type.decimals()));
        }
        return switch (type.kind()) {
            case DOUBLE -> Double.isFinite(value.doubleValue());
            default -> value.scale() <= 0 && isInteger(value, type);
        };
    }

    private static boolean isBelow(BigDecimal value, BigDecimal limit) {
        return value.abs().compareTo(limit) < 0;
    }

    private static boolean isInteger(BigDecimal value, SqlType type) {
        long greatest = Long.MAX_VALUE >> Long.SIZE - Byte.SIZE * type.kind().width();
        return value.compareTo(BigDecimal.valueOf(greatest)) <= 0
                && value.compareTo(BigDecimal.valueOf(-greatest - 1)) >= 0;
    }
}

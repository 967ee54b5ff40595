package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The limits of our types, and the types of arithmetic results.
 *
 * <p>A result of operands with at most 18 digits has as many, and is one 64-bit word. If it would need more,
 * digits after the point are given up before digits in front of it, but not below 6 (or the exact result's, if it has
 * less); a number that still does not fit is an overflow when the statement runs. If an operand has more than 18 digits, a result
 * has up to 38. A sum, a difference and a remainder keep all digits after the point; a product and a quotient give up digits as
 * above, but not below the digits of either operand. With d1.s1 and d2.s2 digits before and after the point:
 *
 * <ul>
 * <li>sum, difference: max(d1, d2) + 1 . max(s1, s2)
 * <li>product: d1 + d2 . s1 + s2
 * <li>quotient: d1 + s2 . max(6, s1 + p2 + 1)
 * <li>remainder: min(d1, d2) . max(s1, s2)
 * </ul>
 *
 * <p>SUM of integers is a BIGINT, of DECIMAL(p,s) a DECIMAL(38,s). AVG of integers is the BIGINT quotient; of
 * DECIMAL(p,s) it has up to 4 digits more after the point, as far as the digits before the point leave room.
 */
public final class RepriseTypeSystem extends RelDataTypeSystemImpl {
    static final RepriseTypeSystem INSTANCE = new RepriseTypeSystem();
    private static final int MAX = SqlType.MAX_DECIMAL_PRECISION;
    private static final int MAX_WORD = SqlType.MAX_WORD_PRECISION;
    private static final int DIGITS_OF_LONG = 19;
    private static final int KEPT_SCALE = 6;
    static final int TIMESTAMP_DIGITS = 6;

    /** The digits of a TIMESTAMP that stands for a TIMESTAMPTZ: so both are one type to all functions, and differ in results. */
    static final int ZONED_DIGITS = TIMESTAMP_DIGITS + 1;

    private RepriseTypeSystem() {}

    @Override
    public int getMaxPrecision(SqlTypeName type) {
        return switch (type) {
            case DECIMAL -> MAX;
            case VARCHAR, VARBINARY, CHAR, BINARY -> SqlType.MAX_STRING_BYTES;
            case TIMESTAMP -> ZONED_DIGITS;
            case TIME -> TIMESTAMP_DIGITS;
            default -> super.getMaxPrecision(type);
        };
    }

    @Override
    public int getDefaultPrecision(SqlTypeName type) {
        return switch (type) {
            case DECIMAL -> MAX_WORD;
            case VARCHAR, VARBINARY -> SqlType.MAX_STRING_BYTES;
            case TIMESTAMP, TIME -> TIMESTAMP_DIGITS;
            default -> super.getDefaultPrecision(type);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? MAX : super.getMaxScale(type);
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType type = argument;
        if (SqlTypeUtil.isIntType(argument)) {
            type = factory.createSqlType(SqlTypeName.BIGINT);
        } else if (argument.getSqlTypeName() == SqlTypeName.DECIMAL) {
            type = factory.createSqlType(SqlTypeName.DECIMAL, MAX, argument.getScale());
        }
        return factory.createTypeWithNullability(type, argument.isNullable());
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType type = argument;
        if (SqlTypeUtil.isIntType(argument)) {
            type = factory.createSqlType(SqlTypeName.BIGINT);
        } else if (argument.getSqlTypeName() == SqlTypeName.DECIMAL) {
            int before = argument.getPrecision() - argument.getScale();
            int most = most(argument);
            int scale = Math.max(argument.getScale(), Math.min(argument.getScale() + 4, most - before));
            type = factory.createSqlType(SqlTypeName.DECIMAL, most, scale);
        }
        return factory.createTypeWithNullability(type, argument.isNullable());
    }

    @Override
    public RelDataType deriveDecimalPlusType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        int scale = Math.max(scale(left), scale(right));
        int most = most(left, right);
        return decimal(factory, Math.max(before(left, most), before(right, most)) + 1, scale, most);
    }

    @Override
    public RelDataType deriveDecimalMultiplyType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        int most = most(left, right);
        int before = before(left, most) + before(right, most);
        int scale = scale(left) + scale(right);
        if (most == MAX) {
            int kept = Math.max(KEPT_SCALE, Math.max(scale(left), scale(right)));
            scale = Math.min(scale, Math.max(kept, most - before));
        }
        return decimal(factory, before, scale, most);
    }

    @Override
    public RelDataType deriveDecimalDivideType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        int most = most(left, right);
        int scale = Math.max(KEPT_SCALE, scale(left) + before(right, most) + scale(right) + 1);
        if (most == MAX) {
            int kept = Math.max(KEPT_SCALE, Math.max(scale(left), scale(right)));
            scale = Math.min(scale, Math.max(kept, most - before(left, most) - scale(right)));
        }
        return decimal(factory, before(left, most) + scale(right), scale, most);
    }

    @Override
    public RelDataType deriveDecimalModType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        int most = most(left, right);
        int before = Math.min(before(left, most), before(right, most));
        return decimal(factory, before, Math.max(scale(left), scale(right)), most);
    }

    private static RelDataType decimal(RelDataTypeFactory factory, int before, int scale, int most) {
        int kept = Math.min(most, scale);
        if (before + scale > MAX_WORD && most == MAX_WORD) {
            kept = Math.max(MAX_WORD - before, Math.min(scale, KEPT_SCALE));
        }
        int precision = Math.max(1, Math.min(most, before + kept));
        return factory.createSqlType(SqlTypeName.DECIMAL, precision, kept);
    }

    private static boolean isDecimalArithmetic(RelDataType left, RelDataType right) {
        return SqlTypeUtil.isExactNumeric(left)
                && SqlTypeUtil.isExactNumeric(right)
                && (left.getSqlTypeName() == SqlTypeName.DECIMAL || right.getSqlTypeName() == SqlTypeName.DECIMAL);
    }

    /** Digits behind the point. */
    public static int scale(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DECIMAL ? type.getScale() : 0;
    }

    /** The most digits of a result: 18, unless an operand has more. */
    public static int most(RelDataType... operands) {
        for (RelDataType operand : operands) {
            if (operand.getSqlTypeName() == SqlTypeName.DECIMAL && operand.getPrecision() > MAX_WORD) {
                return MAX;
            }
        }
        return MAX_WORD;
    }

    /** Digits in front of the point, of a BIGINT as many as the result has room for. */
    static int before(RelDataType type, int most) {
        return switch (type.getSqlTypeName()) {
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INTEGER -> 10;
            case BIGINT -> Math.min(DIGITS_OF_LONG, most);
            default -> type.getPrecision() - type.getScale();
        };
    }
}

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
 * <p>A DECIMAL has at most 18 digits, since its unscaled value is one 64-bit word. If a result would need more,
 * digits after the point are given up before digits in front of it, but not below 6 (or the exact result's, if it has
 * less); a number that still does not fit is an overflow when the statement runs. With d1.s1 and d2.s2 digits before
 * and after the point:
 *
 * <ul>
 * <li>sum, difference: max(d1, d2) + 1 . max(s1, s2)
 * <li>product: d1 + d2 . s1 + s2
 * <li>quotient: d1 + s2 . max(6, s1 + p2 + 1)
 * <li>remainder: min(d1, d2) . max(s1, s2)
 * </ul>
 *
 * <p>SUM of integers is a BIGINT, of DECIMAL(p,s) a DECIMAL(18,s). AVG of integers is the BIGINT quotient; of
 * DECIMAL(p,s) it has up to 4 digits more after the point, as far as the digits before the point leave room.
 */
public final class RepriseTypeSystem extends RelDataTypeSystemImpl {
    static final RepriseTypeSystem INSTANCE = new RepriseTypeSystem();
    private static final int MAX = SqlType.MAX_DECIMAL_PRECISION;
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
            case DECIMAL -> MAX;
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
            int scale = Math.max(argument.getScale(), Math.min(argument.getScale() + 4, MAX - before));
            type = factory.createSqlType(SqlTypeName.DECIMAL, MAX, scale);
        }
        return factory.createTypeWithNullability(type, argument.isNullable());
    }

    @Override
    public RelDataType deriveDecimalPlusType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        int scale = Math.max(scale(left), scale(right));
        return decimal(factory, Math.max(before(left), before(right)) + 1, scale);
    }

    @Override
    public RelDataType deriveDecimalMultiplyType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        return decimal(factory, before(left) + before(right), scale(left) + scale(right));
    }

    @Override
    public RelDataType deriveDecimalDivideType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        int scale = Math.max(KEPT_SCALE, scale(left) + before(right) + scale(right) + 1);
        return decimal(factory, before(left) + scale(right), scale);
    }

    @Override
    public RelDataType deriveDecimalModType(RelDataTypeFactory factory, RelDataType left, RelDataType right) {
        if (!isDecimalArithmetic(left, right)) {
            return null;
        }
        return decimal(factory, Math.min(before(left), before(right)), Math.max(scale(left), scale(right)));
    }

    private static RelDataType decimal(RelDataTypeFactory factory, int before, int scale) {
        int kept = scale;
        if (before + scale > MAX) {
            kept = Math.max(MAX - before, Math.min(scale, KEPT_SCALE));
        }
        int precision = Math.max(1, Math.min(MAX, before + kept));
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

    /** Digits in front of the point. */
    static int before(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INTEGER -> 10;
            case BIGINT -> MAX;
            default -> type.getPrecision() - type.getScale();
        };
    }
}

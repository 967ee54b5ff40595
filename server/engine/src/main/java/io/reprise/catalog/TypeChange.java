package io.reprise.catalog;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The change of a column's type: possible ones, and the conversion of values that are no strings. */
public final class TypeChange {
    private TypeChange() {}

    /** Whether values of a type can be converted to another one without a rule of the user's. */
    public static boolean isPossible(SqlType from, SqlType to) {
        if (from.equals(to)) {
            return true;
        }
        if (isNumber(from) && isNumber(to)) {
            return true;
        }
        if (from.kind().isString() || to.kind().isString()) {
            return from.kind() == to.kind() && isPlain(from) && isPlain(to);
        }
        return isTime(from) && isTime(to);
    }

    private static boolean isPlain(SqlType type) {
        return !type.isJson() && !type.isUuid() && !type.isArray() && !type.isWide();
    }

    private static boolean isNumber(SqlType type) {
        return type.kind().isInteger() || type.isDecimal() || type.kind() == SqlType.Kind.DOUBLE;
    }

    private static boolean isTime(SqlType type) {
        return type.kind() == SqlType.Kind.TIMESTAMP || type.kind() == SqlType.Kind.DATE;
    }

    /** Converts a number to bytes. Throws NUMERIC_OVERFLOW if the other type has no room for it. */
    public static byte[] bytes(SqlType from, SqlType to, long word) {
        return DecimalBytes.rounded(to, number(from, word));
    }

    /** The same of bytes. */
    public static byte[] bytes(SqlType from, SqlType to, byte[] bytes) {
        return DecimalBytes.rounded(to, DecimalBytes.number(from, bytes));
    }

    /** Converts bytes to a number that is a word. */
    public static long word(SqlType from, SqlType to, byte[] bytes) {
        BigDecimal number = DecimalBytes.number(from, bytes);
        if (to.kind() == SqlType.Kind.DOUBLE) {
            return bits(to, number.doubleValue());
        }
        return word(to, number);
    }

    /** Converts a word. Throws NUMERIC_OVERFLOW if the other type has no room for it. */
    public static long word(SqlType from, SqlType to, long word) {
        if (from.equals(to)) {
            return word;
        }
        if (isTime(from)) {
            return time(from, to, word);
        }
        if (to.kind() == SqlType.Kind.DOUBLE) {
            double value = from.kind() == SqlType.Kind.DOUBLE
                    ? Double.longBitsToDouble(word)
                    : number(from, word).doubleValue();
            return bits(to, value);
        }
        return word(to, number(from, word));
    }

    private static long bits(SqlType to, double value) {
        return Double.doubleToRawLongBits(to.isReal() ? (float) value : value);
    }

    private static long word(SqlType to, BigDecimal given) {
        int scale = to.kind() == SqlType.Kind.DECIMAL ? to.scale() : 0;
        BigDecimal number = given.setScale(scale, RoundingMode.HALF_UP);
        if (to.kind() == SqlType.Kind.DECIMAL) {
            if (number.unscaledValue().signum() != 0 && number.precision() > to.precision()) {
                throw overflow(number, to);
            }
            return number.unscaledValue().longValueExact();
        }
        int bits = Byte.SIZE * to.kind().width();
        if (number.toBigInteger().bitLength() >= bits) {
            throw overflow(number, to);
        }
        return number.longValueExact();
    }

    private static long time(SqlType from, SqlType to, long word) {
        if (from.kind() == to.kind()) {
            return word;
        }
        return from.kind() == SqlType.Kind.DATE
                ? Math.multiplyExact(word, SqlType.MICROS_OF_DAY)
                : Math.floorDiv(word, SqlType.MICROS_OF_DAY);
    }

    private static BigDecimal number(SqlType type, long word) {
        return switch (type.kind()) {
            case DOUBLE -> {
                double value = Double.longBitsToDouble(word);
                if (!Double.isFinite(value)) {
                    throw new ProcedureException(ErrorCode.NUMERIC_OVERFLOW, value + " is no exact number");
                }
                yield new BigDecimal(Double.toString(value));
            }
            case DECIMAL -> BigDecimal.valueOf(word, type.scale());
            default -> BigDecimal.valueOf(word);
        };
    }

    private static ProcedureException overflow(BigDecimal number, SqlType to) {
        return new ProcedureException(
                ErrorCode.NUMERIC_OVERFLOW, number.toPlainString() + " is out of range for " + to);
    }
}

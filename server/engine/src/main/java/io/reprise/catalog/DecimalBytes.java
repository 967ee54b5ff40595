package io.reprise.catalog;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * The bytes of a DECIMAL of more than 18 digits. They hold its unscaled value and are ordered as the numbers of one scale are; equal
 * numbers have equal bytes.
 *
 * <pre>
 *  zero       80
 *  positive   80 + n, then the value as n bytes, big endian, as few as can be
 *  negative   7f - n, then the absolute value in the same way, with all bits turned
 * </pre>
 */
public final class DecimalBytes {
    /** The first byte of 0, and what that of a positive number is more than the length behind it. */
    public static final int ZERO = 0x80;

    private static final int NEGATIVE = ZERO - 1;
    private static final int BYTE = 0xff;

    /** Bytes up to which the value is less than a long. */
    private static final int BYTES_OF_LONG = 8;

    private static final BigInteger LIMIT = BigInteger.TEN.pow(SqlType.MAX_DECIMAL_PRECISION);

    private DecimalBytes() {}

    /** The most bytes of a number of so many digits. */
    static int most(int precision) {
        return 1 + (BigInteger.TEN.pow(precision).bitLength() + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** The bytes of an unscaled value. */
    public static byte[] of(BigInteger unscaled) {
        boolean negative = unscaled.signum() < 0;
        byte[] magnitude = unscaled.abs().toByteArray();
        int leading = magnitude[0] == 0 ? 1 : 0;
        int length = magnitude.length - leading;
        byte[] bytes = new byte[1 + length];
        bytes[0] = (byte) (negative ? NEGATIVE - length : ZERO + length);
        for (int i = 0; i < length; i++) {
            byte each = magnitude[leading + i];
            bytes[1 + i] = negative ? (byte) ~each : each;
        }
        return bytes;
    }

    /** The unscaled value that the bytes hold. */
    public static BigInteger unscaled(byte[] bytes) {
        if (bytes.length == 0) {
            throw malformed();
        }
        int first = bytes[0] & BYTE;
        boolean negative = first < ZERO;
        int length = negative ? NEGATIVE - first : first - ZERO;
        if (length != bytes.length - 1 || negative && length == 0) {
            throw malformed();
        }
        byte[] magnitude = new byte[length];
        for (int i = 0; i < length; i++) {
            magnitude[i] = negative ? (byte) ~bytes[1 + i] : bytes[1 + i];
        }
        return new BigInteger(negative ? -1 : length == 0 ? 0 : 1, magnitude);
    }

    /** Refuses bytes that are no number of a type, or not in the one form that a number has. */
    public static void check(SqlType type, byte[] bytes) {
        BigInteger unscaled = unscaled(bytes);
        if (unscaled.abs().compareTo(limit(type.precision())) >= 0 || !Arrays.equals(of(unscaled), bytes)) {
            throw malformed();
        }
    }

    /** The number that the bytes hold. */
    public static BigDecimal number(SqlType type, byte[] bytes) {
        if (bytes.length > 0 && bytes.length <= BYTES_OF_LONG) {
            return BigDecimal.valueOf(small(bytes), type.decimals());
        }
        return new BigDecimal(unscaled(bytes), type.decimals());
    }

    private static long small(byte[] bytes) {
        int turned = bytes[0] < 0 ? 0 : BYTE;
        long magnitude = 0;
        for (int i = 1; i < bytes.length; i++) {
            magnitude = magnitude << Byte.SIZE | (bytes[i] & BYTE ^ turned);
        }
        return turned == 0 ? magnitude : -magnitude;
    }

    /** The text of the number that the bytes hold. */
    public static String text(SqlType type, byte[] bytes) {
        return number(type, bytes).toPlainString();
    }

    /** A number in units of the scale, rounded half away from zero where it has more digits; refused where the type has no room. */
    public static byte[] rounded(SqlType type, BigDecimal number) {
        return of(unscaled(number, type.precision(), type.decimals(), RoundingMode.HALF_UP));
    }

    /** The same as an unscaled value, rounded in a given way. */
    public static BigInteger unscaled(BigDecimal number, int precision, int scale, RoundingMode mode) {
        // The digits' distance from the point decides first: 1e-2000000000 with all of its zeros would take minutes.
        long before = (long) number.precision() - number.scale();
        if (number.signum() == 0 || before < -scale) {
            boolean away = mode == (number.signum() < 0 ? RoundingMode.FLOOR : RoundingMode.CEILING);
            return away ? BigInteger.valueOf(number.signum()) : BigInteger.ZERO;
        }
        if (before <= precision - scale) {
            BigInteger unscaled = number.setScale(scale, mode).unscaledValue();
            if (unscaled.abs().compareTo(limit(precision)) < 0) {
                return unscaled;
            }
        }
        throw new ProcedureException(
                ErrorCode.NUMERIC_OVERFLOW, number + " is out of range for DECIMAL(" + precision + "," + scale + ")");
    }

    private static BigInteger limit(int precision) {
        return precision == SqlType.MAX_DECIMAL_PRECISION ? LIMIT : BigInteger.TEN.pow(precision);
    }

    private static ProcedureException malformed() {
        return new ProcedureException(ErrorCode.INVALID_VALUE, "the bytes are no DECIMAL of more than 18 digits");
    }
}

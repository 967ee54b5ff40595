package io.reprise.procedure;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Stands in for those methods of {@link BigDecimal} that write out as many digits as a scale, an exponent or a
 * precision says: 1e1000000000 is short, and its sum with 1 is not. A result that would be too long is refused before it
 * is computed. At deployment a procedure's calls are woven to these. The receiver of the original call is the first
 * parameter. Application code never names this class.
 */
public final class BoundedDecimals {
    private static final int MOST_DIGITS = BoundedIntegers.MOST_DIGITS;

    private BoundedDecimals() {}

    /** For {@link BigDecimal#add(BigDecimal)}. */
    public static BigDecimal add(BigDecimal a, BigDecimal b) {
        requireAligned(a, b, "add");
        return a.add(b);
    }

    /** For {@link BigDecimal#add(BigDecimal, MathContext)}. */
    public static BigDecimal add(BigDecimal a, BigDecimal b, MathContext context) {
        if (isUnlimited(context, "add")) {
            requireAligned(a, b, "add");
        }
        return a.add(b, context);
    }

    /** For {@link BigDecimal#subtract(BigDecimal)}. */
    public static BigDecimal subtract(BigDecimal a, BigDecimal b) {
        requireAligned(a, b, "subtract");
        return a.subtract(b);
    }

    /** For {@link BigDecimal#subtract(BigDecimal, MathContext)}. */
    public static BigDecimal subtract(BigDecimal a, BigDecimal b, MathContext context) {
        if (isUnlimited(context, "subtract")) {
            requireAligned(a, b, "subtract");
        }
        return a.subtract(b, context);
    }

    /** For {@link BigDecimal#multiply(BigDecimal)}. */
    public static BigDecimal multiply(BigDecimal a, BigDecimal b) {
        require((long) a.precision() + b.precision(), "multiply");
        return a.multiply(b);
    }

    /** For {@link BigDecimal#multiply(BigDecimal, MathContext)}. */
    public static BigDecimal multiply(BigDecimal a, BigDecimal b, MathContext context) {
        require((long) a.precision() + b.precision(), "multiply");
        return a.multiply(b, context);
    }

    /** For {@link BigDecimal#divide(BigDecimal)}: the quotient has at most four times the digits of both numbers. */
    public static BigDecimal divide(BigDecimal a, BigDecimal b) {
        require((long) a.precision() + b.precision(), "divide");
        return a.divide(b);
    }

    /** For {@link BigDecimal#divide(BigDecimal, RoundingMode)}. */
    public static BigDecimal divide(BigDecimal a, BigDecimal b, RoundingMode mode) {
        requireQuotient(a, b, a.scale());
        return a.divide(b, mode);
    }

    /** For {@link BigDecimal#divide(BigDecimal, int)}. */
    @SuppressWarnings({"deprecation", "BigDecimalLegacyRoundingConstants"})
    public static BigDecimal divide(BigDecimal a, BigDecimal b, int mode) {
        requireQuotient(a, b, a.scale());
        return a.divide(b, mode);
    }

    /** For {@link BigDecimal#divide(BigDecimal, int, RoundingMode)}. */
    public static BigDecimal divide(BigDecimal a, BigDecimal b, int scale, RoundingMode mode) {
        requireQuotient(a, b, scale);
        return a.divide(b, scale, mode);
    }

    /** For {@link BigDecimal#divide(BigDecimal, int, int)}. */
    @SuppressWarnings({"deprecation", "BigDecimalLegacyRoundingConstants"})
    public static BigDecimal divide(BigDecimal a, BigDecimal b, int scale, int mode) {
        requireQuotient(a, b, scale);
        return a.divide(b, scale, mode);
    }

    /** For {@link BigDecimal#divide(BigDecimal, MathContext)}. */
    public static BigDecimal divide(BigDecimal a, BigDecimal b, MathContext context) {
        if (isUnlimited(context, "divide")) {
            require((long) a.precision() + b.precision(), "divide");
        }
        return a.divide(b, context);
    }

    /** For {@link BigDecimal#divideToIntegralValue(BigDecimal)}. */
    public static BigDecimal divideToIntegralValue(BigDecimal a, BigDecimal b) {
        requireAligned(a, b, "divideToIntegralValue");
        return a.divideToIntegralValue(b);
    }

    /** For {@link BigDecimal#divideToIntegralValue(BigDecimal, MathContext)}. */
    public static BigDecimal divideToIntegralValue(BigDecimal a, BigDecimal b, MathContext context) {
        isUnlimited(context, "divideToIntegralValue");
        requireAligned(a, b, "divideToIntegralValue");
        return a.divideToIntegralValue(b, context);
    }

    /** For {@link BigDecimal#remainder(BigDecimal)}. */
    public static BigDecimal remainder(BigDecimal a, BigDecimal b) {
        requireAligned(a, b, "remainder");
        return a.remainder(b);
    }

    /** For {@link BigDecimal#remainder(BigDecimal, MathContext)}. */
    public static BigDecimal remainder(BigDecimal a, BigDecimal b, MathContext context) {
        isUnlimited(context, "remainder");
        requireAligned(a, b, "remainder");
        return a.remainder(b, context);
    }

    /** For {@link BigDecimal#divideAndRemainder(BigDecimal)}. */
    public static BigDecimal[] divideAndRemainder(BigDecimal a, BigDecimal b) {
        requireAligned(a, b, "divideAndRemainder");
        return a.divideAndRemainder(b);
    }

    /** For {@link BigDecimal#divideAndRemainder(BigDecimal, MathContext)}. */
    public static BigDecimal[] divideAndRemainder(BigDecimal a, BigDecimal b, MathContext context) {
        isUnlimited(context, "divideAndRemainder");
        requireAligned(a, b, "divideAndRemainder");
        return a.divideAndRemainder(b, context);
    }

    /** For {@link BigDecimal#pow(int)}. */
    public static BigDecimal pow(BigDecimal base, int exponent) {
        requirePower(base, exponent);
        return base.pow(exponent);
    }

    /** For {@link BigDecimal#pow(int, MathContext)}. */
    public static BigDecimal pow(BigDecimal base, int exponent, MathContext context) {
        if (isUnlimited(context, "pow")) {
            requirePower(base, exponent);
        }
        return base.pow(exponent, context);
    }

    /** For {@link BigDecimal#sqrt}. */
    public static BigDecimal sqrt(BigDecimal number, MathContext context) {
        isUnlimited(context, "sqrt");
        return number.sqrt(context);
    }

    /** For {@link BigDecimal#setScale(int)}. */
    public static BigDecimal setScale(BigDecimal number, int scale) {
        requireScale(number, scale, "setScale");
        return number.setScale(scale);
    }

    /** For {@link BigDecimal#setScale(int, RoundingMode)}. */
    public static BigDecimal setScale(BigDecimal number, int scale, RoundingMode mode) {
        requireScale(number, scale, "setScale");
        return number.setScale(scale, mode);
    }

    /** For {@link BigDecimal#setScale(int, int)}. */
    @SuppressWarnings({"deprecation", "BigDecimalLegacyRoundingConstants"})
    public static BigDecimal setScale(BigDecimal number, int scale, int mode) {
        requireScale(number, scale, "setScale");
        return number.setScale(scale, mode);
    }

    /** For {@link BigDecimal#toBigInteger}. */
    public static BigInteger toBigInteger(BigDecimal number) {
        requireScale(number, 0, "toBigInteger");
        return number.toBigInteger();
    }

    /** For {@link BigDecimal#toBigIntegerExact}. */
    public static BigInteger toBigIntegerExact(BigDecimal number) {
        requireScale(number, 0, "toBigIntegerExact");
        return number.toBigIntegerExact();
    }

    /** For {@link BigDecimal#toPlainString}. */
    public static String toPlainString(BigDecimal number) {
        requireScale(number, 0, "toPlainString");
        return number.toPlainString();
    }

    /** For {@link BigDecimal#movePointLeft}. */
    public static BigDecimal movePointLeft(BigDecimal number, int places) {
        requireMove(number, (long) number.scale() + places, "movePointLeft");
        return number.movePointLeft(places);
    }

    /** For {@link BigDecimal#movePointRight}. */
    public static BigDecimal movePointRight(BigDecimal number, int places) {
        requireMove(number, (long) number.scale() - places, "movePointRight");
        return number.movePointRight(places);
    }

    /** For a reference to {@link BigDecimal#BigDecimal(String)}. */
    public static BigDecimal decimal(String digits) {
        return new BigDecimal(text(digits));
    }

    /** For the text that a number is made of: its time grows with the square of the text's length. */
    public static String text(String digits) {
        require(digits.length(), "new");
        return digits;
    }

    /** For the characters that a number is made of. */
    public static char[] text(char[] digits) {
        require(digits.length, "new");
        return digits;
    }

    /** For the count of the characters that a number is made of. */
    public static int text(int count) {
        require(count, "new");
        return count;
    }

    /** Whether all of a number's digits may be written out. */
    static boolean isShort(BigDecimal number) {
        return number.precision() + Math.abs((long) number.scale()) <= MOST_DIGITS;
    }

    private static boolean isUnlimited(MathContext context, String method) {
        require(context.getPrecision(), method);
        return context.getPrecision() == 0;
    }

    /** For an operation that gives both numbers the same scale first. */
    private static void requireAligned(BigDecimal a, BigDecimal b, String method) {
        long apart = Math.abs((long) a.scale() - b.scale());
        if (apart != 0) {
            require(Math.max(a.precision(), b.precision()) + apart, method);
        }
    }

    private static void requireQuotient(BigDecimal a, BigDecimal b, int scale) {
        long raised = (long) scale + b.scale() - a.scale();
        require(raised >= 0 ? a.precision() + raised : b.precision() - raised, "divide");
    }

    private static void requirePower(BigDecimal base, int exponent) {
        // A power of ten has one digit whatever its exponent is.
        if (base.precision() > 1 || base.unscaledValue().abs().bitLength() > 1) {
            require(base.precision() * (long) exponent, "pow");
        }
    }

    private static void requireScale(BigDecimal number, int scale, String method) {
        require(number.precision() + Math.abs((long) number.scale() - scale), method);
    }

    private static void requireMove(BigDecimal number, long scale, String method) {
        if (scale < 0) {
            require(number.precision() - scale, method);
        }
    }

    private static void require(long digits, String method) {
        if (digits > MOST_DIGITS) {
            throw new ArithmeticException("BigDecimal." + method + " would write a number of about " + digits
                    + " digits: a procedure computes with up to " + MOST_DIGITS);
        }
    }
}

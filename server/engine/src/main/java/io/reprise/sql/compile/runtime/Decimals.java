package io.reprise.sql.compile.runtime;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * DECIMAL arithmetic on unscaled 64-bit values: exact or an error, with products and quotients computed in 128 bits
 * where 64 are not enough. Rounding is half away from zero throughout.
 */
public final class Decimals {
    static final long[] POWERS = new long[19];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    /** Rests from here on are rounded up when 19 digits are cut off; none is when more are. */
    private static final long HALF_OF_19_DIGITS = 5_000_000_000_000_000_000L;

    /** The point lies left of what a number of 64 bits has, wherever it lies in that. */
    private static final long ABOVE_ALL_DIGITS = -40;

    /** Equals no DECIMAL, because it has more digits than any. */
    public static final long UNEQUAL = Long.MAX_VALUE;

    private Decimals() {}

    /** 10 to the power of 0 to 18. */
    public static long power(int exponent) {
        return POWERS[exponent];
    }

    /** Multiplies by a power of ten: to a larger scale. */
    public static long scaleUp(long v, long factor) {
        long r = v * factor;
        if (Math.multiplyHigh(v, factor) != r >> 63) {
            throw outOfRange(v, factor);
        }
        return r;
    }

    /** Divides by a power of ten, rounding: to a smaller scale. */
    public static long scaleDown(long v, long factor) {
        long q = v / factor;
        long r = v % factor;
        if (r >= factor - r) {
            return q + 1;
        }
        if (-r >= factor + r) {
            return q - 1;
        }
        return q;
    }

    /** Divides by a power of ten, cutting off. */
    public static long truncate(long v, long factor) {
        return v / factor;
    }

    /** Changes the scale, rounding where it shrinks. */
    public static long rescale(long v, int from, int to) {
        if (to > from) {
            if (to - from > 18) {
                return exact(big(v).multiply(BigInteger.TEN.pow(to - from)));
            }
            return scaleUp(v, POWERS[to - from]);
        }
        if (from - to > 18) {
            return from - to == 19 && (v >= HALF_OF_19_DIGITS || v <= -HALF_OF_19_DIGITS) ? Long.signum(v) : 0;
        }
        return from == to ? v : scaleDown(v, POWERS[from - to]);
    }

    /** Rounds to a multiple of 10^places. */
    public static long roundAt(long v, long places) {
        if (places > 19) {
            return 0;
        }
        if (places == 19) {
            return exact(
                    new BigDecimal(big(v)).setScale(-19, RoundingMode.HALF_UP).toBigInteger());
        }
        long factor = POWERS[(int) places];
        return scaleUp(scaleDown(v, factor), factor);
    }

    /** Rounds a decimal of the given scale to that many digits after the point, keeping its scale. */
    public static long round(long v, int scale, long digits) {
        return digits >= scale ? v : roundAt(v, scale - Math.max(digits, ABOVE_ALL_DIGITS));
    }

    /** Cuts a decimal of the given scale off after that many digits after the point, keeping its scale. */
    public static long truncateTo(long v, int scale, long digits) {
        if (digits >= scale) {
            return v;
        }
        long places = scale - Math.max(digits, ABOVE_ALL_DIGITS);
        return places > 18 ? 0 : v - v % POWERS[(int) places];
    }

    /** The whole number not above a decimal. */
    public static long floor(long v, int scale) {
        return Math.floorDiv(v, POWERS[scale]);
    }

    /** The whole number not below a decimal. */
    public static long ceil(long v, int scale) {
        return Math.ceilDiv(v, POWERS[scale]);
    }

    /** Of the same scale. */
    public static long add(long a, long b) {
        long r = a + b;
        if (((a ^ r) & (b ^ r)) < 0) {
            throw tooManyDigits();
        }
        return r;
    }

    /** Of the same scale. */
    public static long subtract(long a, long b) {
        long r = a - b;
        if (((a ^ b) & (a ^ r)) < 0) {
            throw tooManyDigits();
        }
        return r;
    }

    /** With all digits: the scale is the sum of the scales. */
    public static long multiply(long a, long b) {
        long r = a * b;
        if (Math.multiplyHigh(a, b) != r >> 63) {
            throw tooManyDigits();
        }
        return r;
    }

    /** The product, whose natural scale is the sum of the scales, brought to the scale of the result. */
    public static long multiply(long a, long b, int naturalScale, int scale) {
        long low = a * b;
        if (Math.multiplyHigh(a, b) == low >> 63) {
            return rescale(low, naturalScale, scale);
        }
        return exact(rescale(big(a).multiply(big(b)), naturalScale, scale));
    }

    /** The quotient a / b in the scale of the result; {@code shift} is what a must be scaled up by for it. */
    public static long divide(long a, long b, int shift) {
        if (b == 0) {
            throw Errors.divisionByZero();
        }
        if (shift >= 0 && shift <= 18) {
            long scaled = a * POWERS[shift];
            if (Math.multiplyHigh(a, POWERS[shift]) == scaled >> 63 && scaled != Long.MIN_VALUE) {
                return roundedQuotient(scaled, b);
            }
        }
        BigDecimal quotient =
                new BigDecimal(big(a)).scaleByPowerOfTen(shift).divide(new BigDecimal(big(b)), 0, RoundingMode.HALF_UP);
        return exact(quotient.toBigIntegerExact());
    }

    private static long roundedQuotient(long a, long b) {
        long q = a / b;
        long r = Math.abs(a % b);
        long divisor = Math.abs(b);
        boolean up = b == Long.MIN_VALUE ? r >= 1L << 62 : r >= divisor - r;
        if (!up) {
            return q;
        }
        return (a ^ b) < 0 ? q - 1 : q + 1;
    }

    /** Compares two decimals of different scales. */
    public static int compare(long a, int scaleA, long b, int scaleB) {
        if (scaleA == scaleB) {
            return Long.compare(a, b);
        }
        int difference = Math.abs(scaleA - scaleB);
        long factor = POWERS[Math.min(18, difference)];
        long scaled = (scaleA < scaleB ? a : b) * factor;
        long high = Math.multiplyHigh(scaleA < scaleB ? a : b, factor);
        if (difference > 18 || high != scaled >> 63) {
            return BigDecimal.valueOf(a, scaleA).compareTo(BigDecimal.valueOf(b, scaleB));
        }
        return scaleA < scaleB ? Long.compare(scaled, b) : Long.compare(a, scaled);
    }

    /** The nearest double. */
    public static double toDouble(long v, int scale) {
        if (Math.abs(v) < 1L << 53) {
            return (double) v / (double) POWERS[scale];
        }
        return BigDecimal.valueOf(v, scale).doubleValue();
    }

    /** The decimal nearest to a double. */
    public static long ofDouble(double v, int precision, int scale) {
        if (!(Math.abs(v) < 1e19)) {
            throw Errors.overflow(v + " is out of range for DECIMAL(" + precision + "," + scale + ")");
        }
        BigDecimal exact = BigDecimal.valueOf(v).setScale(scale, RoundingMode.HALF_UP);
        return fit(exact(exact.unscaledValue()), precision, scale);
    }

    /** Checks that an unscaled value has no more digits than the type. */
    public static long fit(long v, int precision, int scale) {
        long limit = POWERS[precision];
        if (v >= limit || v <= -limit) {
            throw Errors.overflow(toString(v, scale) + " is out of range for DECIMAL(" + precision + "," + scale + ")");
        }
        return v;
    }

    /** A sum in two words, see {@link Numbers#carry}, as one. */
    public static long fitSum(long low, long high, int precision, int scale) {
        if (high != 0) {
            throw Errors.overflow(
                    sum(low, high, scale) + " is out of range for DECIMAL(" + precision + "," + scale + ")");
        }
        return fit(low, precision, scale);
    }

    /** A sum in two words as SQL prints it. */
    static String sum(long low, long high, int scale) {
        return new BigDecimal(sum(low, high), scale).toPlainString();
    }

    static BigInteger sum(long low, long high) {
        return big(high).shiftLeft(Long.SIZE).add(big(low));
    }

    /** Such a sum of so many values over their number, scaled up: it lies between the values. Without any it doesn't matter. */
    public static long average(long low, long high, long count, int shift) {
        if (high == 0) {
            return count == 0 ? 0 : divide(low, count, shift);
        }
        BigDecimal sum = new BigDecimal(sum(low, high)).scaleByPowerOfTen(shift);
        return exact(
                sum.divide(new BigDecimal(big(count)), 0, RoundingMode.HALF_UP).toBigIntegerExact());
    }

    /** For a column: the same check, naming it. */
    public static long store(long v, int precision, int scale, String column) {
        long limit = POWERS[precision];
        if (v >= limit || v <= -limit) {
            throw Errors.overflow(toString(v, scale) + " is out of range for " + column);
        }
        return v;
    }

    /** As SQL prints it. */
    public static String toString(long v, int scale) {
        return BigDecimal.valueOf(v, scale).toPlainString();
    }

    /** A BigDecimal in units of the scale, rounded half away from zero where it has more digits. */
    public static long unscaled(BigDecimal v, int precision, int scale) {
        return unscaled(v, precision, scale, RoundingMode.HALF_UP);
    }

    /** A BigDecimal in units of the scale, rounded where it has more digits. */
    public static long unscaled(BigDecimal v, int precision, int scale, RoundingMode mode) {
        return fit(rounded(v, scale, mode, "DECIMAL(" + precision + "," + scale + ")"), precision, scale);
    }

    /** A number in units of the scale, rounded half away from zero where it has more digits; refused where it is no long. */
    public static long rounded(BigDecimal v, int scale, String type) {
        return rounded(v, scale, RoundingMode.HALF_UP, type);
    }

    private static long rounded(BigDecimal v, int scale, RoundingMode mode, String type) {
        // The digits' distance from the point decides first: 1e-2000000000 with all of its zeros would take minutes.
        long digitsBeforePoint = (long) v.precision() - v.scale();
        if (v.signum() == 0 || digitsBeforePoint < -scale) {
            boolean away = mode == (v.signum() < 0 ? RoundingMode.FLOOR : RoundingMode.CEILING);
            return away ? v.signum() : 0;
        }
        if (digitsBeforePoint <= POWERS.length) {
            BigInteger unscaled = v.setScale(scale, mode).unscaledValue();
            if (unscaled.bitLength() < Long.SIZE) {
                return unscaled.longValue();
            }
        }
        throw Errors.overflow(v + " is out of range for " + type);
    }

    private static BigInteger rescale(BigInteger v, int from, int to) {
        return new BigDecimal(v, from).setScale(to, RoundingMode.HALF_UP).unscaledValue();
    }

    private static BigInteger big(long v) {
        return BigInteger.valueOf(v);
    }

    private static long exact(BigInteger v) {
        if (v.bitLength() > 63) {
            throw tooManyDigits();
        }
        return v.longValue();
    }

    private static RuntimeException outOfRange(long v, long factor) {
        return Errors.overflow("a DECIMAL result has more than 18 digits: " + v + " * " + factor);
    }

    private static RuntimeException tooManyDigits() {
        return Errors.overflow("a DECIMAL result has more than 18 digits");
    }
}

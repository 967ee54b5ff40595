package io.reprise.sql.compile.runtime;

import java.math.BigInteger;

/**
 * Arithmetic of the integer types and DOUBLE, exact or an error. The integer types are computed in 64 bits and then
 * {@code fit} into the type of the result.
 *
 * <p>No function gives -0.0: it is equal to 0.0 and not alike, so that of both MIN would take the one whose row is
 * stored first. 0.0 is added to a result that may be one.
 */
public final class Numbers {
    private Numbers() {}

    public static long add(long a, long b) {
        long r = a + b;
        if (((a ^ r) & (b ^ r)) < 0) {
            throw overflow(a, "+", b);
        }
        return r;
    }

    /**
     * The carry into the high word of a sum in two words, {@code high * 2^64 + low}, when one more value is added to
     * the low word, which wraps around.
     */
    public static long carry(long low, long value) {
        long r = low + value;
        return ((low ^ r) & (value ^ r)) < 0 ? low >> 63 | 1 : 0;
    }

    /** A double with the digits of a float. */
    public static double toReal(double value) {
        float real = (float) value;
        if (Float.isInfinite(real)) {
            throw Errors.overflow(value + " is out of range for REAL");
        }
        return real + 0.0;
    }

    /** Such a sum as one word. */
    public static long fitSum(long low, long high) {
        if (high != 0) {
            throw Errors.overflow(Decimals.sum(low, high, 0) + " is out of range for BIGINT");
        }
        return low;
    }

    /** Such a sum of so many values over their number, towards 0: it lies between the values. Without any it doesn't matter. */
    public static long average(long low, long high, long count) {
        if (high == 0) {
            return count == 0 ? 0 : low / count;
        }
        return Decimals.sum(low, high).divide(BigInteger.valueOf(count)).longValueExact();
    }

    public static long subtract(long a, long b) {
        long r = a - b;
        if (((a ^ b) & (a ^ r)) < 0) {
            throw overflow(a, "-", b);
        }
        return r;
    }

    public static long multiply(long a, long b) {
        long r = a * b;
        if (Math.multiplyHigh(a, b) != r >> 63) {
            throw overflow(a, "*", b);
        }
        return r;
    }

    public static long divide(long a, long b) {
        if (b == 0) {
            throw Errors.divisionByZero();
        }
        if (b == -1) {
            return negate(a);
        }
        return a / b;
    }

    public static long remainder(long a, long b) {
        if (b == 0) {
            throw Errors.divisionByZero();
        }
        return b == -1 ? 0 : a % b;
    }

    public static long negate(long a) {
        if (a == Long.MIN_VALUE) {
            throw Errors.overflow("the negative of " + a + " is out of range for BIGINT");
        }
        return -a;
    }

    public static long abs(long a) {
        return a < 0 ? negate(a) : a;
    }

    public static long sign(long a) {
        return Long.signum(a);
    }

    public static long fitTinyint(long v) {
        if ((byte) v != v) {
            throw outOfRange(v, "TINYINT");
        }
        return v;
    }

    public static long fitSmallint(long v) {
        if ((short) v != v) {
            throw outOfRange(v, "SMALLINT");
        }
        return v;
    }

    public static long fitInteger(long v) {
        if ((int) v != v) {
            throw outOfRange(v, "INTEGER");
        }
        return v;
    }

    /** For a column: the same check, naming it. */
    public static long storeTinyint(long v, String column) {
        if ((byte) v != v) {
            throw doesNotFit(v, column);
        }
        return v;
    }

    /** For a column: the same check, naming it. */
    public static long storeSmallint(long v, String column) {
        if ((short) v != v) {
            throw doesNotFit(v, column);
        }
        return v;
    }

    /** For a column: the same check, naming it. */
    public static long storeInteger(long v, String column) {
        if ((int) v != v) {
            throw doesNotFit(v, column);
        }
        return v;
    }

    public static double add(double a, double b) {
        return finite(a + b, a, "+", b);
    }

    public static double negate(double a) {
        return 0.0 - a;
    }

    public static double subtract(double a, double b) {
        return finite(a - b, a, "-", b);
    }

    public static double multiply(double a, double b) {
        return finite(a * b, a, "*", b);
    }

    public static double divide(double a, double b) {
        if (b == 0) {
            throw Errors.divisionByZero();
        }
        return finite(a / b, a, "/", b);
    }

    public static double remainder(double a, double b) {
        if (b == 0) {
            throw Errors.divisionByZero();
        }
        return a % b + 0.0;
    }

    public static double floor(double a) {
        return Math.floor(a) + 0.0;
    }

    public static double ceil(double a) {
        return Math.ceil(a) + 0.0;
    }

    public static double sign(double a) {
        return Math.signum(a) + 0.0;
    }

    public static double sqrt(double a) {
        if (a < 0) {
            throw Errors.invalid("SQRT of the negative number " + a);
        }
        return Math.sqrt(a);
    }

    public static double cbrt(double a) {
        return StrictMath.cbrt(a);
    }

    /** GCD: the greatest common divisor, not negative. */
    public static long gcd(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return abs(x);
    }

    /** LCM: the least common multiple, not negative. */
    public static long lcm(long a, long b) {
        return a == 0 || b == 0 ? 0 : abs(multiply(a / gcd(a, b), b));
    }

    public static double power(double a, double b) {
        if (a == 0 && b < 0) {
            throw Errors.divisionByZero();
        }
        double r = StrictMath.pow(a, b);
        if (Double.isNaN(r)) {
            throw Errors.invalid("POWER(" + a + ", " + b + ") is not a real number");
        }
        if (Double.isInfinite(r)) {
            throw Errors.overflow("POWER(" + a + ", " + b + ") is out of range for DOUBLE");
        }
        return r + 0.0;
    }

    public static double exp(double a) {
        double r = StrictMath.exp(a);
        if (Double.isInfinite(r)) {
            throw Errors.overflow("EXP(" + a + ") is out of range for DOUBLE");
        }
        return r;
    }

    public static double ln(double a) {
        checkLogarithm("LN", a);
        return StrictMath.log(a);
    }

    public static double log10(double a) {
        checkLogarithm("LOG10", a);
        return StrictMath.log10(a);
    }

    public static double sin(double a) {
        return StrictMath.sin(a);
    }

    public static double cos(double a) {
        return StrictMath.cos(a);
    }

    public static double tan(double a) {
        return StrictMath.tan(a);
    }

    public static double cot(double a) {
        if (a == 0) {
            throw Errors.divisionByZero();
        }
        double r = 1 / StrictMath.tan(a);
        if (Double.isInfinite(r)) {
            throw Errors.overflow("COT(" + a + ") is out of range for DOUBLE");
        }
        return r;
    }

    public static double asin(double a) {
        checkCosine("ASIN", a);
        return StrictMath.asin(a);
    }

    public static double acos(double a) {
        checkCosine("ACOS", a);
        return StrictMath.acos(a);
    }

    private static void checkCosine(String function, double a) {
        if (!(Math.abs(a) <= 1)) {
            throw Errors.invalid(function + " of " + a + ", which is not between -1 and 1");
        }
    }

    public static double atan(double a) {
        return StrictMath.atan(a);
    }

    public static double atan2(double y, double x) {
        return StrictMath.atan2(y, x) + 0.0;
    }

    public static double degrees(double radians) {
        double r = radians * (180 / Math.PI);
        if (Double.isInfinite(r)) {
            throw Errors.overflow("DEGREES(" + radians + ") is out of range for DOUBLE");
        }
        return r;
    }

    public static double radians(double degrees) {
        return degrees * (Math.PI / 180) + 0.0;
    }

    /** Zeros come in from the right; nothing is left after 64 of them. */
    public static long shiftLeft(long a, long bits) {
        return checkedShift(bits) >= Long.SIZE ? 0 : a << bits;
    }

    /** Zeros come in from the left, also for a negative number. */
    public static long shiftRight(long a, long bits) {
        return checkedShift(bits) >= Long.SIZE ? 0 : a >>> bits;
    }

    private static long checkedShift(long bits) {
        if (bits < 0) {
            throw Errors.invalid("a shift by " + bits + " bits: the number is not negative");
        }
        return bits;
    }

    public static long bitNot(long a) {
        return ~a;
    }

    private static void checkLogarithm(String function, double a) {
        if (!(a > 0)) {
            throw Errors.invalid(function + " of " + a + ", which is not a positive number");
        }
    }

    /** Rounds half away from zero to that many digits after the point. */
    public static double round(double a, long digits) {
        return scaled(a, digits, java.math.RoundingMode.HALF_UP);
    }

    /** Cuts off after that many digits after the point. */
    public static double truncate(double a, long digits) {
        return scaled(a, digits, java.math.RoundingMode.DOWN);
    }

    private static double scaled(double a, long digits, java.math.RoundingMode mode) {
        if (digits > 400) {
            return a;
        }
        if (digits < -400) {
            return 0;
        }
        double r = java.math.BigDecimal.valueOf(a).setScale((int) digits, mode).doubleValue();
        if (Double.isInfinite(r)) {
            throw Errors.overflow("ROUND(" + a + ", " + digits + ") is out of range for DOUBLE");
        }
        return r + 0.0;
    }

    /** Rounds an integer to a power of ten when the digits are negative. */
    public static long round(long a, long digits) {
        return Decimals.round(a, 0, digits);
    }

    /** Cuts an integer off at a power of ten when the digits are negative. */
    public static long truncate(long a, long digits) {
        return Decimals.truncateTo(a, 0, digits);
    }

    /** A DOUBLE as an integer, rounded half away from zero as decimals are. */
    public static long toLong(double v) {
        if (!(v >= -0x1p63 && v < 0x1p63)) {
            throw outOfRange(v, "BIGINT");
        }
        // A double with a fraction is far from the ends. Adding a half to v would round once more.
        long whole = (long) v;
        double fraction = v - whole;
        return fraction >= 0.5 ? whole + 1 : fraction <= -0.5 ? whole - 1 : whole;
    }

    /** The bits of a double with -0.0 as 0.0, so that equal doubles have equal bits. */
    public static long bits(double v) {
        return Double.doubleToRawLongBits(v + 0.0);
    }

    /** A long whose signed order is the double's. */
    public static long sortable(double v) {
        long bits = bits(v);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    private static double finite(double r, double a, String operator, double b) {
        if (Double.isInfinite(r) || Double.isNaN(r)) {
            throw Errors.overflow(a + " " + operator + " " + b + " is out of range for DOUBLE");
        }
        return r + 0.0;
    }

    private static RuntimeException overflow(long a, String operator, long b) {
        return Errors.overflow(a + " " + operator + " " + b + " is out of range for BIGINT");
    }

    private static RuntimeException outOfRange(long v, String type) {
        return Errors.overflow(v + " is out of range for " + type);
    }

    private static RuntimeException outOfRange(double v, String type) {
        return Errors.overflow(v + " is out of range for " + type);
    }

    private static RuntimeException doesNotFit(long v, String column) {
        return Errors.overflow(v + " is out of range for " + column);
    }
}

package io.reprise.sql.compile.runtime;

import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * DECIMALs of more than 18 digits, which are references to {@link DecimalBytes}. An operation reads its operands as a {@code
 * BigDecimal}, and its result is stored in scratch: exact or rounded half away from zero to the scale of its type, or an error.
 */
public final class WideDecimals {
    /** An unscaled value that equals no DECIMAL, because it has more digits than any. */
    static final BigInteger UNEQUAL = BigInteger.TEN.pow(SqlType.MAX_DECIMAL_PRECISION + 1);

    private static final int BYTE = 0xff;

    /** Bytes behind the first one whose value, with a sign, is a long. */
    private static final int BYTES_OF_LONG = 7;

    private static final int WORDS_OF_SUM = 3;

    /** Sums below it have no more digits than their type. */
    private static final long MOST_AS_LONG = Decimals.power(SqlType.MAX_WORD_PRECISION);

    private WideDecimals() {}

    // Values and their bytes

    /** The number that a reference is. */
    public static BigDecimal value(Memory memory, long ref, int scale) {
        long address = Ref.address(ref);
        int length = Ref.length(ref) - 1;
        if (length > BYTES_OF_LONG) {
            return new BigDecimal(DecimalBytes.unscaled(bytes(memory, ref)), scale);
        }
        return BigDecimal.valueOf(small(memory, address, length), scale);
    }

    private static long small(Memory memory, long address, int length) {
        boolean negative = memory.getByte(address) >= 0;
        int turned = negative ? BYTE : 0;
        long value = 0;
        for (int i = 1; i <= length; i++) {
            value = value << Byte.SIZE | (memory.getByte(address + i) & BYTE ^ turned);
        }
        return negative ? -value : value;
    }

    private static byte[] bytes(Memory memory, long ref) {
        byte[] bytes = new byte[Ref.length(ref)];
        Utf8.copyOut(memory, ref, bytes, 0);
        return bytes;
    }

    /** Stores a number, rounded to the scale. */
    public static long store(BigDecimal value, int precision, int scale, PartitionStore store) {
        return put(store, DecimalBytes.unscaled(value, precision, scale, RoundingMode.HALF_UP));
    }

    static long put(PartitionStore store, BigInteger unscaled) {
        byte[] bytes = DecimalBytes.of(unscaled);
        Memory memory = store.memory();
        long address = store.scratch(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            memory.putByte(address + i, bytes[i]);
        }
        return Ref.of(address, bytes.length);
    }

    /** The same of a value that is a long. */
    private static long put(PartitionStore store, long unscaled) {
        boolean negative = unscaled < 0;
        long magnitude = Math.abs(unscaled);
        int length = (Long.SIZE - Long.numberOfLeadingZeros(magnitude) + Byte.SIZE - 1) / Byte.SIZE;
        Memory memory = store.memory();
        long address = store.scratch(1 + length);
        memory.putByte(address, (byte) (negative ? DecimalBytes.ZERO - 1 - length : DecimalBytes.ZERO + length));
        for (int i = length; i > 0; i--) {
            memory.putByte(address + i, (byte) (negative ? ~magnitude : magnitude));
            magnitude >>>= Byte.SIZE;
        }
        return Ref.of(address, 1 + length);
    }

    /** CAST of a string. */
    public static long parse(PartitionStore store, long ref, int precision, int scale) {
        String type = "DECIMAL(" + precision + "," + scale + ")";
        String text = Utf8.decode(store.memory(), ref).trim();
        return store(Conversions.number(text, type), precision, scale, store);
    }

    /** CAST to a string. */
    public static long toText(PartitionStore store, long ref, int scale) {
        return Utf8.encode(value(store.memory(), ref, scale).toPlainString(), store);
    }

    // Arithmetic

    public static BigDecimal add(BigDecimal a, BigDecimal b) {
        return a.add(b);
    }

    public static BigDecimal subtract(BigDecimal a, BigDecimal b) {
        return a.subtract(b);
    }

    public static BigDecimal multiply(BigDecimal a, BigDecimal b) {
        return a.multiply(b);
    }

    /** The quotient with so many digits behind the point. */
    public static BigDecimal divide(BigDecimal a, BigDecimal b, int scale) {
        if (b.signum() == 0) {
            throw Errors.divisionByZero();
        }
        return a.divide(b, scale, RoundingMode.HALF_UP);
    }

    /** The remainder has the sign of the first operand. */
    public static BigDecimal remainder(BigDecimal a, BigDecimal b) {
        if (b.signum() == 0) {
            throw Errors.divisionByZero();
        }
        return a.remainder(b);
    }

    public static BigDecimal negate(BigDecimal a) {
        return a.negate();
    }

    public static BigDecimal abs(BigDecimal a) {
        return a.abs();
    }

    public static long sign(BigDecimal a) {
        return a.signum();
    }

    /** Rounds to that many digits after the point. */
    public static BigDecimal round(BigDecimal a, long digits) {
        return scaled(a, digits, RoundingMode.HALF_UP);
    }

    /** Cuts off after that many digits after the point. */
    public static BigDecimal truncateTo(BigDecimal a, long digits) {
        return scaled(a, digits, RoundingMode.DOWN);
    }

    private static BigDecimal scaled(BigDecimal a, long digits, RoundingMode mode) {
        return digits >= a.scale() ? a : a.setScale((int) Math.max(digits, -a.precision() - 1L), mode);
    }

    /** The whole number not above. */
    public static BigDecimal floor(BigDecimal a) {
        return a.setScale(0, RoundingMode.FLOOR);
    }

    /** The whole number not below. */
    public static BigDecimal ceil(BigDecimal a) {
        return a.setScale(0, RoundingMode.CEILING);
    }

    public static int compare(BigDecimal a, BigDecimal b) {
        return a.compareTo(b);
    }

    public static double toDouble(BigDecimal a) {
        return a.doubleValue();
    }

    /** A number that is to be 0 or not. */
    public static long toBoolean(BigDecimal a) {
        return a.signum() == 0 ? 0 : 1;
    }

    // Sums: 192 bits in three words, the lowest first, from which values can be taken back without loss

    /** A word, from 0, of an unscaled value in three. */
    public static long word(Memory memory, long ref, int number) {
        int length = Ref.length(ref) - 1;
        if (length <= BYTES_OF_LONG) {
            long value = small(memory, Ref.address(ref), length);
            return number == 0 ? value : value >> Long.SIZE - 1;
        }
        return word(DecimalBytes.unscaled(bytes(memory, ref)), number);
    }

    private static long word(BigInteger value, int number) {
        return value.shiftRight(number * Long.SIZE).longValue();
    }

    /** The middle word of the sum of two numbers, from the lower words of both. */
    public static long middle(long low, long middle, long addedLow, long addedMiddle) {
        return middle + addedMiddle + carry(low, addedLow);
    }

    /** The high word of the sum of two numbers, from all words of both. */
    public static long high(long low, long middle, long high, long addedLow, long addedMiddle, long addedHigh) {
        long sum = middle + addedMiddle;
        long carried = Long.compareUnsigned(sum, middle) < 0 ? 1 : 0;
        return high + addedHigh + carried + carry(sum, carry(low, addedLow));
    }

    private static long carry(long a, long b) {
        return Long.compareUnsigned(a + b, a) < 0 ? 1 : 0;
    }

    private static BigInteger sum(long low, long middle, long high) {
        byte[] bytes = new byte[WORDS_OF_SUM * Long.BYTES];
        java.nio.ByteBuffer.wrap(bytes).putLong(high).putLong(middle).putLong(low);
        return new BigInteger(bytes);
    }

    /** Stores a sum. */
    public static long storeSum(long low, long middle, long high, int precision, int scale, PartitionStore store) {
        if (middle == low >> Long.SIZE - 1 && high == middle && low < MOST_AS_LONG && low > -MOST_AS_LONG) {
            return put(store, low);
        }
        return store(new BigDecimal(sum(low, middle, high), scale), precision, scale, store);
    }

    /** Stores a sum of words, see {@link Numbers#carry}. */
    public static long storeSumOfWords(long low, long high, int precision, int scale, PartitionStore store) {
        long middle = high + (low >> Long.SIZE - 1);
        return storeSum(low, middle, middle >> Long.SIZE - 1, precision, scale, store);
    }

    /** Stores a sum of so many values, of a scale, over their number. Without any it is 0. */
    public static long storeAverage(
            long low, long middle, long high, long count, int summed, int precision, int scale, PartitionStore store) {
        return store(average(new BigDecimal(sum(low, middle, high), summed), count, scale), precision, scale, store);
    }

    static BigDecimal average(BigDecimal sum, long count, int scale) {
        return count == 0 ? BigDecimal.ZERO : sum.divide(BigDecimal.valueOf(count), scale, RoundingMode.HALF_UP);
    }
}

package io.reprise.record.command;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a command into a buffer of its own: {@link #begin} or {@link #beginStatement}, then the values in order. The
 * buffer grows to the largest command and is used again; nothing else is allocated, but for decimals and for strings that
 * are not ASCII. Owned by one thread.
 */
public final class CommandWriter {
    private static final int USUAL_BYTES = 512;
    private static final int MOST_KEPT = 1 << 20;
    private static final int MOST_VARINT_BYTES = 10;
    private static final int SMALL_DECIMAL_BITS = 63;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private byte[] bytes = new byte[USUAL_BYTES];
    private MemorySegment segment = MemorySegment.ofArray(bytes);
    private int length;

    /** Begins the call of a procedure. */
    public void begin(long versionId) {
        if (versionId <= 0) {
            throw new IllegalArgumentException("version ids begin with 1, so " + versionId + " is none");
        }
        clear();
        ensure(MOST_VARINT_BYTES);
        putVarint(versionId);
    }

    /** Begins the run of a statement that was not deployed. */
    public void beginStatement(String sql) {
        clear();
        byte[] utf8 = sql.getBytes(StandardCharsets.UTF_8);
        ensure(1 + MOST_VARINT_BYTES + utf8.length);
        putVarint(0);
        putBytes(utf8);
    }

    private void clear() {
        length = 0;
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[USUAL_BYTES];
            segment = MemorySegment.ofArray(bytes);
        }
    }

    /** The bytes so far, from the beginning of this segment; valid until the next value is put. */
    public MemorySegment segment() {
        return segment;
    }

    /** The length so far. */
    public int length() {
        return length;
    }

    /** NULL. */
    public void putNull() {
        putTag(CommandFormat.NULL);
    }

    /** A boolean. */
    public void putBoolean(boolean value) {
        putTag(value ? CommandFormat.TRUE : CommandFormat.FALSE);
    }

    /** An integer of any width; TIMESTAMP, DATE and TIME too. */
    public void putInteger(long value) {
        if (value >= CommandFormat.LEAST_SMALL && value <= CommandFormat.MOST_SMALL) {
            putTag((int) value - CommandFormat.LEAST_SMALL);
            return;
        }
        putTag(CommandFormat.INTEGER);
        ensure(MOST_VARINT_BYTES);
        putSigned(value);
    }

    /** A double, with exactly these bits. */
    public void putDouble(double value) {
        putTag(CommandFormat.DOUBLE);
        ensure(Double.BYTES);
        putLong(Double.doubleToRawLongBits(value));
    }

    /** A decimal with its scale: 1.0 and 1.00 stay apart. */
    public void putDecimal(BigDecimal value) {
        BigInteger unscaled = value.unscaledValue();
        boolean small = unscaled.bitLength() <= SMALL_DECIMAL_BITS;
        putTag(small ? CommandFormat.DECIMAL : CommandFormat.LARGE_DECIMAL);
        ensure(2 * MOST_VARINT_BYTES);
        putSigned(value.scale());
        if (small) {
            putSigned(unscaled.longValue());
        } else {
            byte[] number = unscaled.toByteArray();
            ensure(MOST_VARINT_BYTES + number.length);
            putBytes(number);
        }
    }

    /** A string. */
    public void putString(String value) {
        int characters = value.length();
        ensure(1 + MOST_VARINT_BYTES + characters);
        int start = length;
        if (characters <= CommandFormat.MOST_SHORT) {
            bytes[length++] = (byte) (CommandFormat.SHORT_STRING + characters);
        } else {
            bytes[length++] = (byte) CommandFormat.STRING;
            putVarint(characters);
        }
        for (int i = 0; i < characters; i++) {
            char c = value.charAt(i);
            if (c > 0x7F) {
                length = start;
                putOtherString(value);
                return;
            }
            bytes[length++] = (byte) c;
        }
    }

    /** A string that is not ASCII. */
    private void putOtherString(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (new String(utf8, StandardCharsets.UTF_8).equals(value)) {
            putUtf8(MemorySegment.ofArray(utf8), 0, utf8.length);
            return;
        }
        putTag(CommandFormat.UTF_16);
        ensure(MOST_VARINT_BYTES + 2 * value.length());
        putVarint(value.length());
        for (int i = 0; i < value.length(); i++) {
            bytes[length++] = (byte) value.charAt(i);
            bytes[length++] = (byte) (value.charAt(i) >>> 8);
        }
    }

    /** A string given as its bytes in UTF-8. */
    public void putUtf8(MemorySegment source, long offset, int count) {
        ensure(1 + MOST_VARINT_BYTES + count);
        if (count <= CommandFormat.MOST_SHORT) {
            bytes[length++] = (byte) (CommandFormat.SHORT_STRING + count);
        } else {
            bytes[length++] = (byte) CommandFormat.STRING;
            putVarint(count);
        }
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, length, count);
        length += count;
    }

    /** A binary value. */
    public void putBinary(byte[] value) {
        putTag(CommandFormat.BINARY);
        ensure(MOST_VARINT_BYTES + value.length);
        putBytes(value);
    }

    /** An array. */
    public void putInts(int[] values) {
        putTag(CommandFormat.INTS);
        ensure((1L + values.length) * MOST_VARINT_BYTES);
        putVarint(values.length);
        for (int value : values) {
            putSigned(value);
        }
    }

    /** An array. */
    public void putLongs(long[] values) {
        putTag(CommandFormat.LONGS);
        ensure((1L + values.length) * MOST_VARINT_BYTES);
        putVarint(values.length);
        for (long value : values) {
            putSigned(value);
        }
    }

    /** An array. */
    public void putDoubles(double[] values) {
        putTag(CommandFormat.DOUBLES);
        ensure(MOST_VARINT_BYTES + (long) Double.BYTES * values.length);
        putVarint(values.length);
        for (double value : values) {
            putLong(Double.doubleToRawLongBits(value));
        }
    }

    /** An array; null elements are kept. */
    public void putStrings(String[] values) {
        putTag(CommandFormat.STRINGS);
        ensure(MOST_VARINT_BYTES);
        putVarint(values.length);
        for (String value : values) {
            if (value == null) {
                putNull();
            } else {
                putString(value);
            }
        }
    }

    private void putTag(int tag) {
        ensure(1);
        bytes[length++] = (byte) tag;
    }

    private void putSigned(long value) {
        putVarint(value << 1 ^ value >> 63);
    }

    private void putVarint(long value) {
        long rest = value;
        while ((rest & -0x80L) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    private void putLong(long value) {
        LONG.set(bytes, length, value);
        length += Long.BYTES;
    }

    private void putBytes(byte[] value) {
        putVarint(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    private void ensure(long more) {
        if (length + more > bytes.length) {
            grow(length + more);
        }
    }

    private void grow(long needed) {
        if (needed > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("the arguments of a call take more than 2 GiB");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * bytes.length)));
        segment = MemorySegment.ofArray(bytes);
    }
}

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
 * Reads a command: {@link #over}, then {@link #versionId} or {@link #statement}, then {@link #next} for each value and the
 * method that belongs to its kind. The bytes are copied first, so what they lay in can be used again. Whatever they are,
 * they give values or a {@link DamagedCommandException}. Reused; owned by one thread.
 */
public final class CommandReader {
    private static final int USUAL_BYTES = 512;
    private static final int MOST_KEPT = 1 << 20;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private byte[] bytes = new byte[USUAL_BYTES];
    private int end;
    private int at;
    private int tag;
    private long versionId;
    private String statement;

    /** The type of a value, which names the method that reads it. */
    public enum Kind {
        NULL,
        BOOLEAN,
        INTEGER,
        DOUBLE,
        DECIMAL,
        STRING,
        BINARY,
        INTS,
        LONGS,
        DOUBLES,
        STRINGS
    }

    /** Begins to read. */
    public void over(MemorySegment source, long offset, int length) {
        if (length > bytes.length || bytes.length > MOST_KEPT) {
            bytes = new byte[Math.max(length, USUAL_BYTES)];
        }
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        at = 0;
        end = length;
        versionId = varint();
        statement = null;
        if (versionId == 0) {
            int bytesOfText = count(1);
            statement = new String(bytes, skip(bytesOfText), bytesOfText, StandardCharsets.UTF_8);
        }
        if (versionId < 0) {
            throw damaged("there is no version " + versionId + " of a procedure");
        }
    }

    /** The version of the procedure that was called; 0: a statement was run. */
    public long versionId() {
        return versionId;
    }

    /** The statement that was run; null: a procedure was called. */
    public String statement() {
        return statement;
    }

    /** Moves to the next value. Returns whether there is one; its value has to be read before the next. */
    public boolean next() {
        if (at == end) {
            return false;
        }
        tag = unsignedByte();
        return true;
    }

    /** The kind of the value. */
    public Kind kind() {
        if (tag <= CommandFormat.MOST_SMALL - CommandFormat.LEAST_SMALL) {
            return Kind.INTEGER;
        }
        if (tag <= CommandFormat.SHORT_STRING + CommandFormat.MOST_SHORT) {
            return Kind.STRING;
        }
        return switch (tag) {
            case CommandFormat.NULL -> Kind.NULL;
            case CommandFormat.FALSE, CommandFormat.TRUE -> Kind.BOOLEAN;
            case CommandFormat.INTEGER -> Kind.INTEGER;
            case CommandFormat.DOUBLE -> Kind.DOUBLE;
            case CommandFormat.DECIMAL, CommandFormat.LARGE_DECIMAL -> Kind.DECIMAL;
            case CommandFormat.STRING, CommandFormat.UTF_16 -> Kind.STRING;
            case CommandFormat.BINARY -> Kind.BINARY;
            case CommandFormat.INTS -> Kind.INTS;
            case CommandFormat.LONGS -> Kind.LONGS;
            case CommandFormat.DOUBLES -> Kind.DOUBLES;
            case CommandFormat.STRINGS -> Kind.STRINGS;
            default -> throw damaged("there is no kind of value " + tag);
        };
    }

    /** A boolean. */
    public boolean booleanValue() {
        return tag == CommandFormat.TRUE;
    }

    /** An integer. */
    public long integer() {
        return tag < CommandFormat.SHORT_STRING ? tag + CommandFormat.LEAST_SMALL : signed();
    }

    /** A double. */
    public double doubleValue() {
        return Double.longBitsToDouble(eightBytes());
    }

    /** A decimal. */
    public BigDecimal decimal() {
        boolean small = tag == CommandFormat.DECIMAL;
        long scale = signed();
        if (scale != (int) scale) {
            throw damaged("a decimal has scale " + scale);
        }
        if (small) {
            return BigDecimal.valueOf(signed(), (int) scale);
        }
        int length = count(1);
        if (length == 0) {
            throw damaged("a decimal has no digits");
        }
        return new BigDecimal(new BigInteger(bytes, skip(length), length), (int) scale);
    }

    /** Whether the string is there as UTF-8, or as bytes that were taken for it: then {@link #utf8} is exact. */
    public boolean isUtf8() {
        return tag != CommandFormat.UTF_16;
    }

    /** The bytes of such a string. */
    public byte[] utf8() {
        return copy(tag == CommandFormat.STRING ? count(1) : tag - CommandFormat.SHORT_STRING);
    }

    /** A string. */
    public String string() {
        if (tag == CommandFormat.UTF_16) {
            return characters();
        }
        int length = tag == CommandFormat.STRING ? count(1) : tag - CommandFormat.SHORT_STRING;
        return new String(bytes, skip(length), length, StandardCharsets.UTF_8);
    }

    /** Not decoded as UTF-16, which would replace just those characters for which this form is there. */
    private String characters() {
        char[] characters = new char[count(2)];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = (char) (unsignedByte() | unsignedByte() << 8);
        }
        return new String(characters);
    }

    /** A binary value. */
    public byte[] binary() {
        return copy(count(1));
    }

    /** An array. */
    public int[] ints() {
        int[] values = new int[count(1)];
        for (int i = 0; i < values.length; i++) {
            long value = signed();
            if (value != (int) value) {
                throw damaged("an int is " + value);
            }
            values[i] = (int) value;
        }
        return values;
    }

    /** An array. */
    public long[] longs() {
        long[] values = new long[count(1)];
        for (int i = 0; i < values.length; i++) {
            values[i] = signed();
        }
        return values;
    }

    /** An array. */
    public double[] doubles() {
        double[] values = new double[count(Double.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.longBitsToDouble(eightBytes());
        }
        return values;
    }

    /** An array. */
    public String[] strings() {
        String[] values = new String[count(1)];
        for (int i = 0; i < values.length; i++) {
            tag = unsignedByte();
            Kind kind = kind();
            if (kind != Kind.STRING && kind != Kind.NULL) {
                throw damaged("an element of an array of strings is of kind " + kind);
            }
            values[i] = kind == Kind.NULL ? null : string();
        }
        return values;
    }

    /** A number of things of at least so many bytes each; no more than there are bytes for. */
    private int count(int bytesOfEach) {
        long count = varint();
        if (count < 0 || count > (end - at) / bytesOfEach) {
            throw damaged("there is no room for " + Long.toUnsignedString(count) + " elements");
        }
        return (int) count;
    }

    private byte[] copy(int length) {
        int from = skip(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    private int skip(int length) {
        if (length > end - at) {
            throw damaged("the bytes end in the middle of a value");
        }
        int start = at;
        at += length;
        return start;
    }

    private int unsignedByte() {
        if (at >= end) {
            throw damaged("the bytes end in the middle of a value");
        }
        return bytes[at++] & 0xFF;
    }

    private long eightBytes() {
        return (long) LONG.get(bytes, skip(Long.BYTES));
    }

    private long signed() {
        long folded = varint();
        return folded >>> 1 ^ -(folded & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = unsignedByte();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw damaged("a number has more than 10 bytes");
    }

    private DamagedCommandException damaged(String what) {
        return new DamagedCommandException("Damaged at byte " + at + " of " + end + " of a command: " + what + ".");
    }
}

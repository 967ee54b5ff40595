package io.reprise.wire;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A value that was read: its kind, and the value itself. Strings and bytes stay in the array that is read, and their
 * place is told, so that they need not be copied. Reused for one value after the other.
 */
public final class ValueReader {
    /** No longer number is taken, because arithmetic with it may take any time and memory. */
    static final int MAX_DECIMAL_BYTES = 64;

    static final int MAX_DECIMAL_SCALE = 1000;

    private final MessageReader inner = new MessageReader();
    private ValueKind kind = ValueKind.NULL;
    private byte[] array;
    private long word;
    private int from;
    private int length;

    /** Reads the value that the reader stands before. */
    void read(MessageReader reader) {
        kind = ValueKind.NULL;
        array = reader.array();
        int outer = reader.enter();
        while (reader.hasMore()) {
            field(reader, reader.tag());
        }
        reader.leave(outer);
    }

    private void field(MessageReader reader, int tag) {
        switch (tag) {
            case Wire.VALUE_INTEGER:
                kind = ValueKind.INTEGER;
                word = reader.signed();
                break;
            case Wire.VALUE_NUMBER:
                kind = ValueKind.NUMBER;
                word = Double.doubleToRawLongBits(reader.fixed());
                break;
            case Wire.VALUE_BOOLEAN:
                kind = ValueKind.BOOLEAN;
                word = reader.varint() == 0 ? 0 : 1;
                break;
            case Wire.VALUE_TEXT:
                stretch(reader, ValueKind.TEXT);
                if (!Utf8.isValid(array, from, length)) {
                    throw new MalformedMessageException("a string is not UTF-8");
                }
                break;
            case Wire.VALUE_BINARY:
                stretch(reader, ValueKind.BINARY);
                break;
            case Wire.VALUE_DECIMAL:
                stretch(reader, ValueKind.DECIMAL);
                break;
            case Wire.VALUE_INTS:
                stretch(reader, ValueKind.INTS);
                break;
            case Wire.VALUE_LONGS:
                stretch(reader, ValueKind.LONGS);
                break;
            case Wire.VALUE_NUMBERS:
                stretch(reader, ValueKind.NUMBERS);
                break;
            case Wire.VALUE_TEXTS:
                stretch(reader, ValueKind.TEXTS);
                break;
            default:
                reader.skip(tag);
                kind = ValueKind.UNKNOWN;
        }
    }

    private void stretch(MessageReader reader, ValueKind newKind) {
        kind = newKind;
        length = reader.length();
        from = reader.position();
        reader.move(from + length, reader.limit());
    }

    /** The value's kind. */
    public ValueKind kind() {
        return kind;
    }

    /** INTEGER, or BOOLEAN as 0 or 1. */
    public long integer() {
        return word;
    }

    /** NUMBER. */
    public double number() {
        return Double.longBitsToDouble(word);
    }

    /** The beginning of the bytes of TEXT or BINARY in the array that is read. */
    public int from() {
        return from;
    }

    /** The number of bytes of TEXT or BINARY. */
    public int length() {
        return length;
    }

    /** TEXT. */
    public String text() {
        return new String(array, from, length, java.nio.charset.StandardCharsets.UTF_8);
    }

    /** BINARY, copied; or the bytes of TEXT. */
    public byte[] bytes() {
        return Arrays.copyOfRange(array, from, from + length);
    }

    /** DECIMAL. */
    public BigDecimal decimal() {
        MessageReader reader = inner.over(array, from, length);
        long scale = 0;
        byte[] unscaled = {0};
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == Wire.DECIMAL_SCALE) {
                scale = reader.signed();
            } else if (tag == Wire.DECIMAL_UNSCALED) {
                unscaled = reader.copy();
            } else {
                reader.skip(tag);
            }
        }
        if (scale < -MAX_DECIMAL_SCALE || scale > MAX_DECIMAL_SCALE || unscaled.length > MAX_DECIMAL_BYTES) {
            throw new MalformedMessageException("a decimal number has more than " + MAX_DECIMAL_BYTES
                    + " bytes, or a scale beyond " + MAX_DECIMAL_SCALE);
        }
        return new BigDecimal(unscaled.length == 0 ? BigInteger.ZERO : new BigInteger(unscaled), (int) scale);
    }

    /** INTS. */
    public int[] ints() {
        long[] values = integers();
        int[] ints = new int[values.length];
        for (int i = 0; i < ints.length; i++) {
            if (values[i] != (int) values[i]) {
                throw new MalformedMessageException("an element of an array of int is " + values[i]);
            }
            ints[i] = (int) values[i];
        }
        return ints;
    }

    /** LONGS. */
    public long[] longs() {
        return integers();
    }

    /** One element or more in a field, as writers may do; grows as it is read, never by what a length claims. */
    private long[] integers() {
        MessageReader reader = inner.over(array, from, length);
        long[] values = new long[Math.min(length, 1 << 4)];
        int count = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == Wire.ELEMENTS) {
                int outer = reader.enter();
                while (reader.hasMore()) {
                    values = roomFor(values, count);
                    values[count++] = reader.signed();
                }
                reader.leave(outer);
            } else if (tag == Wire.INTEGER_ELEMENT) {
                values = roomFor(values, count);
                values[count++] = reader.signed();
            } else {
                reader.skip(tag);
            }
        }
        return count == values.length ? values : Arrays.copyOf(values, count);
    }

    private static long[] roomFor(long[] values, int count) {
        return count < values.length ? values : Arrays.copyOf(values, Math.max(4, 2 * count));
    }

    /** NUMBERS. */
    public double[] numbers() {
        MessageReader reader = inner.over(array, from, length);
        double[] values = new double[length / Double.BYTES];
        int count = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == Wire.ELEMENTS) {
                int outer = reader.enter();
                while (reader.hasMore()) {
                    values[count++] = reader.fixed();
                }
                reader.leave(outer);
            } else if (tag == Wire.NUMBER_ELEMENT) {
                values[count++] = reader.fixed();
            } else {
                reader.skip(tag);
            }
        }
        return count == values.length ? values : Arrays.copyOf(values, count);
    }

    /** TEXTS. */
    public String[] texts() {
        MessageReader reader = inner.over(array, from, length);
        String[] values = new String[4];
        int count = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == Wire.ELEMENTS) {
                if (count == values.length) {
                    values = Arrays.copyOf(values, 2 * count);
                }
                values[count++] = reader.text();
            } else {
                reader.skip(tag);
            }
        }
        return Arrays.copyOf(values, count);
    }

    /** The value as an object; an array of its own where it is one. Of what is unknown, null is not said: it is refused. */
    public Object object() {
        switch (kind) {
            case NULL:
                return null;
            case INTEGER:
                return word;
            case NUMBER:
                return number();
            case BOOLEAN:
                return word != 0;
            case TEXT:
                return text();
            case BINARY:
                return bytes();
            case DECIMAL:
                return decimal();
            case INTS:
                return ints();
            case LONGS:
                return longs();
            case NUMBERS:
                return numbers();
            case TEXTS:
                return texts();
            default:
                throw new MalformedMessageException("a value is of a kind that this version does not know");
        }
    }
}

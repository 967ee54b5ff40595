package io.reprise.wire;

import java.math.BigDecimal;

/** Writes values as fields: arguments, results and columns. */
final class ValueWriter {
    private ValueWriter() {}

    static void nothing(MessageWriter to, int tag) {
        to.end(to.begin(tag));
    }

    static void integer(MessageWriter to, int tag, long value) {
        int begin = to.begin(tag);
        to.signed(Wire.VALUE_INTEGER, value);
        to.end(begin);
    }

    static void number(MessageWriter to, int tag, double value) {
        int begin = to.begin(tag);
        to.fixed(Wire.VALUE_NUMBER, value);
        to.end(begin);
    }

    static void bool(MessageWriter to, int tag, boolean value) {
        int begin = to.begin(tag);
        to.always(Wire.VALUE_BOOLEAN, value ? 1 : 0);
        to.end(begin);
    }

    static void text(MessageWriter to, int tag, String value) {
        checkText(value);
        int begin = to.begin(tag);
        to.text(Wire.VALUE_TEXT, value);
        to.end(begin);
    }

    /** A string that is encoded already. */
    static void text(MessageWriter to, int tag, byte[] utf8, int from, int length) {
        int begin = to.begin(tag);
        to.bytes(Wire.VALUE_TEXT, utf8, from, length);
        to.end(begin);
    }

    static void binary(MessageWriter to, int tag, byte[] value) {
        binary(to, tag, value, 0, value.length);
    }

    static void binary(MessageWriter to, int tag, byte[] value, int from, int length) {
        int begin = to.begin(tag);
        to.bytes(Wire.VALUE_BINARY, value, from, length);
        to.end(begin);
    }

    /** A value that no server takes is refused here: it would end the connection, and with it other calls. */
    static void decimal(MessageWriter to, int tag, BigDecimal value) {
        byte[] unscaled = value.unscaledValue().toByteArray();
        if (Math.abs((long) value.scale()) > ValueReader.MAX_DECIMAL_SCALE
                || unscaled.length > ValueReader.MAX_DECIMAL_BYTES) {
            throw new IllegalArgumentException("a decimal number is longer than servers take: "
                    + ValueReader.MAX_DECIMAL_BYTES + " bytes and a scale up to " + ValueReader.MAX_DECIMAL_SCALE
                    + "; it has " + unscaled.length + ", and the scale " + value.scale());
        }
        int begin = to.begin(tag);
        int inner = to.begin(Wire.VALUE_DECIMAL);
        to.signed(Wire.DECIMAL_SCALE, value.scale());
        to.bytes(Wire.DECIMAL_UNSCALED, unscaled, 0, unscaled.length);
        to.end(inner);
        to.end(begin);
    }

    static void ints(MessageWriter to, int tag, int[] values, int count) {
        int begin = to.begin(tag);
        int array = to.begin(Wire.VALUE_INTS);
        int elements = to.begin(Wire.ELEMENTS);
        for (int i = 0; i < count; i++) {
            to.packedSigned(values[i]);
        }
        to.end(elements);
        to.end(array);
        to.end(begin);
    }

    static void longs(MessageWriter to, int tag, long[] values, int count) {
        int begin = to.begin(tag);
        int array = to.begin(Wire.VALUE_LONGS);
        int elements = to.begin(Wire.ELEMENTS);
        for (int i = 0; i < count; i++) {
            to.packedSigned(values[i]);
        }
        to.end(elements);
        to.end(array);
        to.end(begin);
    }

    static void numbers(MessageWriter to, int tag, double[] values) {
        int begin = to.begin(tag);
        int array = to.begin(Wire.VALUE_NUMBERS);
        int elements = to.begin(Wire.ELEMENTS);
        for (double value : values) {
            to.packedFixed(value);
        }
        to.end(elements);
        to.end(array);
        to.end(begin);
    }

    static void texts(MessageWriter to, int tag, String[] values) {
        int begin = to.begin(tag);
        int array = to.begin(Wire.VALUE_TEXTS);
        for (String value : values) {
            checkText(value);
            to.text(Wire.ELEMENTS, value);
        }
        to.end(array);
        to.end(begin);
    }

    /** UTF-8 has no form for half a surrogate pair; encoding would put a question mark in its place. */
    private static void checkText(String value) {
        int length = value.length();
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair =
                        Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(value.charAt(i + 1));
                if (!pair) {
                    throw new IllegalArgumentException(
                            "a string has half a surrogate pair at position " + i + ", which is no character");
                }
                i++;
            }
        }
    }
}

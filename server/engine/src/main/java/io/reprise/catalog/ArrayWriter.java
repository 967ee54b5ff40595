package io.reprise.catalog;

import java.io.ByteArrayOutputStream;

/**
 * Writes arrays as bytes. The order of the bytes is that of the arrays: the first element that differs decides, NULL is greater than
 * any value, and an array is greater than its beginning. So arrays are compared, hashed and indexed as binary strings are, and
 * are put together by putting their bytes together.
 *
 * <pre>
 *  an element:  01 | value        or  02 for NULL
 *
 *  BOOLEAN, TINYINT                     1 byte     an integer, big-endian, with its sign bit turned
 *  SMALLINT                             2 bytes    the same
 *  INTEGER, DATE                        4 bytes    the same
 *  BIGINT, DECIMAL, TIMESTAMP, TIME     8 bytes    the same
 *  DOUBLE                               8 bytes    the IEEE 754 bits, big-endian; if negative all turned, otherwise the first one
 *  VARCHAR, VARBINARY                   the bytes, with 00 FF in place of 00, then 00 00
 * </pre>
 */
public final class ArrayWriter {
    static final byte VALUE = 1;
    static final byte NULL = 2;

    /** Stands behind a byte 00 of a string; behind its end stands another 00. */
    static final byte ESCAPED = (byte) 0xFF;

    private final SqlType element;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** A writer of elements of a type. */
    public ArrayWriter(SqlType element) {
        this.element = element;
    }

    /** Adds NULL. */
    public ArrayWriter addNull() {
        bytes.write(NULL);
        return this;
    }

    /** Adds a value that is no string, as its word; a DOUBLE as its bits. */
    public ArrayWriter add(long word) {
        bytes.write(VALUE);
        int width = element.kind().width();
        long ordered = element.kind() == SqlType.Kind.DOUBLE ? ordered(word) : word ^ (1L << (Byte.SIZE * width - 1));
        for (int shift = Byte.SIZE * (width - 1); shift >= 0; shift -= Byte.SIZE) {
            bytes.write((int) (ordered >>> shift));
        }
        return this;
    }

    /** The bits of a DOUBLE as an unsigned word in the order of the numbers. */
    private static long ordered(long bits) {
        return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    }

    /** Adds the bytes of a string. */
    public ArrayWriter add(byte[] string) {
        bytes.write(VALUE);
        for (byte each : string) {
            bytes.write(each);
            if (each == 0) {
                bytes.write(ESCAPED);
            }
        }
        bytes.write(0);
        bytes.write(0);
        return this;
    }

    /** Whether the elements are strings. */
    public boolean isOfStrings() {
        return element.kind().isString();
    }

    /** The number of bytes so far. */
    public int length() {
        return bytes.size();
    }

    /** The bytes of the array. */
    public byte[] toBytes() {
        return bytes.toByteArray();
    }
}

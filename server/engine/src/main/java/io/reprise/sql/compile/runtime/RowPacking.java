package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.storage.row.Ref;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Rows as few bytes, for a reader that knows the columns.
 *
 * <pre>
 *  varint rows | of each: varint for each word of null bits | value of each column that is not NULL
 *  value  a string: varint length | bytes; a double: 8 bytes, little endian; anything else: signed varint
 * </pre>
 */
public final class RowPacking {
    /** The longest varint. */
    public static final int MOST_VARINT_BYTES = 10;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private RowPacking() {}

    /** The room that {@link #write} needs. */
    public static int mostBytes(RowBuffer rows) {
        long bytes = MOST_VARINT_BYTES + (long) rows.end * MOST_VARINT_BYTES;
        RowShape shape = rows.shape;
        for (int row = 0; row < rows.end; row += shape.stride) {
            for (int column = 0; column < shape.columns; column++) {
                if (shape.types[column].kind().isString() && !isNull(rows.words, row, column)) {
                    bytes += Ref.length(rows.words[row + shape.nullWords + column]);
                }
            }
        }
        return Math.toIntExact(bytes);
    }

    private static boolean isNull(long[] words, int row, int column) {
        return (words[row + (column >>> 6)] >>> column & 1) != 0;
    }

    /** Writes all rows, wherever the cursor stands. Returns the place behind them. */
    public static int write(RowBuffer rows, byte[] to, int start) {
        RowShape shape = rows.shape;
        int at = putVarint(to, start, rows.end / shape.stride);
        for (int row = 0; row < rows.end; row += shape.stride) {
            for (int i = 0; i < shape.nullWords; i++) {
                at = putVarint(to, at, rows.words[row + i]);
            }
            for (int column = 0; column < shape.columns; column++) {
                if (!isNull(rows.words, row, column)) {
                    at = putValue(rows, shape.types[column].kind(), row + shape.nullWords + column, to, at);
                }
            }
        }
        return at;
    }

    private static int putValue(RowBuffer rows, SqlType.Kind kind, int word, byte[] to, int at) {
        long value = rows.words[word];
        if (kind.isString()) {
            int length = Ref.length(value);
            int bytes = putVarint(to, at, length);
            rows.copyString(value, to, bytes);
            return bytes + length;
        }
        if (kind == SqlType.Kind.DOUBLE) {
            LONG.set(to, at, value);
            return at + Long.BYTES;
        }
        return putVarint(to, at, value << 1 ^ value >> 63);
    }

    /** Replaces the content of rows with rows of this shape. Returns the place behind them. */
    public static int read(byte[] from, int start, int end, RowShape shape, HeapRows rows) {
        long count = varint(from, start, end);
        int at = behindVarint(from, start);
        if (count < 0 || count > end - at) {
            throw malformed();
        }
        rows.empty();
        rows.reserveWords(count * shape.stride);
        int words = (int) count * shape.stride;
        for (int row = 0; row < words; row += shape.stride) {
            for (int i = 0; i < shape.nullWords; i++) {
                rows.words[row + i] = varint(from, at, end);
                at = behindVarint(from, at);
            }
            for (int column = 0; column < shape.columns; column++) {
                at = readValue(from, at, end, shape, column, rows, row);
            }
        }
        rows.complete(shape, words);
        return at;
    }

    private static int readValue(byte[] from, int start, int end, RowShape shape, int column, HeapRows rows, int row) {
        int word = row + shape.nullWords + column;
        rows.words[word] = 0;
        if (isNull(rows.words, row, column)) {
            return start;
        }
        SqlType.Kind kind = shape.types[column].kind();
        if (kind == SqlType.Kind.DOUBLE) {
            rows.words[word] = (long) LONG.get(from, start);
            return start + Long.BYTES;
        }
        long value = varint(from, start, end);
        int at = behindVarint(from, start);
        if (!kind.isString()) {
            rows.words[word] = value >>> 1 ^ -(value & 1);
            return at;
        }
        if (value < 0 || value > end - at) {
            throw malformed();
        }
        rows.words[word] = rows.keep(from, at, (int) value);
        return at + (int) value;
    }

    /** Writes a number, and returns the place behind it. */
    public static int putVarint(byte[] to, int start, long value) {
        int at = start;
        long rest = value;
        while ((rest & -0x80L) != 0) {
            to[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        to[at++] = (byte) rest;
        return at;
    }

    /** The number at a place. */
    public static long varint(byte[] from, int start, int end) {
        long value = 0;
        for (int at = start; at < end && at < start + MOST_VARINT_BYTES; at++) {
            value |= (from[at] & 0x7FL) << 7 * (at - start);
            if (from[at] >= 0) {
                return value;
            }
        }
        throw malformed();
    }

    /** The place behind the number at a place. */
    public static int behindVarint(byte[] from, int start) {
        int at = start;
        while (from[at] < 0) {
            at++;
        }
        return at + 1;
    }

    private static IllegalStateException malformed() {
        return new IllegalStateException("packed rows make no sense");
    }
}

package io.reprise.storage.row;

import io.reprise.catalog.Table;

/**
 * Where each column of a table lies in a row.
 *
 * <pre>
 * offset 0   header, 8 bytes: bits 63..61 snapshot bits, bit 60 live, bits 59..50 bucket, bits 49..0 row id in the bucket
 *        8   null bitmap: one bit for each nullable column, rounded up to bytes; absent when no column is nullable
 *        ..  columns, unaligned, little endian: primary key columns first, then the others as declared
 *            fixed types: SqlType.Kind.width bytes
 *            strings: see {@link #isInline}
 *        ..  padding to a multiple of 8
 * </pre>
 */
public final class RowLayout {
    /** Bytes of the row header. */
    public static final int HEADER = 8;

    /** Computes the layout of a table's rows. */
    public static RowLayout of(Table table) {
        throw new UnsupportedOperationException();
    }

    /** Bytes that a row takes, a multiple of 8. */
    public int size() {
        throw new UnsupportedOperationException();
    }

    /** Where the column's value begins, from the start of the row. */
    public int offset(int column) {
        throw new UnsupportedOperationException();
    }

    /** Bytes that the column takes in the row. */
    public int width(int column) {
        throw new UnsupportedOperationException();
    }

    /** Offset of the byte with the column's null bit, or -1 when the column is NOT NULL. */
    public int nullByte(int column) {
        throw new UnsupportedOperationException();
    }

    /** The bit (1, 2, 4 ... 128) in that byte; set means NULL. */
    public int nullMask(int column) {
        throw new UnsupportedOperationException();
    }

    /** Whether short values of this string column lie in the row. */
    public boolean isInline(int column) {
        throw new UnsupportedOperationException();
    }
}

package io.reprise.storage.row;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The place of each column of a table in a row.
 *
 * <pre>
 * offset 0   header, 8 bytes: bits 63..61 snapshot bits, bit 60 live, bits 59..44 bucket, bits 43..0 row id in the bucket
 *        8   null bitmap: one bit for each nullable column, rounded up to bytes; absent when no column is nullable
 *        ..  columns, unaligned, little endian: primary key columns first, the last one foremost, then those of
 *            fixed types as declared, then the strings as declared
 *            fixed types: SqlType.Kind.width bytes
 *            strings: see {@link #isInline}
 *        ..  padding to a multiple of 8
 * </pre>
 *
 * <p>The primary key's columns are in reverse order. Read as one little endian number, the first key column is then the most
 * significant, so that a key of up to 8 bytes is normalised by one load (see {@code KeyLayout}). Fixed types precede
 * strings, because updates mostly change numbers. Side by side they are in the cache line that the key has brought in, and an
 * update of several of them has few bytes to save and to hash.
 *
 * <p>A string column whose declared length is at most {@link #INLINE_LIMIT} is inline: a length byte, then the bytes, the
 * rest zero. A value with more bytes than that (characters outside ASCII take up to four) is spilled: the length byte is
 * {@link #SPILLED}, then follows the {@link Ref} to its bytes in the string heap. Longer columns are always a {@link Ref}
 * into the heap, 0 for the empty string.
 */
public final class RowLayout {
    /** Bytes of the row header. */
    public static final int HEADER = 8;

    /** The header bit of a live row. */
    public static final long LIVE = 1L << 60;

    /**
     * The header bits of the observer of writes for a snapshot. All other code leaves them as they are, and a new row
     * has none of them.
     */
    public static final long SNAPSHOT_BITS = 7L << 61;

    /** The header bits that identify a row in its table: bucket and row id in the bucket. */
    public static final long ROW_ID_MASK = (1L << 60) - 1;

    /** Bits of the row id in the bucket. */
    public static final int SEQUENCE_BITS = 44;

    /** The longest declared length of a string that lies in the row. */
    public static final int INLINE_LIMIT = 64;

    /** The length byte of an inline column whose value was too long to be inline. */
    public static final byte SPILLED = (byte) 0xFF;

    private final int size;
    private final int[] offsets;
    private final int[] widths;
    private final int[] nullBytes;
    private final int[] nullMasks;
    private final boolean[] inline;
    private final SqlType.Kind[] kinds;
    private final int[] strings;

    private RowLayout(Table table) {
        int columns = table.columns().size();
        offsets = new int[columns];
        widths = new int[columns];
        nullBytes = new int[columns];
        nullMasks = new int[columns];
        inline = new boolean[columns];
        kinds = new SqlType.Kind[columns];
        int nullable = 0;
        for (Column column : table.columns()) {
            int position = column.position();
            kinds[position] = column.type().kind();
            inline[position] = kinds[position].isString() && column.type().length() <= INLINE_LIMIT;
            widths[position] = widthOf(column.type());
            nullBytes[position] = column.nullable() ? HEADER + nullable / 8 : -1;
            nullMasks[position] = column.nullable() ? 1 << nullable % 8 : 0;
            nullable += column.nullable() ? 1 : 0;
        }
        int offset = HEADER + (nullable + 7) / 8;
        for (int column : placementOrder(table)) {
            offsets[column] = offset;
            offset += widths[column];
        }
        size = (offset + 7) & -8;
        List<Integer> stringColumns = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            if (kinds[column].isString()) {
                stringColumns.add(column);
            }
        }
        strings = stringColumns.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Set<Integer> placementOrder(Table table) {
        Set<Integer> order = new LinkedHashSet<>(
                table.primaryKey().map(Index::columns).orElse(List.of()).reversed());
        Stream.of(false, true)
                .forEach(strings -> table.columns().stream()
                        .filter(column -> column.type().kind().isString() == strings)
                        .forEach(column -> order.add(column.position())));
        return order;
    }

    private static int widthOf(SqlType type) {
        if (!type.kind().isString()) {
            return type.kind().width();
        }
        return type.length() <= INLINE_LIMIT ? Math.max(1 + type.length(), 1 + Long.BYTES) : Long.BYTES;
    }

    /** Computes the layout of a table's rows. */
    public static RowLayout of(Table table) {
        return new RowLayout(table);
    }

    /** Bytes that a row takes, a multiple of 8. */
    public int size() {
        return size;
    }

    /** The number of columns. */
    public int columns() {
        return offsets.length;
    }

    /** The offset of the column's value from the start of the row. */
    public int offset(int column) {
        return offsets[column];
    }

    /** Bytes that the column takes in the row. */
    public int width(int column) {
        return widths[column];
    }

    /** The column's type. */
    public SqlType.Kind kind(int column) {
        return kinds[column];
    }

    /** Offset of the byte with the column's null bit, or -1 when the column is NOT NULL. */
    public int nullByte(int column) {
        return nullBytes[column];
    }

    /** The bit (1, 2, 4 ... 128) in that byte; set means NULL. */
    public int nullMask(int column) {
        return nullMasks[column];
    }

    /** Whether short values of this string column lie in the row. */
    public boolean isInline(int column) {
        return inline[column];
    }

    /** The number of string columns. */
    public int stringColumns() {
        return strings.length;
    }

    /** The position of the i-th string column. */
    public int stringColumn(int i) {
        return strings[i];
    }

    /** Whether the column of this row is NULL. */
    public boolean isNull(Memory memory, long row, int column) {
        int nullByte = nullBytes[column];
        return nullByte >= 0 && (memory.getByte(row + nullByte) & nullMasks[column]) != 0;
    }

    /** Sets a column to NULL that had no value. */
    public void setNull(Memory memory, long row, int column) {
        long at = row + nullBytes[column];
        memory.putByte(at, (byte) (memory.getByte(at) | nullMasks[column]));
    }

    /** Takes the mark of NULL from a column that has got a value. */
    public void setNotNull(Memory memory, long row, int column) {
        if (nullBytes[column] >= 0) {
            long at = row + nullBytes[column];
            memory.putByte(at, (byte) (memory.getByte(at) & ~nullMasks[column]));
        }
    }

    /** Whether any of the columns has bytes in a range of the row. */
    public boolean hasAny(int[] columns, int from, int to) {
        for (int column : columns) {
            if (offsets[column] < to && offsets[column] + widths[column] > from) {
                return true;
            }
        }
        return false;
    }

    /** Whether rows of the other layout look the same. */
    public boolean sameAs(RowLayout other) {
        return size == other.size
                && Arrays.equals(offsets, other.offsets)
                && Arrays.equals(widths, other.widths)
                && Arrays.equals(nullBytes, other.nullBytes)
                && Arrays.equals(nullMasks, other.nullMasks)
                && Arrays.equals(kinds, other.kinds)
                && Arrays.equals(inline, other.inline);
    }

    /** Reads a column that is not a string as the word that stands for it in memory. */
    public long readWord(Memory memory, long row, int column) {
        long at = row + offsets[column];
        return switch (widths[column]) {
            case 1 -> memory.getByte(at);
            case 2 -> memory.getShort(at);
            case 4 -> memory.getInt(at);
            default -> memory.getLong(at);
        };
    }

    /** Writes a column that is not a string. */
    public void writeWord(Memory memory, long row, int column, long value) {
        long at = row + offsets[column];
        switch (widths[column]) {
            case 1 -> memory.putByte(at, (byte) value);
            case 2 -> memory.putShort(at, (short) value);
            case 4 -> memory.putInt(at, (int) value);
            default -> memory.putLong(at, value);
        }
    }

    /** Reads a string column: a reference to its bytes in the row or in the heap. */
    public long readString(Memory memory, long row, int column) {
        long at = row + offsets[column];
        if (!inline[column]) {
            return memory.getLong(at);
        }
        byte length = memory.getByte(at);
        return length == SPILLED ? memory.getLong(at + 1) : Ref.of(at + 1, length);
    }

    /** The reference to the bytes of a string column in the heap, or 0 when the value takes no heap space. */
    public long heapRef(Memory memory, long row, int column) {
        long at = row + offsets[column];
        if (!inline[column]) {
            return memory.getLong(at);
        }
        return memory.getByte(at) == SPILLED ? memory.getLong(at + 1) : 0;
    }

    /** Whether values of this string column can be in the heap: declared too long, or in bytes longer than in characters. */
    public boolean canSpill(int column) {
        return !inline[column] || kinds[column] == SqlType.Kind.VARCHAR;
    }

    /** Whether a value of this length lies in the row. */
    public boolean fitsInline(int column, int length) {
        return inline[column] && length < widths[column];
    }

    /** Writes a value that {@linkplain #fitsInline fits}; the rest of the column becomes zero. */
    public void writeInline(Memory memory, long row, int column, long ref) {
        long at = row + offsets[column];
        int length = Ref.length(ref);
        memory.putByte(at, (byte) length);
        memory.copy(Ref.address(ref), at + 1, length);
        memory.zero(at + 1 + length, widths[column] - 1L - length);
    }

    /** Replaces the reference to bytes in the heap, which the column has, because they lie elsewhere. */
    void moveHeapRef(Memory memory, long row, int column, long ref) {
        memory.putLong(row + offsets[column] + (inline[column] ? 1 : 0), ref);
    }

    /** Writes a reference to bytes in the heap; 0 is the empty string. */
    public void writeHeapRef(Memory memory, long row, int column, long ref) {
        long at = row + offsets[column];
        if (!inline[column]) {
            memory.putLong(at, ref);
            return;
        }
        memory.putByte(at, SPILLED);
        memory.putLong(at + 1, ref);
        memory.zero(at + 1 + Long.BYTES, widths[column] - 1L - Long.BYTES);
    }
}

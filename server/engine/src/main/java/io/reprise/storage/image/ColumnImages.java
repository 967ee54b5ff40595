package io.reprise.storage.image;

import io.reprise.catalog.Column;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.util.function.IntPredicate;

/**
 * Writes and reads the values of a table's columns one by one. For a row, an address will do from which the column's
 * bytes lie as far as they would from a row's: so values can be taken from an undo record's image.
 */
final class ColumnImages {
    private static final byte BOOLEAN = 0;
    private static final byte BYTE = 1;
    private static final byte SHORT = 2;
    private static final byte INT = 3;
    private static final byte LONG = 4;
    private static final byte DOUBLE = 5;
    private static final byte STRING = 6;

    /** A string that may lie in the row, in the same bytes as its image has. */
    private static final byte INLINE = 7;

    /** Writing may reach so far behind the last value: numbers and strings are written in whole words. */
    static final int SLACK = Long.BYTES;

    private static final int BYTES_OF_UTF_8 = 4;
    private static final int MOST_BYTES_OF_LENGTH = 3;

    private final TableStore store;
    private final Memory memory;
    private final RowLayout layout;
    private final byte[] forms;
    private final int[] offsets;
    private final int[] widths;
    private final int[] nullBytes;
    private final int[] nullMasks;

    /** For a string the most bytes that it can have; otherwise the most bytes that its image can have. */
    private final int[] mostBytes;

    ColumnImages(TableStore store, Memory memory) {
        this.store = store;
        this.memory = memory;
        layout = store.layout();
        Table table = store.table();
        int columns = table.columns().size();
        forms = new byte[columns];
        offsets = new int[columns];
        widths = new int[columns];
        nullBytes = new int[columns];
        nullMasks = new int[columns];
        mostBytes = new int[columns];
        for (int i = 0; i < columns; i++) {
            Column column = table.columns().get(i);
            forms[i] = layout.isInline(i) ? INLINE : form(column.type().kind());
            offsets[i] = layout.offset(i);
            widths[i] = layout.width(i);
            nullBytes[i] = layout.nullByte(i);
            nullMasks[i] = layout.nullMask(i);
            mostBytes[i] = mostBytes(column.type());
        }
    }

    private static byte form(SqlType.Kind kind) {
        return switch (kind) {
            case BOOLEAN -> BOOLEAN;
            case TINYINT -> BYTE;
            case SMALLINT -> SHORT;
            case INTEGER, DATE -> INT;
            case BIGINT, DECIMAL, TIMESTAMP, TIME -> LONG;
            case DOUBLE -> DOUBLE;
            case VARCHAR, VARBINARY -> STRING;
        };
    }

    private static int mostBytes(SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN, TINYINT -> 1;
            case SMALLINT -> 3;
            case INTEGER, DATE -> 5;
            case BIGINT, DECIMAL, TIMESTAMP, TIME -> Varint.MOST_BYTES;
            case DOUBLE -> Double.BYTES;
            case VARCHAR -> Math.min(SqlType.MAX_STRING_BYTES, BYTES_OF_UTF_8 * type.precision());
            case VARBINARY -> type.length();
        };
    }

    int count() {
        return forms.length;
    }

    int form(int column) {
        return forms[column];
    }

    int offset(int column) {
        return offsets[column];
    }

    int width(int column) {
        return widths[column];
    }

    int nullByte(int column) {
        return nullBytes[column];
    }

    int nullMask(int column) {
        return nullMasks[column];
    }

    int end(int column) {
        return offsets[column] + widths[column];
    }

    /** Whether all bytes of the column lie in this range of a row's bytes. */
    boolean isWithin(int column, int from, int to) {
        return offsets[column] >= from && end(column) <= to;
    }

    /**
     * Tells whether a row's column differs from an image that contains it. A null bit in front of the image has not
     * changed: a save of a nullable column saves its null bit too.
     */
    boolean isChanged(int column, long row, long image, int from) {
        int nullByte = nullBytes[column];
        if (nullByte >= from) {
            boolean isNull = isNull(row, column);
            if (isNull != isNull(image, column)) {
                return true;
            }
            return !isNull && !sameValue(column, row, image);
        }
        return !isNull(row, column) && !sameValue(column, row, image);
    }

    boolean isNullable(int column) {
        return nullBytes[column] >= 0;
    }

    boolean isString(int column) {
        return forms[column] >= STRING;
    }

    boolean isNull(long row, int column) {
        int nullByte = nullBytes[column];
        return nullByte >= 0 && (memory.getByte(row + nullByte) & nullMasks[column]) != 0;
    }

    /** The most bytes that the image of a value of this column can have, without a string's own bytes. */
    int mostBytes(int column) {
        return isString(column) ? MOST_BYTES_OF_LENGTH : mostBytes[column];
    }

    /** The most bytes that a string of this column can have. */
    int mostStringBytes(int column) {
        return mostBytes[column];
    }

    /** The number of bytes of the string. */
    int stringLength(int column, long row) {
        return Ref.length(layout.readString(memory, row, column));
    }

    /** Whether a column that is not NULL has the same value in both rows. */
    boolean sameValue(int column, long row, long other) {
        if (!isString(column)) {
            long offset = offsets[column];
            return switch (widths[column]) {
                case 1 -> memory.getByte(row + offset) == memory.getByte(other + offset);
                case 2 -> memory.getShort(row + offset) == memory.getShort(other + offset);
                case 4 -> memory.getInt(row + offset) == memory.getInt(other + offset);
                default -> memory.getLong(row + offset) == memory.getLong(other + offset);
            };
        }
        long a = layout.readString(memory, row, column);
        long b = layout.readString(memory, other, column);
        return a == b
                || Ref.length(a) == Ref.length(b) && memory.sameBytes(Ref.address(a), Ref.address(b), Ref.length(a));
    }

    /**
     * Writes a value that is not NULL and returns the address behind it. Up to {@link #SLACK} bytes may be written behind
     * the value too.
     */
    long write(int column, long row, Memory target, long at) {
        long from = row + offsets[column];
        return switch (forms[column]) {
            case BOOLEAN, BYTE -> RowWriter.putByte(memory, from, target, at);
            case SHORT -> RowWriter.putShort(memory, from, target, at);
            case INT -> RowWriter.putInt(memory, from, target, at);
            case LONG -> RowWriter.putLong(memory, from, target, at);
            case DOUBLE -> RowWriter.putDouble(memory, from, target, at);
            case INLINE -> RowWriter.putInline(memory, from, target, at);
            default -> RowWriter.putHeap(memory, from, target, at);
        };
    }

    /** The method of {@link RowWriter} that writes values of the column. */
    String writerMethod(int column) {
        return switch (forms[column]) {
            case BOOLEAN, BYTE -> "putByte";
            case SHORT -> "putShort";
            case INT -> "putInt";
            case LONG -> "putLong";
            case DOUBLE -> "putDouble";
            case INLINE -> "putInline";
            default -> "putHeap";
        };
    }

    /** The method of {@link ColumnComparison} for the column. */
    String comparingMethod(int column) {
        return switch (forms[column]) {
            case BOOLEAN, BYTE -> "byteDiffers";
            case SHORT -> "shortDiffers";
            case INT -> "intDiffers";
            case LONG, DOUBLE -> "longDiffers";
            case INLINE -> "inlineDiffers";
            default -> "heapDiffers";
        };
    }

    /** The method of {@link RowReader} that reads values of the column, which is no string. */
    String readerMethod(int column) {
        return switch (forms[column]) {
            case BOOLEAN -> "readBoolean";
            case BYTE -> "readByte";
            case SHORT -> "readShort";
            case INT -> "readInt";
            case LONG -> "readLong";
            case DOUBLE -> "readDouble";
            default -> throw new IllegalArgumentException("column " + column + " is a string");
        };
    }

    /** Reads a value as its word: a string as a reference to its bytes, where they lie. */
    long read(int column, ImageCursor in) {
        return switch (forms[column]) {
            case BOOLEAN -> within(0, 1, in.signedByte(), in, column);
            case BYTE -> in.signedByte();
            case SHORT -> within(Short.MIN_VALUE, Short.MAX_VALUE, in.signedVarint(), in, column);
            case INT -> within(Integer.MIN_VALUE, Integer.MAX_VALUE, in.signedVarint(), in, column);
            case LONG -> in.signedVarint();
            case DOUBLE -> in.eightBytes();
            default -> in.bytes(mostBytes[column]);
        };
    }

    private long within(int least, int most, long value, ImageCursor in, int column) {
        return value >= least && value <= most ? value : outOfRange(in, column, value);
    }

    private long outOfRange(ImageCursor in, int column, long value) {
        throw in.damaged("column "
                + store.table().name() + "."
                + store.table().columns().get(column).name() + " is "
                + store.table().columns().get(column).type() + " and can't be " + value);
    }

    /** Reads a value into a column of an allocated row, which is zero. */
    void readIntoNew(long row, int column, ImageCursor in) {
        long value = read(column, in);
        if (isString(column)) {
            int length = Ref.length(value);
            if (forms[column] == INLINE && length < widths[column]) {
                long to = row + offsets[column];
                memory.putByte(to, (byte) length);
                memory.copy(Ref.address(value), to + 1, length);
            } else {
                store.writeString(row, column, value);
            }
            return;
        }
        put(row, column, value);
    }

    /** Whether a value's image is one byte. */
    boolean isByte(int column) {
        return forms[column] <= BYTE;
    }

    /** The method of {@link KeyReader} that says whether a number can be a value of the column; or null if any can. */
    String numberTest(int column) {
        return switch (forms[column]) {
            case BOOLEAN -> "isBoolean";
            case BYTE -> null;
            case SHORT -> "isShort";
            case INT -> "isInt";
            case LONG -> "isLong";
            default -> throw new IllegalArgumentException("column " + column + " is no whole number");
        };
    }

    /** The nullable columns among the first 64: bit i stands for column i. */
    long nullable() {
        return columnsWith(this::isNullable);
    }

    /** The string columns among the first 64. */
    long strings() {
        return columnsWith(this::isString);
    }

    private long columnsWith(IntPredicate property) {
        long set = 0;
        for (int column = 0; column < Math.min(count(), Long.SIZE); column++) {
            set |= property.test(column) ? 1L << column : 0;
        }
        return set;
    }

    /** Whether each string column's values can lie in the row. */
    boolean alwaysInRow() {
        for (byte form : forms) {
            if (form == STRING) {
                return false;
            }
        }
        return true;
    }

    /** Reads a value into a row that is zero there, in another memory. Returns false for a string that does not fit into it. */
    boolean unpack(int column, ImageCursor in, Memory target, long row) {
        long to = row + offsets[column];
        switch (forms[column]) {
            case BOOLEAN -> target.putByte(to, (byte) within(0, 1, in.signedByte(), in, column));
            case BYTE -> target.putByte(to, in.signedByte());
            case SHORT ->
                target.putShort(to, (short) within(Short.MIN_VALUE, Short.MAX_VALUE, in.signedVarint(), in, column));
            case INT ->
                target.putInt(to, (int) within(Integer.MIN_VALUE, Integer.MAX_VALUE, in.signedVarint(), in, column));
            case LONG -> target.putLong(to, in.signedVarint());
            case DOUBLE -> target.putLong(to, in.eightBytes());
            default -> {
                long value = in.bytes(mostBytes[column]);
                int length = Ref.length(value);
                if (length >= widths[column]) {
                    return false;
                }
                target.putByte(to, (byte) length);
                target.copyFrom(in.memory(), Ref.address(value), to + 1, length);
            }
        }
        return true;
    }

    /** Reads a value into a column of a row that is being rewritten. */
    void readInto(long row, int column, ImageCursor in) {
        long value = read(column, in);
        if (isString(column)) {
            store.writeString(row, column, value);
        } else {
            put(row, column, value);
        }
    }

    private void put(long row, int column, long value) {
        long to = row + offsets[column];
        switch (widths[column]) {
            case 1 -> memory.putByte(to, (byte) value);
            case 2 -> memory.putShort(to, (short) value);
            case 4 -> memory.putInt(to, (int) value);
            default -> memory.putLong(to, value);
        }
    }

    /** Sets a column of a row that is being rewritten to NULL. */
    void setNull(long row, int column) {
        if (isString(column)) {
            store.writeString(row, column, 0);
        } else {
            layout.writeWord(memory, row, column, 0);
        }
        layout.setNull(memory, row, column);
    }

    /** Takes the NULL from a column of a row that is being rewritten. */
    void clearNull(long row, int column) {
        long at = row + nullBytes[column];
        memory.putByte(at, (byte) (memory.getByte(at) & ~nullMasks[column]));
    }

    /** Passes over a value. */
    void skip(int column, ImageCursor in) {
        read(column, in);
    }
}

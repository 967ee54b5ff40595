package io.reprise.sql.compile.runtime;

import io.reprise.catalog.ArrayText;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.ProcedureLimitErrors;
import io.reprise.storage.row.Ref;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Rows as words in one growable array: a statement's result, and what operators set aside (sort, materialise). Generated
 * code appends a row by {@link #append} and writes its words itself; everyone else reads through {@link Rows}.
 *
 * <pre>
 *   words:  | null bits | column 0 | column 1 | ... | null bits | column 0 | ...
 *             ^ at (current row)                      ^ at + stride            ^ end
 * </pre>
 *
 * <p>A string's word is a {@link Ref} into {@code segment}: the partition's memory, or, for a {@link HeapRows} copy that
 * outlives the transaction, a byte array. Strings of results never point into a table's row, because a later update would
 * change them; generated code copies those to scratch.
 *
 * <p>Memory is kept from one execution to the next, up to {@link #RETAINED_WORDS}; it grows within the partition's {@link
 * WorkMemory}.
 */
public class RowBuffer extends Rows implements WorkMemory.Holder {
    private static final int INITIAL_WORDS = 64;
    private static final int RETAINED_WORDS = 1 << 16;

    /** The least bytes of a row in a reply without its values, and of each value. */
    private static final int ENCODED_ROW = 2;

    private static final int ENCODED_VALUE = 2;
    private static final Text[] NO_TEXTS = {};

    /** The rows; grows, so it must be read again after each {@link #append}. */
    public long[] words = new long[INITIAL_WORDS];

    /** The index of the next row's first word. */
    public int end;

    MemorySegment segment;

    /** Pays for growth. */
    WorkMemory work;

    /** The partition's memory where the segment is that, or null. */
    private final Memory memory;

    /** The array where the segment is one, or null. */
    private byte[] heap;

    RowShape shape;
    private int stride;
    private int nullWords;
    private int at;

    /** Whether this is what a statement that is a transaction of its own returns. */
    private boolean result;

    private Text[] texts = NO_TEXTS;

    /** An empty buffer whose strings lie in the partition's memory. */
    public RowBuffer(RowShape shape, PartitionStore store) {
        memory = store.memory();
        segment = memory.segment();
        work = store.workMemory();
        become(shape);
    }

    /** An empty buffer whose strings lie in an array. */
    public RowBuffer(RowShape shape, byte[] heap) {
        memory = null;
        work = new WorkMemory(ProcedureLimitErrors.INSTANCE);
        stringsIn(heap);
        become(shape);
    }

    /** Strings lie in another array from now on. */
    final void stringsIn(byte[] newHeap) {
        heap = newHeap;
        segment = MemorySegment.ofArray(newHeap);
    }

    /** Empties this buffer and gives it other columns. */
    final void become(RowShape newShape) {
        shaped(newShape);
        clear();
    }

    private void shaped(RowShape newShape) {
        if (shape != newShape) {
            shape = newShape;
            stride = newShape.stride;
            nullWords = newShape.nullWords;
            texts = NO_TEXTS;
        }
    }

    /** Rows of this shape have been written to the words up to an index; the cursor is before the first. */
    final void filled(RowShape newShape, int newEnd) {
        shaped(newShape);
        end = newEnd;
        at = -stride;
    }

    /** Empties the buffer. */
    public final void clear() {
        end = 0;
        at = -stride;
        if (words.length > RETAINED_WORDS) {
            work.giveBack((words.length - INITIAL_WORDS) * (long) Long.BYTES);
            words = new long[INITIAL_WORDS];
        }
    }

    @Override
    public final void letGo() {
        clear();
    }

    /** Makes the rows a result for the client, which has a limit of its own. */
    public final void becomeResult() {
        result = true;
    }

    /** Makes room for a row. Returns the index of its first word; its null bits are the caller's to write. */
    public final int append() {
        int row = end;
        int next = row + stride;
        if (next - words.length > 0) {
            grow(Integer.toUnsignedLong(next));
        }
        end = next;
        return row;
    }

    /** Makes a single row with a single value the content: the count of a write. */
    public final void setSingle(long value) {
        clear();
        int row = append();
        words[row] = 0;
        words[row + 1] = value;
    }

    /** Takes the last row back. */
    public final void removeLast() {
        end -= stride;
    }

    private void grow(long needed) {
        if (result) {
            work.checkResult(count(), ENCODED_ROW + ENCODED_VALUE * (long) shape.columns);
        }
        words = Arrays.copyOf(words, longer(needed));
    }

    /** The new length of the words, so that the needed ones find room. Throws MEMORY_LIMIT. */
    final int longer(long needed) {
        int length = work.grow(words.length, needed, Long.BYTES);
        if (memory != null && words.length <= RETAINED_WORDS && length > RETAINED_WORDS) {
            work.letGoAfterwards(this);
        }
        return length;
    }

    /** The columns. */
    public final RowShape shape() {
        return shape;
    }

    /** The words of a row. */
    public final int stride() {
        return stride;
    }

    @Override
    public final int count() {
        return end / stride;
    }

    @Override
    public final boolean next() {
        int next = at + stride;
        if (next < end) {
            at = next;
            return true;
        }
        at = end;
        return false;
    }

    @Override
    public final void rewind() {
        at = -stride;
    }

    @Override
    public final int columns() {
        return shape.columns;
    }

    @Override
    public final String columnName(int column) {
        return shape.names[checkColumn(column)];
    }

    /** A column's type. */
    public final SqlType sqlType(int column) {
        return shape.types[checkColumn(column)];
    }

    @Override
    public final boolean isNull(int column) {
        checkRow();
        checkColumn(column);
        return nullBit(column);
    }

    private boolean nullBit(int column) {
        return (words[at + (column >>> 6)] >>> column & 1) != 0;
    }

    /**
     * Whether the column of the current row is one of those in the mask, and not NULL: then its word can be taken as it
     * is. Everything else, mistakes included, goes a slower way.
     */
    private boolean isOneOf(long mask, int column) {
        int row = at;
        return row >= 0 && row < end && (column & -Long.SIZE) == 0 && ((mask & ~words[row]) >>> column & 1) != 0;
    }

    @Override
    public final long longAt(int column) {
        return isOneOf(shape.plain, column) ? word(column) : longAtSlow(column);
    }

    private long longAtSlow(int column) {
        long word = notNull(column);
        SqlType type = shape.types[column];
        if (type.isWide()) {
            return inLong(column, wide(type, word).setScale(0, RoundingMode.DOWN));
        }
        return switch (type.kind()) {
            case DECIMAL -> type.scale() == 0 ? word : word / Decimals.POWERS[type.scale()];
            case DOUBLE, VARCHAR, VARBINARY -> throw mismatch(column, "an integer");
            default -> word;
        };
    }

    @Override
    public final double doubleAt(int column) {
        return isOneOf(shape.doubles, column) ? Double.longBitsToDouble(word(column)) : doubleAtSlow(column);
    }

    /** A whole number as a long, if it is one. */
    private long inLong(int column, BigDecimal value) {
        if (value.unscaledValue().bitLength() >= Long.SIZE) {
            throw Errors.overflow("column " + shape.names[column] + " is " + value.toPlainString()
                    + ", which a long can't hold: read it with decimalAt");
        }
        return value.unscaledValue().longValue();
    }

    private BigDecimal wide(SqlType type, long ref) {
        return DecimalBytes.number(type, copyBytes(ref));
    }

    private double doubleAtSlow(int column) {
        long word = notNull(column);
        SqlType type = shape.types[column];
        if (type.isWide()) {
            return wide(type, word).doubleValue();
        }
        return switch (type.kind()) {
            case DOUBLE -> Double.longBitsToDouble(word);
            case DECIMAL -> Decimals.toDouble(word, type.scale());
            case TINYINT, SMALLINT, INTEGER, BIGINT -> (double) word;
            default -> throw mismatch(column, "a number");
        };
    }

    @Override
    public final long unscaledAt(int column) {
        return isOneOf(shape.decimals, column) ? word(column) : unscaledAtSlow(column);
    }

    private long unscaledAtSlow(int column) {
        long word = notNull(column);
        if (shape.types[column].isWide()) {
            return inLong(column, wide(shape.types[column], word));
        }
        if (shape.types[column].kind() != SqlType.Kind.DECIMAL) {
            throw mismatch(column, "a DECIMAL");
        }
        return word;
    }

    @Override
    public final BigDecimal decimalAt(int column) {
        long word = notNull(column);
        SqlType type = shape.types[column];
        if (type.isWide()) {
            return wide(type, word);
        }
        return switch (type.kind()) {
            case DECIMAL, TINYINT, SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(word, type.scale());
            default -> throw mismatch(column, "a DECIMAL or integer");
        };
    }

    @Override
    public final String stringAt(int column) {
        if (isNull(column)) {
            return null;
        }
        if (shape.types[column].isArray()) {
            return ArrayText.of(shape.types[column], copyBytes(word(column)));
        }
        if (shape.types[column].kind() != SqlType.Kind.VARCHAR) {
            throw mismatch(column, "a VARCHAR");
        }
        return new String(copyBytes(word(column)), StandardCharsets.UTF_8);
    }

    @Override
    public final byte[] bytesAt(int column) {
        if (isNull(column)) {
            return null;
        }
        checkString(column);
        return copyBytes(word(column));
    }

    @Override
    public final Text textAt(int column) {
        if (!isOneOf(shape.strings, column)) {
            if (isNull(column)) {
                return null;
            }
            checkString(column);
        }
        return bytesOf(column);
    }

    /** The bytes of the current row's value that is held as bytes and not NULL: a string, or a DECIMAL of more than 18 digits. */
    final Text bytesOf(int column) {
        long ref = word(column);
        return text(column).wrap(segment, Ref.address(ref), Ref.length(ref));
    }

    /** The array that holds all strings, so that they can be read without being copied; null: they are in the partition's memory. */
    public final byte[] stringArray() {
        return heap;
    }

    /**
     * The beginning of the bytes of the current row's string in a column, in {@link #stringArray}. It must be one,
     * and not NULL.
     */
    public final int stringStart(int column) {
        return (int) Ref.address(word(column));
    }

    /** The number of bytes of that string. */
    public final int stringLength(int column) {
        return Ref.length(word(column));
    }

    /** The raw word of a column of the current row. */
    final long word(int column) {
        return words[at + nullWords + column];
    }

    private Text text(int column) {
        if (texts.length == 0) {
            texts = new Text[shape.columns];
        }
        Text text = texts[column];
        if (text == null) {
            text = new Text();
            texts[column] = text;
        }
        return text;
    }

    private byte[] copyBytes(long ref) {
        byte[] bytes = new byte[Ref.length(ref)];
        copyString(ref, bytes, 0);
        return bytes;
    }

    /** Copies a string's bytes to an array. */
    final void copyString(long ref, byte[] to, int at) {
        if (heap != null) {
            System.arraycopy(heap, (int) Ref.address(ref), to, at, Ref.length(ref));
        } else {
            Utf8.copyOut(memory, ref, to, at);
        }
    }

    @Override
    public final String columnType(int column) {
        return sqlType(column).toString();
    }

    @Override
    public final Object valueAt(int column) {
        checkRow();
        if (isNull(column)) {
            return null;
        }
        if (sqlType(column).isWide()) {
            return decimalAt(column);
        }
        return switch (sqlType(column).kind()) {
            case BOOLEAN -> booleanAt(column);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> longAt(column);
            case DOUBLE -> doubleAt(column);
            case DECIMAL -> decimalAt(column);
            case VARCHAR -> stringAt(column);
            case VARBINARY -> sqlType(column).isArray() ? stringAt(column) : bytesAt(column);
            case TIMESTAMP -> instantAt(column);
            case DATE -> dateAt(column);
            case TIME -> timeAt(column);
        };
    }

    /** The columns' names and the first rows, for people. The cursor stays where it is. */
    @Override
    public final String toString() {
        int before = at;
        try {
            return RowsText.of(this);
        } finally {
            at = before;
        }
    }

    private long notNull(int column) {
        checkRow();
        checkColumn(column);
        if (nullBit(column)) {
            throw Errors.invalid(
                    "column " + shape.names[column] + " is NULL: ask isNull before reading it as a number");
        }
        return word(column);
    }

    private void checkRow() {
        if (at < 0 || at >= end) {
            throw Errors.invalid("no current row: call next(), and read only while it gives true");
        }
    }

    private int checkColumn(int column) {
        if (column < 0 || column >= shape.columns) {
            throw Errors.invalid("no column " + column + ": the result has " + shape.columns + ", numbered from 0");
        }
        return column;
    }

    private void checkString(int column) {
        if (!shape.types[column].kind().isString() || shape.types[column].isWide()) {
            throw mismatch(column, "a VARCHAR or VARBINARY");
        }
    }

    private RuntimeException mismatch(int column, String wanted) {
        return Errors.invalid("column " + shape.names[column] + " is " + shape.types[column] + ", not " + wanted);
    }
}

package io.reprise.sql.compile.runtime;

import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.row.Ref;
import java.util.Arrays;

/**
 * A copy of a result on the Java heap, which outlives the transaction and the partition's memory; replies are made of
 * it. Reused: {@link #copyOf} empties it first and allocates only to grow, within the work memory of the rows it
 * copies.
 */
public final class HeapRows extends RowBuffer {
    private static final int RETAINED_BYTES = 1 << 18;

    private final WorkMemory own = work;
    private byte[] bytes;
    private int used;

    /** An empty copy. */
    public HeapRows() {
        this(RowShape.of(java.util.List.of()), new byte[256]);
    }

    private HeapRows(RowShape shape, byte[] bytes) {
        super(shape, bytes);
        this.bytes = bytes;
    }

    /** Replaces the content with that of the given rows, whose cursor stays where it is. Returns this. */
    public HeapRows copyOf(RowBuffer source) {
        empty();
        become(source.shape);
        WorkMemory before = work;
        work = source.work;
        try {
            if (words.length < source.end) {
                words = new long[longer(source.end)];
            }
            System.arraycopy(source.words, 0, words, 0, source.end);
            end = source.end;
            for (int column = 0; column < shape.columns; column++) {
                if (shape.types[column].kind().isString()) {
                    copyStrings(source, column);
                }
            }
        } finally {
            work = before;
        }
        return this;
    }

    /** From now on growing is charged to this. */
    public void chargeTo(WorkMemory account) {
        work = account;
    }

    /** Ends the charging of growth to a transaction's work memory. */
    public void stopCharging() {
        work = own;
    }

    /** Makes room for words up to an index. The caller writes them. */
    public void reserveWords(long to) {
        if (to > words.length) {
            words = Arrays.copyOf(words, longer(to));
        }
    }

    /** Empties the rows. The caller then writes {@link #words} itself, and reports the count at the end. */
    public void empty() {
        if (bytes.length > RETAINED_BYTES) {
            work.giveBack(bytes.length - 256);
            replaceBytes(new byte[256]);
        }
        used = 0;
        clear();
    }

    /** Keeps a string, of which the result is the word for a row. */
    public long keep(Text text) {
        int length = text.length();
        reserve(length);
        text.copyTo(0, bytes, used, length);
        return taken(length);
    }

    /** The same for a string's bytes. */
    public long keep(byte[] string) {
        return keep(string, 0, string.length);
    }

    /** The same for a string's bytes within others. */
    long keep(byte[] from, int start, int length) {
        reserve(length);
        System.arraycopy(from, start, bytes, used, length);
        return taken(length);
    }

    /** All words before an index have been written, as rows of this shape. */
    public void complete(RowShape newShape, int wordCount) {
        filled(newShape, wordCount);
    }

    private void copyStrings(RowBuffer source, int column) {
        int nullWord = column >>> 6;
        int value = shape.nullWords + column;
        for (int row = 0; row < end; row += shape.stride) {
            if ((words[row + nullWord] >>> column & 1) == 0) {
                long ref = words[row + value];
                int length = Ref.length(ref);
                reserve(length);
                source.copyString(ref, bytes, used);
                words[row + value] = taken(length);
            }
        }
    }

    private void reserve(int length) {
        if (length > bytes.length - used) {
            replaceBytes(Arrays.copyOf(bytes, work.grow(bytes.length, (long) used + length, 1)));
        }
    }

    private long taken(int length) {
        long ref = Ref.of(used, length);
        used += length;
        return ref;
    }

    private void replaceBytes(byte[] newBytes) {
        bytes = newBytes;
        stringsIn(newBytes);
    }

    /** Empties this and gives it other columns, to be filled by {@link #add}. */
    public void start(RowShape newShape) {
        used = 0;
        become(newShape);
    }

    /** Appends the current row of other rows, whose columns must have the same types. */
    public void add(Rows row) {
        int to = append();
        Arrays.fill(words, to, to + shape.nullWords, 0);
        for (int column = 0; column < shape.columns; column++) {
            int value = to + shape.nullWords + column;
            words[value] = 0;
            if (row.isNull(column)) {
                words[to + (column >>> 6)] |= 1L << column;
            } else if (shape.types[column].kind().isString()) {
                words[value] = keep(RowCopier.bytes(row, column));
            } else {
                words[value] = RowCopier.word(row, column, shape.types[column]);
            }
        }
    }
}

package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;

/** Copies rows from elsewhere (another partition, the heap) into a buffer over this partition's memory. */
public final class RowCopier {
    /** Rows between two checks of the time limit, a power of two. */
    private static final int ROWS_PER_CHECK = 1024;

    private RowCopier() {}

    /** Appends all rows of the source, which is rewound before and after; strings are copied to scratch. */
    public static void appendAll(Rows source, RowBuffer target, PartitionStore store) {
        if (source.columns() != target.columns()) {
            throw new IllegalArgumentException(
                    "fragment has " + source.columns() + " columns, expected " + target.columns());
        }
        source.rewind();
        for (int rows = 0; source.next(); rows++) {
            if ((rows & ROWS_PER_CHECK - 1) == 0) {
                LoopGuard.check();
            }
            append(source, target, store);
        }
        source.rewind();
    }

    private static void append(Rows source, RowBuffer target, PartitionStore store) {
        RowShape shape = target.shape;
        int row = target.append();
        long[] words = target.words;
        java.util.Arrays.fill(words, row, row + shape.nullWords, 0);
        for (int column = 0; column < shape.columns; column++) {
            int at = row + shape.nullWords + column;
            words[at] = 0;
            if (source.isNull(column)) {
                words[row + (column >>> 6)] |= 1L << column;
            } else {
                words[at] = shape.types[column].kind().isString()
                        ? copyString(bytes(source, column), store)
                        : word(source, column, shape.types[column]);
            }
        }
    }

    /** The bytes of a value that is held as bytes and is not NULL. */
    static Text bytes(Rows source, int column) {
        return source instanceof RowBuffer buffer ? buffer.bytesOf(column) : source.textAt(column);
    }

    static long word(Rows source, int column, SqlType type) {
        return switch (type.kind()) {
            case DOUBLE -> Double.doubleToRawLongBits(source.doubleAt(column));
            case DECIMAL -> source.unscaledAt(column);
            default -> source.longAt(column);
        };
    }

    /** Copies a text's bytes to scratch, or (what it points at does not change while the transaction lasts) refers to them where they lie in this partition's memory already. */
    @SuppressWarnings("MemorySegmentReferenceEquality") // the one segment of this partition, not one that is like it
    public static long copyString(Text text, PartitionStore store) {
        int length = text.length();
        if (text.segment() == store.memory().segment()) {
            return Ref.of(text.offset(), length);
        }
        long address = store.scratch(length);
        store.memory().copyIn(text.segment(), text.offset(), address, length);
        return Ref.of(address, length);
    }
}

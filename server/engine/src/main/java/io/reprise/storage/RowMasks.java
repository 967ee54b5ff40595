package io.reprise.storage;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;
import java.util.stream.IntStream;

/**
 * The pieces of a table's rows as bits of a mask, for footprints: bit 63 is the row's existence, a {@link RowPieces piece} has the bit of its
 * number. Pieces from number 62 on share bit 62.
 *
 * <p>A piece may hold several columns. The unit is the same as that of the write hash, so that a row whose pieces are right hashes right.
 */
public final class RowMasks {
    /** The row exists. */
    public static final long EXISTS = 1L << 63;

    /** Everything of a row. */
    public static final long ALL = -1;

    private static final int LAST = 62;

    private final RowLayout layout;
    private final RowPieces pieces;
    private final Memory memory;
    private final long indexed;
    private final long shared;

    /** String columns that may be in the heap; they have no piece. */
    private final int[] spillable;

    /** The masks of a table's rows in a memory, which only {@link #changed} needs. */
    RowMasks(Table table, RowLayout layout, Memory memory) {
        this.layout = layout;
        this.memory = memory;
        pieces = new RowPieces(memory, layout);
        spillable = IntStream.range(0, layout.stringColumns())
                .map(layout::stringColumn)
                .filter(layout::canSpill)
                .toArray();
        long mask = EXISTS;
        for (Index index : table.indexes()) {
            for (int column : index.columns()) {
                mask |= column(column);
            }
        }
        indexed = mask;
        shared = sharedPieces();
    }

    private long sharedPieces() {
        long seen = 0;
        long several = 1L << LAST;
        for (int column = 0; column < layout.columns(); column++) {
            int offset = layout.offset(column);
            long own = range(offset, offset + layout.width(column));
            several |= seen & own;
            seen |= own;
            int nullByte = layout.nullByte(column);
            several |= nullByte < 0 ? 0 : range(nullByte, nullByte + 1);
        }
        return several;
    }

    /** The masks of a table's rows. */
    public static RowMasks of(Table table) {
        return new RowMasks(table, RowLayout.of(table), null);
    }

    /**
     * Existence and all indexed columns. A search through any index finds the row by them, or must not find it, so each element of a
     * footprint has them.
     */
    public long indexed() {
        return indexed;
    }

    /** The pieces that may belong to several columns, so that a change of one column does not give them whole. */
    long shared() {
        return shared;
    }

    /** The pieces of a column, with its null bit. */
    public long column(int column) {
        int offset = layout.offset(column);
        long mask = range(offset, offset + layout.width(column));
        int nullByte = layout.nullByte(column);
        return nullByte < 0 ? mask : mask | range(nullByte, nullByte + 1);
    }

    /** The pieces that have bytes in a range of a row. */
    public long range(int from, int to) {
        long mask = 0;
        for (int piece = pieces.at(from); piece < pieces.count() && pieces.offset(piece) < to; piece++) {
            mask |= 1L << Math.min(piece, LAST);
        }
        for (int column : spillable) {
            int offset = layout.offset(column);
            if (offset < to && offset + layout.width(column) > from) {
                mask |= 1L << LAST;
            }
        }
        return mask;
    }

    /**
     * The pieces that an update has changed.
     *
     * @param from offset of the first byte that may have changed
     * @param length the number of bytes that may have
     * @param image their former content
     */
    long changed(long row, int from, int length, long image) {
        long mask = 0;
        long before = image - from;
        int to = from + length;
        for (int piece = pieces.at(from); piece < pieces.count() && pieces.offset(piece) < to; piece++) {
            if (((pieces.read(row, piece) ^ pieces.read(before, piece)) & pieces.within(piece, from, to)) != 0) {
                mask |= 1L << Math.min(piece, LAST);
            }
        }
        for (int column : spillable) {
            int offset = layout.offset(column);
            int width = layout.width(column);
            if (offset >= from && offset + width <= to && !memory.sameBytes(row + offset, before + offset, width)) {
                mask |= 1L << LAST;
            }
        }
        return mask;
    }
}

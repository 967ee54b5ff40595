package io.reprise.storage;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The bytes of a row as words: its null bits, then its columns as they lie, without strings that may be in the heap. A piece has at most
 * eight bytes, and as many columns as fit into them whole; a longer column has pieces of its own.
 *
 * <p>No piece has a part of a column of eight bytes, because a processor that loads parts of what it has just stored waits until that is in the cache.
 */
final class RowPieces {
    private final Memory memory;
    private final int[] offsets;
    private final int[] lengths;

    /** For each offset in a row, the first piece that ends behind it. */
    private final int[] firstBehind;

    private int count;

    RowPieces(Memory memory, RowLayout layout) {
        this.memory = memory;
        offsets = new int[layout.size()];
        lengths = new int[layout.size()];
        int[] columns = IntStream.range(0, layout.columns())
                .boxed()
                .sorted(Comparator.comparingInt(layout::offset))
                .mapToInt(Integer::intValue)
                .toArray();
        addOwn(RowLayout.HEADER, layout.offset(columns[0]) - RowLayout.HEADER);
        int free = 0;
        for (int column : columns) {
            int width = layout.width(column);
            if (layout.kind(column).isString() && layout.canSpill(column)) {
                free = 0;
            } else if (width <= free) {
                lengths[count - 1] += width;
                free -= width;
            } else {
                addOwn(layout.offset(column), width);
                free = Long.BYTES - width;
            }
        }
        firstBehind = new int[layout.size()];
        int piece = 0;
        for (int at = 0; at < firstBehind.length; at++) {
            while (piece < count && offsets[piece] + lengths[piece] <= at) {
                piece++;
            }
            firstBehind[at] = piece;
        }
    }

    private void addOwn(int offset, int bytes) {
        for (int at = 0; at < bytes; at += Long.BYTES) {
            offsets[count] = offset + at;
            lengths[count] = Math.min(Long.BYTES, bytes - at);
            count++;
        }
    }

    int count() {
        return count;
    }

    /** The offset of a piece. */
    int offset(int piece) {
        return offsets[piece];
    }

    /** The first piece that ends behind an offset. */
    int at(int offset) {
        return firstBehind[offset];
    }

    /** Reads a piece of a row. The row's header lies before it, so that eight bytes can always be read. */
    long read(long row, int piece) {
        int length = lengths[piece];
        return memory.getLong(row + offsets[piece] + length - Long.BYTES) >>> (Long.BYTES - length) * Byte.SIZE;
    }

    /** The bits of the piece that are in a range of a row's bytes. */
    long within(int piece, int from, int to) {
        int before = Math.max(0, from - offsets[piece]);
        int behind = Math.max(0, offsets[piece] + Long.BYTES - to);
        return (-1L << before * Byte.SIZE) & (-1L >>> behind * Byte.SIZE);
    }
}

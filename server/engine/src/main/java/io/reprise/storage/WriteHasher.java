package io.reprise.storage;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Hashes the changes of a transaction to rows of one table: places in rows and their content, never addresses, so
 * that two copies of a table that lie differently in memory hash alike.
 *
 * <p>The hash is a sum over places of rows. Each write adds a hash of table, row id, place and new content, and
 * subtracts the same of the old content. So of several writes to one place only its states before and after the
 * transaction are left, and an order of them that ends in another state has another sum; writes to different rows
 * commute. The number of bytes that an update covers does not matter, as those that it leaves alone cancel out.
 * Places are:
 *
 * <pre>
 *  0                  the row's header: 1, while the row is there
 *  offset             a {@link RowPieces piece} of the row
 *  -1 - column        a string that may be in the heap, by its bytes
 * </pre>
 *
 * <p>A deletion changes place 0 only: the id does not come again, so the rest of the row need not be read. A
 * truncation does the same for the rows that the transaction has inserted itself, and hashes the number of all
 * others.
 */
final class WriteHasher {
    /** Two values with no other use: the seed of tables' hashes, and the place of all rows of a table. */
    private static final long TABLES = 0xA0761D6478BD642FL;

    private static final long ALL_ROWS = 0xE7037ED1A0B428DBL;

    private static final int THERE = 0;

    private final Memory memory;
    private final RowLayout layout;
    private final RowPieces pieces;

    /** The seed of the hashes of rows. */
    private final long table;

    private final long eachTruncated;

    /** String columns that may be in the heap, as they lie in a row. */
    private final int[] spillable;

    /** The offset of the first of them. */
    private final int firstSpillable;

    WriteHasher(Memory memory, RowLayout layout, int tableId) {
        this.memory = memory;
        this.layout = layout;
        pieces = new RowPieces(memory, layout);
        table = Buckets.mix(TABLES, tableId);
        eachTruncated = Buckets.mix(table, ALL_ROWS);
        spillable = IntStream.range(0, layout.stringColumns())
                .map(layout::stringColumn)
                .filter(layout::canSpill)
                .boxed()
                .sorted(Comparator.comparingInt(layout::offset))
                .mapToInt(Integer::intValue)
                .toArray();
        firstSpillable = spillable.length == 0 ? layout.size() : layout.offset(spillable[0]);
    }

    long inserted(long row) {
        long seed = seed(row);
        long hash = term(seed, THERE, 1);
        for (int piece = 0; piece < pieces.count(); piece++) {
            hash += term(seed, pieces.offset(piece), pieces.read(row, piece));
        }
        for (int column : spillable) {
            hash += string(seed, row, column);
        }
        return hash;
    }

    /**
     * An update of whole columns.
     *
     * @param from offset of the first byte that may have changed
     * @param length the number of bytes that may have
     * @param image their former content
     */
    long updated(long row, int from, int length, long image) {
        long seed = seed(row);
        long before = image - from;
        int to = from + length;
        long hash = 0;
        for (int piece = pieces.at(from); piece < pieces.count() && pieces.offset(piece) < to; piece++) {
            long now = pieces.read(row, piece);
            // At either end this reads beyond the image, in the undo log; of that the mask leaves nothing.
            long changed = (now ^ pieces.read(before, piece)) & pieces.within(piece, from, to);
            if (changed != 0) {
                hash += term(seed, pieces.offset(piece), now) - term(seed, pieces.offset(piece), now ^ changed);
            }
        }
        return to > firstSpillable ? hash + strings(seed, row, before, from, to) : hash;
    }

    private long strings(long seed, long row, long before, int from, int to) {
        long hash = 0;
        for (int column : spillable) {
            int offset = layout.offset(column);
            if (offset >= from
                    && offset + layout.width(column) <= to
                    && !memory.sameBytes(row + offset, before + offset, layout.width(column))) {
                hash += string(seed, row, column) - string(seed, before, column);
            }
        }
        return hash;
    }

    long deleted(long row) {
        return -term(seed(row), THERE, 1);
    }

    /**
     * So many rows were there before the transaction and are gone, whichever they are. Proportional to the count, so that the sum over all partitions
     * does not depend on where they were.
     */
    long truncated(long count) {
        return eachTruncated * count;
    }

    private long seed(long row) {
        return Buckets.mix(table, memory.getLong(row) & RowLayout.ROW_ID_MASK);
    }

    /** Mixed twice, because once is so close to linear that differences of two rows could cancel out. */
    private static long term(long seed, int place, long word) {
        return Buckets.mix(Buckets.mix(seed, word), place);
    }

    private long string(long seed, long row, int column) {
        long ref = layout.readString(memory, row, column);
        return term(seed, -1 - column, memory.hash(Ref.address(ref), Ref.length(ref)));
    }

    /** The hash of a row's values alone. */
    long content(long row) {
        long hash = 0;
        for (int column = 0; column < layout.columns(); column++) {
            if (layout.isNull(memory, row, column)) {
                hash = Buckets.mix(hash, 1);
                continue;
            }
            long word;
            if (layout.kind(column).isString()) {
                long ref = layout.readString(memory, row, column);
                word = memory.hash(Ref.address(ref), Ref.length(ref));
            } else {
                word = layout.readWord(memory, row, column);
            }
            hash = Buckets.mix(Buckets.mix(hash, 2), word);
        }
        return Buckets.mix(hash, layout.columns());
    }
}

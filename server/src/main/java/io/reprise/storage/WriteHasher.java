package io.reprise.storage;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;

/**
 * Hashes what was written to rows of one table: values and row ids, never addresses, so that two copies of a table that
 * lie differently in memory hash alike.
 *
 * <p>The bytes of a row are hashed as they are where no string can be in the heap; otherwise string columns are hashed by
 * their content and what lies between them as it is.
 */
final class WriteHasher {
    private static final long INSERT = 1;
    private static final long UPDATE = 2;
    private static final long DELETE = 3;
    private static final long TRUNCATE = 4;

    private static final int MANY = 40;

    private final Memory memory;
    private final RowLayout layout;
    private final int rowSize;
    private final int[] spillable;

    WriteHasher(Memory memory, RowLayout layout) {
        this.memory = memory;
        this.layout = layout;
        this.rowSize = layout.size();
        spillable = java.util.stream.IntStream.range(0, layout.stringColumns())
                .map(layout::stringColumn)
                .filter(column -> layout.canSpill(column))
                .boxed()
                .sorted((a, b) -> Integer.compare(layout.offset(a), layout.offset(b)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    long inserted(int table, long row) {
        return operation(INSERT, table, row, range(row, RowLayout.HEADER, rowSize));
    }

    long updated(int table, long row, int from, int length) {
        return operation(UPDATE, table, row, range(row, Math.max(from, RowLayout.HEADER), from + length));
    }

    long deleted(int table, long row) {
        return operation(DELETE, table, row, 0);
    }

    /** Proportional to the count, so that the sum over all partitions does not depend on where the rows were. */
    long truncated(int table, long count) {
        return (Buckets.mix(table, TRUNCATE) | 1) * count;
    }

    private long operation(long operation, int table, long row, long content) {
        long rowId = memory.getLong(row) & RowLayout.ROW_ID_MASK;
        return Buckets.mix(Buckets.mix(content, (long) table << 3 | operation), rowId);
    }

    private long range(long row, int from, int to) {
        if (spillable.length == 0) {
            return bytes(row + from, to - from);
        }
        long hash = 0;
        int at = from;
        for (int column : spillable) {
            int offset = layout.offset(column);
            int end = offset + layout.width(column);
            if (end <= at || offset >= to) {
                continue;
            }
            if (offset > at) {
                hash = Buckets.mix(hash, bytes(row + at, offset - at));
            }
            long ref = layout.readString(memory, row, column);
            hash = Buckets.mix(hash, memory.hash(Ref.address(ref), Ref.length(ref)));
            at = end;
        }
        return at < to ? Buckets.mix(hash, bytes(row + at, to - at)) : hash;
    }

    /** A cheaper hash where there are few bytes. Before them lies the row's header, so that 8 can always be read. */
    private long bytes(long address, int length) {
        if (length > MANY) {
            return memory.hash(address, length);
        }
        long hash = length;
        long end = address + length;
        long at = address;
        for (; at + 8 <= end; at += 8) {
            hash = Buckets.mix(hash, memory.getLong(at));
        }
        return at == end ? hash : Buckets.mix(hash, memory.getLong(end - 8) >>> (8 - (end - at)) * 8);
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

package io.reprise.sql.compile.runtime;

import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.PartitionStore;

/**
 * Sorts the rows of a {@link RowBuffer}: {@link #order} gets the rows' indexes in sorted order. Stable, so rows with
 * equal keys stay in the order in which they came. With a limit it keeps only the first rows while they come in: a row
 * that is not before the last of them is dropped at once, and now and then the others are sorted and cut off.
 */
public final class Sorter implements WorkMemory.Holder {
    private static final int RETAINED = 1 << 14;
    private static final int LEAST_BATCH = 64;

    /** Merging more rows than this checks the time limit first. */
    private static final int ROWS_PER_CHECK = 1 << 12;

    /** In the two arrays. */
    private static final long BYTES_PER_ROW = 2L * Integer.BYTES;

    /**
     * The keys of a sort, in parallel arrays.
     *
     * @param columns positions of the key columns
     * @param types the comparison of each
     * @param descending whether the largest comes first
     * @param nullsFirst whether NULL comes first
     */
    public record Keys(int[] columns, KeyType[] types, boolean[] descending, boolean[] nullsFirst) {}

    /** The comparison of a key. */
    public enum KeyType {
        LONG,
        DOUBLE,
        STRING
    }

    /** The index in the buffer's words of each row, in sorted order. */
    public int[] order = new int[16];

    private final Keys keys;
    private final Memory memory;
    private final WorkMemory work;
    private final int stride;
    private final int nullWords;
    private int[] spare = new int[16];
    private long limit;
    private int worst;
    private int batch;

    /** A sorter for rows of the given number of columns. */
    public Sorter(Keys keys, int columns, PartitionStore store) {
        this.keys = keys;
        memory = store.memory();
        work = store.workMemory();
        stride = RowShape.stride(columns);
        nullWords = RowShape.nullWords(columns);
    }

    /** The end of a range that begins at {@code offset}, which no sum of longs may overflow. */
    public static long end(long offset, long length) {
        return length > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + length;
    }

    /** Begins to collect at most {@code limit} rows. */
    public void begin(long newLimit) {
        limit = newLimit;
        worst = -1;
        batch = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(LEAST_BATCH, Math.min(newLimit, Integer.MAX_VALUE) * 2));
    }

    /** Called after each row was appended where there is a limit. */
    public void added(RowBuffer buffer) {
        int row = buffer.end - stride;
        if (limit == 0 || worst >= 0 && compare(buffer.words, row, worst) >= 0) {
            buffer.removeLast();
        } else if (buffer.end >= (long) batch * stride) {
            cut(buffer);
        }
    }

    private void cut(RowBuffer buffer) {
        sort(buffer);
        int kept = (int) limit;
        long bytes = (long) kept * stride * Long.BYTES;
        work.take(bytes);
        long[] words = buffer.words;
        long[] sorted = new long[kept * stride];
        for (int i = 0; i < kept; i++) {
            System.arraycopy(words, order[i], sorted, i * stride, stride);
        }
        System.arraycopy(sorted, 0, words, 0, sorted.length);
        buffer.end = sorted.length;
        worst = buffer.end - stride;
        work.giveBack(bytes);
    }

    /** Sorts all rows in the buffer. Returns how many there are. */
    public int sort(RowBuffer buffer) {
        int count = buffer.end / stride;
        if (order.length < count || order.length > RETAINED) {
            resize(count);
        }
        for (int i = 0; i < count; i++) {
            order[i] = i * stride;
        }
        sort(buffer.words, order, spare, 0, count);
        return count;
    }

    private void resize(int count) {
        int length = Math.clamp(count + count / 2L, 16, Integer.MAX_VALUE - 16);
        work.giveBack(order.length * BYTES_PER_ROW);
        work.take(length * BYTES_PER_ROW);
        if (order.length <= RETAINED && length > RETAINED) {
            work.letGoAfterwards(this);
        }
        order = new int[length];
        spare = new int[length];
    }

    @Override
    public void letGo() {
        order = new int[16];
        spare = new int[16];
    }

    /** Merge sort; short stretches by insertion. */
    private void sort(long[] words, int[] array, int[] other, int from, int to) {
        if (to - from <= 8) {
            for (int i = from + 1; i < to; i++) {
                int row = array[i];
                int at = i;
                while (at > from && compare(words, array[at - 1], row) > 0) {
                    array[at] = array[at - 1];
                    at--;
                }
                array[at] = row;
            }
            return;
        }
        if (to - from > ROWS_PER_CHECK) {
            LoopGuard.check();
        }
        int middle = (from + to) >>> 1;
        sort(words, array, other, from, middle);
        sort(words, array, other, middle, to);
        if (compare(words, array[middle - 1], array[middle]) <= 0) {
            return;
        }
        System.arraycopy(array, from, other, from, middle - from);
        int left = from;
        int right = middle;
        for (int at = from; left < middle; at++) {
            if (right < to && compare(words, other[left], array[right]) > 0) {
                array[at] = array[right++];
            } else {
                array[at] = other[left++];
            }
        }
    }

    int compare(long[] words, int a, int b) {
        return compare(words, a, b, keys.columns.length);
    }

    /** Compares two rows by the first keys. */
    int compare(long[] words, int a, int b, int count) {
        for (int i = 0; i < count; i++) {
            int column = keys.columns[i];
            long nullA = words[a + (column >>> 6)] >>> column & 1;
            long nullB = words[b + (column >>> 6)] >>> column & 1;
            if ((nullA | nullB) != 0) {
                if (nullA != nullB) {
                    return (nullA != 0) == keys.nullsFirst[i] ? -1 : 1;
                }
                continue;
            }
            long x = words[a + nullWords + column];
            long y = words[b + nullWords + column];
            int order = switch (keys.types[i]) {
                case LONG -> Long.compare(x, y);
                case DOUBLE -> Double.compare(Double.longBitsToDouble(x) + 0.0, Double.longBitsToDouble(y) + 0.0);
                case STRING -> Strings.compare(memory, x, y);
            };
            if (order != 0) {
                return keys.descending[i] == order > 0 ? -1 : 1;
            }
        }
        return 0;
    }
}

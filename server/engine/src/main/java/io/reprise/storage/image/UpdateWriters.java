package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import java.util.Arrays;

/**
 * The {@link UpdateWriter}s of a table with at most 64 columns, by the range of a row's bytes that an update has saved. Each statement has
 * one range. Beyond {@link #MOST} ranges, as from ever new ad hoc statements, writers have no generated code. Owned by the partition's
 * thread.
 */
public final class UpdateWriters {
    static final int MOST = 32;

    private final RowImageCodec codec;
    private final long unique;
    private long[] ranges = new long[4];
    private UpdateWriter[] writers = new UpdateWriter[4];
    private int count;

    UpdateWriters(RowImageCodec codec) {
        this.codec = codec;
        unique = codec.sets().unique();
    }

    /**
     * The writer for updates that saved a range of bytes.
     *
     * @param from the offset in a row
     * @param length the number of bytes
     */
    public UpdateWriter of(int from, int length) {
        long range = range(from, length);
        for (int i = 0; i < count; i++) {
            if (ranges[i] == range) {
                return writers[i];
            }
        }
        return make(range, codec.changes().candidates(from, from + length));
    }

    /** A range as one word. */
    public static long range(int from, int length) {
        return (long) from << Integer.SIZE | length;
    }

    private UpdateWriter make(long range, long candidates) {
        if (count == MOST) {
            return new OneByOne(codec, candidates, unique);
        }
        if (count == ranges.length) {
            ranges = Arrays.copyOf(ranges, 2 * count);
            writers = Arrays.copyOf(writers, 2 * count);
        }
        UpdateWriter writer = UpdateWriterFactory.of(codec.columns(), codec.keyColumns(), candidates, unique);
        ranges[count] = range;
        writers[count] = writer;
        count++;
        return writer;
    }

    /** A writer that goes from column to column, without generated code. */
    private static final class OneByOne extends UpdateWriter {
        private final RowImageCodec codec;
        private final long candidates;
        private final long unique;
        private final long[] set = new long[1];

        OneByOne(RowImageCodec codec, long candidates, long unique) {
            this.codec = codec;
            this.candidates = candidates;
            this.unique = unique;
        }

        @Override
        public long update(Memory memory, long row, long image, long address) {
            long changed = codec.changes().changed(row, image, candidates);
            if (changed == 0) {
                return UNCHANGED;
            }
            if ((changed & unique) != 0) {
                return OTHER_KEY;
            }
            set[0] = changed;
            return codec.writeColumns(row, set, memory, codec.writeKey(row, memory, address));
        }
    }
}

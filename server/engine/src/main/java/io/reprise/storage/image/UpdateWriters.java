package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import java.util.Arrays;

/**
 * A table's {@link UpdateWriter}s by the range of a row's bytes that an update saved. Each statement has one, so there are few; where
 * somebody makes up ever new statements, not all of them get generated code. The table has at most 64 columns. Owned by the
 * partition's thread.
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
     * The one for updates that saved a range of bytes.
     *
     * @param from offset in a row
     * @param length how many bytes
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

    /** A range as one word, to tell it from others. */
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

    /** Made of what there is for any columns. */
    private static final class OneByOne extends UpdateWriter {
        private final RowImageCodec codec;
        private final long candidates;
        private final long unique;

        OneByOne(RowImageCodec codec, long candidates, long unique) {
            this.codec = codec;
            this.candidates = candidates;
            this.unique = unique;
        }

        @Override
        public long update(Memory memory, long row, long image, long address) {
            long changed = codec.changes().changed(memory, row, image, candidates);
            if (changed == 0) {
                return UNCHANGED;
            }
            if ((changed & unique) != 0) {
                return OTHER_KEY;
            }
            return codec.writeColumns(row, changed, memory, codec.writeKey(row, memory, address));
        }
    }
}

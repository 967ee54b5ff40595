package io.reprise.footprint;

import io.reprise.runtime.memory.Varint;

/** A cursor over the footprints of a FOOTPRINT record, whose bytes {@link FootprintEncoder} draws. Reused; confined to one thread. */
public final class FootprintReader {
    private static final long MOST_TABLES = Integer.MAX_VALUE;
    private static final int MOST_BUCKETS = 1 << 16;
    private static final long MOST_ROWS = 1 << 20;

    private final Footprint footprint = new Footprint();
    private final LastNumbers lastNumbers = new LastNumbers();

    private byte[] bytes;
    private int at;
    private int partition;
    private AccessTable accesses = AccessTable.EMPTY;
    private int[][] shapes;
    private long left;
    private long ticks;
    private long initiator;
    private int bucket;

    /** Moves before the first footprint of a payload. Throws {@link DamagedFootprintException}. */
    public void over(byte[] payload) {
        bytes = payload;
        at = 0;
        lastNumbers.clear();
        ticks = 0;
        initiator = 0;
        bucket = 0;
        partition = (int) number(MOST_BUCKETS);
        accesses = AccessTable.EMPTY;
        for (long count = count(); count > 0; count--) {
            int table = (int) number(MOST_TABLES);
            int flags = (int) number(AccessTable.FLAGS);
            accesses = accesses.with(table, flags, varint(), varint());
        }
        shapes = new int[count()][];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = shape();
        }
        left = count();
    }

    private int[] shape() {
        int[] shape = new int[2 * count()];
        for (int i = 0; i < shape.length; i += 2) {
            shape[i] = (int) number(accesses.size() - 1L);
            shape[i + 1] = (int) number(MOST_ROWS << 1);
        }
        return shape;
    }

    /** The partition, as numbered when the record was written. */
    public int partition() {
        return partition;
    }

    /** Moves to the next footprint. Returns false if there is none. Throws {@link DamagedFootprintException}. */
    public boolean next() {
        if (left == 0) {
            if (at != bytes.length) {
                throw damaged("has bytes behind its last transaction");
            }
            return false;
        }
        left--;
        long difference = varint();
        ticks += Varint.unfold(difference >>> 1);
        if ((difference & 1) != 0) {
            initiator = number((1 << FootprintFormat.INITIATOR_BITS) - 1L);
        }
        footprint.begin(ticks << FootprintFormat.INITIATOR_BITS | initiator);
        int shape = (int) number(shapes.length);
        if (shape == 0) {
            footprint.makeCoarse();
            return true;
        }
        int[] runs = shapes[shape - 1];
        for (int i = 0; i < runs.length; i += 2) {
            rows(runs[i], runs[i + 1] >>> 1, (runs[i + 1] & 1) != 0);
        }
        return true;
    }

    /** The present footprint, until the next call. */
    public Footprint footprint() {
        return footprint;
    }

    private void rows(int access, int count, boolean consecutive) {
        int table = accesses.table(access);
        long number = 0;
        for (int i = 0; i < count; i++) {
            if (i > 0 && consecutive) {
                number++;
            } else {
                number = row(table, i == 0, number);
            }
            if (number >>> FootprintFormat.NUMBER_BITS != 0) {
                throw damaged("has a row number out of range");
            }
            footprint.put(
                    table,
                    accesses.flags(access),
                    FootprintFormat.row(bucket, number),
                    accesses.read(access),
                    accesses.written(access));
        }
        lastNumbers.put(table, bucket, number);
    }

    private long row(int table, boolean first, long before) {
        long code = varint();
        if ((code & 1) != 0) {
            if (!first) {
                lastNumbers.put(table, bucket, before);
            }
            bucket = (int) number(MOST_BUCKETS - 1L);
        } else if (!first) {
            return before + 1 + (code >>> 1);
        }
        return lastNumbers.get(table, bucket) + Varint.unfold(code >>> 1);
    }

    /** A count of things, of which each takes a byte at least. */
    private int count() {
        return (int) number(bytes.length - at);
    }

    private long number(long most) {
        long value = varint();
        if (value < 0 || value > most) {
            throw damaged("has the number " + value + " where at most " + most + " can be");
        }
        return value;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE && at < bytes.length; shift += 7) {
            byte group = bytes[at++];
            value |= (long) (group & 0x7F) << shift;
            if (group >= 0) {
                return value;
            }
        }
        throw damaged("ends within a number");
    }

    private DamagedFootprintException damaged(String what) {
        return new DamagedFootprintException("the footprint record " + what + ", at byte " + at);
    }
}

package io.reprise.footprint;

import io.reprise.runtime.memory.Varint;

/** A cursor over the footprints of a FOOTPRINT record, whose bytes {@link FootprintEncoder} draws. Reused; confined to one thread. */
public final class FootprintReader {
    private static final long MOST_TABLES = Integer.MAX_VALUE;
    private static final int MOST_BUCKETS = 1 << 16;
    private static final long MOST_ROWS = 1 << 20;

    private final Footprint footprint = new Footprint();
    private final LastNumbers lastNumbers = new LastNumbers();
    private final RiceCodes codes = new RiceCodes();

    private byte[] bytes;
    private int at;
    private int partition;
    private AccessTable accesses = AccessTable.EMPTY;
    private int[][] shapes;
    private long left;
    private long ticks;
    private long initiator;
    private int bucketBits;
    private int bucket;
    private long rowBefore;
    private int bucketBefore;

    /** Bits that were taken from bytes and not used yet. */
    private long held;

    private int heldBits;

    /** Moves before the first footprint of a payload. Throws {@link DamagedFootprintException}. */
    public void over(byte[] payload) {
        bytes = payload;
        at = 0;
        lastNumbers.clear();
        codes.clear();
        held = 0;
        heldBits = 0;
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
        bucketBits = (int) number(FootprintFormat.BUCKET_BITS);
        ticks = varint();
        left = number((long) Byte.SIZE * (bytes.length - at));
    }

    private int[] shape() {
        int[] shape = new int[2 * count()];
        for (int i = 0; i < shape.length; i += 2) {
            shape[i] = (int) number(accesses.size() - 1L);
            shape[i + 1] = (int) number(MOST_ROWS << FootprintFormat.FORM_BITS);
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
            if (at != bytes.length || held != 0) {
                throw damaged("has bytes behind its last transaction");
            }
            return false;
        }
        left--;
        ticks += Varint.unfold(coded(FootprintFormat.TIME));
        if (bits(1) != 0) {
            initiator = bits(FootprintFormat.INITIATOR_BITS);
        }
        footprint.begin(ticks << FootprintFormat.INITIATOR_BITS | initiator);
        int shape = (int) checked(coded(FootprintFormat.SHAPE), shapes.length);
        if (shape == 0) {
            footprint.makeCoarse();
            return true;
        }
        int[] runs = shapes[shape - 1];
        bucketBefore = -1;
        for (int i = 0; i < runs.length; i += 2) {
            rows(
                    runs[i],
                    runs[i + 1] >>> FootprintFormat.FORM_BITS,
                    runs[i + 1] & (1 << FootprintFormat.FORM_BITS) - 1);
        }
        return true;
    }

    /** The present footprint, until the next call. */
    public Footprint footprint() {
        return footprint;
    }

    private void rows(int access, int count, int form) {
        int table = accesses.table(access);
        long number = 0;
        for (int i = 0; i < count; i++) {
            if (i > 0 && form == FootprintFormat.CONSECUTIVE) {
                number++;
            } else if (i > 0 && (form == FootprintFormat.ONE_BUCKET || bits(1) == 0)) {
                number += 1 + coded(FootprintFormat.gap(access));
            } else {
                number = rowOf(table, access, i == 0, number);
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
        rowBefore = number;
        bucketBefore = bucket;
        lastNumbers.put(table, bucket, number);
    }

    /** The number of a run's first row, or of one in another bucket than the row before. */
    private long rowOf(int table, int access, boolean first, long before) {
        if (!first) {
            lastNumbers.put(table, bucket, before);
        }
        if (!first || bits(1) != 0) {
            bucket = (int) bits(bucketBits);
        }
        if (lastNumbers.has(table, bucket)) {
            return lastNumbers.get(table, bucket) + Varint.unfold(coded(FootprintFormat.known(access)));
        }
        long base = bucketBefore == bucket ? rowBefore : 0;
        return base + Varint.unfold(coded(FootprintFormat.unknown(access)));
    }

    private long coded(int context) {
        int parameter = codes.parameter(context);
        long number = 0;
        int ones = 0;
        while (ones < RiceCodes.MOST_ONES && bits(1) != 0) {
            ones++;
        }
        if (ones < RiceCodes.MOST_ONES) {
            number = (long) ones << parameter | bits(parameter);
        } else {
            number = bits(1 + (int) bits(RiceCodes.LENGTH_BITS));
        }
        codes.coded(context, parameter, number);
        return number;
    }

    private long bits(int count) {
        if (count > Integer.SIZE) {
            return bits(Integer.SIZE) | bits(count - Integer.SIZE) << Integer.SIZE;
        }
        while (heldBits < count) {
            if (at == bytes.length) {
                throw damaged("ends within a number");
            }
            held |= (bytes[at++] & 0xFFL) << heldBits;
            heldBits += Byte.SIZE;
        }
        long found = held & (1L << count) - 1;
        held >>>= count;
        heldBits -= count;
        return found;
    }

    /** A count of things, of which each takes a byte at least. */
    private int count() {
        return (int) number(bytes.length - at);
    }

    private long number(long most) {
        return checked(varint(), most);
    }

    private long checked(long value, long most) {
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

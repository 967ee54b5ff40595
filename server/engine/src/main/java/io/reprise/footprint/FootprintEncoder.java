package io.reprise.footprint;

import io.reprise.runtime.memory.Varint;
import java.util.Arrays;

/**
 * Encodes the footprints of a chunk as the payload of a FOOTPRINT record. Owned by the footprint agent; reused.
 *
 * <p>Integers are varints; "signed" ones are zigzag. A row id is a bucket and a number in the bucket.
 *
 * <pre>
 *  payload      partition, accesses, shapes, transactions
 *  accesses     count, then for each: table, flags, pieces read, pieces written
 *  shapes       count, then for each: count of runs, then for each: access, rows * 2 + consecutive
 *  transactions count, then for each: signed difference of ticks * 2 + otherInitiator [, initiator], shape + 1 (0: coarse), rows of its runs
 *  ticks        a transaction id without the initiator; the first differs from 0, and its initiator is given
 *  first row    signed difference of numbers * 2 + otherBucket [, bucket]
 *  further row  the same bucket: (difference of numbers - 1) * 2; another bucket: as a first row
 * </pre>
 *
 * <p>The bucket of the first row of a transaction differs from the last one of the transaction before, at first 0. The number differs from
 * the last one of the same table and bucket in the record, at first 0. A consecutive run has its first row only; the others follow it.
 *
 * <p>The record's frame carries the checksum.
 */
public final class FootprintEncoder {
    private static final int INITIATOR_BITS = FootprintFormat.INITIATOR_BITS;

    private final Footprint footprint = new Footprint();
    private final LastNumbers lastNumbers = new LastNumbers();
    private final FootprintBytes body = new FootprintBytes();
    private final FootprintBytes out = new FootprintBytes();

    private AccessTable accesses = AccessTable.EMPTY;

    /** The shapes so far: runs of pairs (access, rows * 2 + consecutive), one behind the other, and their beginnings. */
    private int[] shapes = new int[256];

    private int[] shapeStarts = new int[64];
    private int shapeCount;

    private int transactions;
    private long lastTicks;
    private int lastInitiator;
    private int bucket;

    /** Encodes a chunk. The payload is in {@link #bytes} until the next call. Returns its length. */
    public int encode(int partition, FootprintChunk chunk) {
        accesses = AccessTable.EMPTY;
        shapeCount = 0;
        lastTicks = 0;
        lastInitiator = -1;
        bucket = 0;
        lastNumbers.clear();
        body.clear();
        transactions = 0;
        for (int at = 0; at < chunk.used; transactions++) {
            gather(chunk, at);
            at += FootprintChunk.HEADER + Math.max(0, (int) chunk.words[at + 1]);
            transaction();
        }
        out.clear();
        out.putVarint(partition);
        putAccesses();
        putShapes();
        out.putVarint(transactions);
        out.put(body);
        return out.size();
    }

    /** The number of footprints in the payload. */
    public int footprints() {
        return transactions;
    }

    /** The payload's bytes, and bytes of no meaning behind them. */
    public byte[] bytes() {
        return out.bytes();
    }

    private void gather(FootprintChunk chunk, int at) {
        gather(footprint, chunk.accesses, chunk.words, at);
    }

    /** Makes a footprint of the raw words of a transaction. */
    static void gather(Footprint to, AccessTable of, long[] words, int at) {
        to.begin(words[at]);
        int count = (int) words[at + 1];
        if (count == FootprintChunk.COARSE) {
            to.makeCoarse();
            return;
        }
        int access = 0;
        for (int i = at + FootprintChunk.HEADER; i < at + FootprintChunk.HEADER + count; i++) {
            if (words[i] < 0) {
                access = (int) words[i];
            } else {
                to.add(of.table(access), of.flags(access), words[i], of.read(access), of.written(access));
            }
        }
        to.sort();
    }

    private void putAccesses() {
        out.putVarint(accesses.size());
        for (int i = 0; i < accesses.size(); i++) {
            out.putVarint(accesses.table(i));
            out.putVarint(accesses.flags(i));
            out.putVarint(accesses.read(i));
            out.putVarint(accesses.written(i));
        }
    }

    private void putShapes() {
        out.putVarint(shapeCount);
        for (int shape = 0; shape < shapeCount; shape++) {
            int end = shapeStarts[shape + 1];
            out.putVarint((end - shapeStarts[shape]) / 2);
            for (int i = shapeStarts[shape]; i < end; i++) {
                out.putVarint(shapes[i]);
            }
        }
    }

    private void transaction() {
        long ticks = footprint.transactionId() >>> INITIATOR_BITS;
        int initiator = (int) (footprint.transactionId() & (1 << INITIATOR_BITS) - 1);
        boolean other = initiator != lastInitiator;
        body.putVarint(Varint.fold(ticks - lastTicks) << 1 | (other ? 1 : 0));
        if (other) {
            body.putVarint(initiator);
        }
        lastTicks = ticks;
        lastInitiator = initiator;
        if (footprint.isCoarse()) {
            body.putVarint(0);
            return;
        }
        body.putVarint(shape() + 1L);
        for (int from = 0, to; from < footprint.size(); from = to) {
            to = runEnd(from);
            putRows(from, to);
        }
    }

    private int runEnd(int from) {
        int to = from + 1;
        while (to < footprint.size() && footprint.continues(to)) {
            to++;
        }
        return to;
    }

    private boolean isConsecutive(int from, int to) {
        return footprint.row(to - 1) - footprint.row(from) == to - 1 - from;
    }

    /** The number of the footprint's shape, which is added if it is new. */
    private int shape() {
        int start = shapeStarts[shapeCount];
        int end = start;
        for (int from = 0, to; from < footprint.size(); from = to) {
            to = runEnd(from);
            if (end + 2 > shapes.length) {
                shapes = Arrays.copyOf(shapes, 2 * shapes.length);
            }
            shapes[end++] = access(from);
            shapes[end++] = to - from << 1 | (isConsecutive(from, to) ? 1 : 0);
        }
        for (int shape = 0; shape < shapeCount; shape++) {
            if (Arrays.equals(shapes, shapeStarts[shape], shapeStarts[shape + 1], shapes, start, end)) {
                return shape;
            }
        }
        if (shapeCount + 2 > shapeStarts.length) {
            shapeStarts = Arrays.copyOf(shapeStarts, 2 * shapeStarts.length);
        }
        shapeStarts[++shapeCount] = end;
        return shapeCount - 1;
    }

    private int access(int element) {
        int table = footprint.table(element);
        int flags = footprint.flags(element);
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.is(i, table, flags, footprint.read(element), footprint.written(element))) {
                return i;
            }
        }
        accesses = accesses.with(table, flags, footprint.read(element), footprint.written(element));
        return accesses.size() - 1;
    }

    private void putRows(int from, int to) {
        int table = footprint.table(from);
        boolean consecutive = isConsecutive(from, to);
        long number = putFirst(table, footprint.row(from));
        for (int i = from + 1; i < to && !consecutive; i++) {
            long row = footprint.row(i);
            if (FootprintFormat.bucket(row) == bucket) {
                body.putVarint(FootprintFormat.number(row) - number - 1 << 1);
                number = FootprintFormat.number(row);
            } else {
                lastNumbers.put(table, bucket, number);
                number = putFirst(table, row);
            }
        }
        lastNumbers.put(table, bucket, consecutive ? number + to - from - 1 : number);
    }

    private long putFirst(int table, long row) {
        int rowBucket = FootprintFormat.bucket(row);
        long number = FootprintFormat.number(row);
        long difference = number - lastNumbers.get(table, rowBucket);
        body.putVarint(Varint.fold(difference) << 1 | (rowBucket == bucket ? 0 : 1));
        if (rowBucket != bucket) {
            body.putVarint(rowBucket);
            bucket = rowBucket;
        }
        return number;
    }
}

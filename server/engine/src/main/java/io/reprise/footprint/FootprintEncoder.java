package io.reprise.footprint;

import io.reprise.runtime.memory.Varint;
import java.util.Arrays;

/**
 * Encodes the footprints of a chunk as the payload of a FOOTPRINT record. Owned by the footprint agent; reused.
 *
 * <pre>
 *  payload      partition, accesses, shapes, bits of a bucket, first ticks, transactions: varints; then the bits of the transactions
 *  accesses     count, then for each: table, flags, pieces read, pieces written
 *  shapes       count, then for each: count of runs, then for each: access, rows * 4 + form
 *  transaction  difference of ticks, folded: coded | 1 bit otherInitiator [| 12 bits initiator] | shape + 1, or 0 if coarse: coded
 *               | rows of the runs of its shape
 *  ticks        a transaction id without the initiator; the first transaction's difference is 0, and its initiator is given
 *  first row    1 bit otherBucket [| bucket] | difference of numbers, folded: coded
 *  further row  form PLAIN: 1 bit otherBucket, then as a first row if it is set; else the difference of numbers - 1: coded
 *               form ONE_BUCKET: the difference of numbers - 1: coded; form CONSECUTIVE: nothing
 * </pre>
 *
 * <p>Coded numbers have {@linkplain RiceCodes adaptive codes}. The bucket of a first row differs from the one before in the record, at first
 * 0. Its number differs from the last one of the same table and bucket in the record. If there is none, it differs from the number of the
 * transaction's row before if that is in the same bucket, else from 0. Folded: zigzag.
 *
 * <p>The record's frame carries the checksum.
 */
public final class FootprintEncoder {
    private static final int INITIATOR_BITS = FootprintFormat.INITIATOR_BITS;

    private final Footprint footprint = new Footprint();
    private final LastNumbers lastNumbers = new LastNumbers();
    private final RiceCodes codes = new RiceCodes();
    private final BitWriter body = new BitWriter();
    private final FootprintBytes out = new FootprintBytes();

    private AccessTable accesses = AccessTable.EMPTY;

    /** The shapes so far: runs of pairs (access, rows * 2 + consecutive), one behind the other, and their beginnings. */
    private int[] shapes = new int[256];

    private int[] shapeStarts = new int[64];
    private int shapeCount;

    private int transactions;
    private long firstTicks;
    private long lastTicks;
    private int lastInitiator;
    private int bucketBits;
    private int bucket;

    /** The number of the transaction's last row, and its bucket; -1 before the first row. */
    private long rowBefore;

    private int bucketBefore;

    /** Encodes a chunk. The payload is in {@link #bytes} until the next call. Returns its length. */
    public int encode(int partition, FootprintChunk chunk) {
        accesses = AccessTable.EMPTY;
        shapeCount = 0;
        lastInitiator = -1;
        bucketBits = bucketBits(chunk);
        bucket = 0;
        lastNumbers.clear();
        codes.clear();
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
        out.putVarint(bucketBits);
        out.putVarint(firstTicks);
        out.putVarint(transactions);
        body.finish();
        out.put(body.bytes(), body.size());
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

    /** The bits of the highest bucket. */
    private static int bucketBits(FootprintChunk chunk) {
        int all = 0;
        for (int at = 0; at < chunk.used; ) {
            int count = Math.max(0, (int) chunk.words[at + 1]);
            for (int i = at + FootprintChunk.HEADER; i < at + FootprintChunk.HEADER + count; i++) {
                all |= chunk.words[i] < 0 ? 0 : FootprintFormat.bucket(chunk.words[i]);
            }
            at += FootprintChunk.HEADER + count;
        }
        return Integer.SIZE - Integer.numberOfLeadingZeros(all);
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
        if (transactions == 0) {
            firstTicks = ticks;
            lastTicks = ticks;
        }
        put(FootprintFormat.TIME, Varint.fold(ticks - lastTicks));
        body.put(other ? 1 : 0, 1);
        if (other) {
            body.put(initiator, INITIATOR_BITS);
        }
        lastTicks = ticks;
        lastInitiator = initiator;
        if (footprint.isCoarse()) {
            put(FootprintFormat.SHAPE, 0);
            return;
        }
        int shape = shape();
        put(FootprintFormat.SHAPE, shape + 1L);
        bucketBefore = -1;
        int run = shapeStarts[shape];
        for (int from = 0, to; from < footprint.size(); from = to) {
            to = runEnd(from);
            putRows(from, to, shapes[run], shapes[run + 1] & (1 << FootprintFormat.FORM_BITS) - 1);
            run += 2;
        }
    }

    private int runEnd(int from) {
        int to = from + 1;
        while (to < footprint.size() && footprint.continues(to)) {
            to++;
        }
        return to;
    }

    /** The form of a run. A single row is consecutive. */
    private int form(int from, int to) {
        long first = footprint.row(from);
        long last = footprint.row(to - 1);
        if (last - first == to - 1 - from) {
            return FootprintFormat.CONSECUTIVE;
        }
        return FootprintFormat.bucket(first) == FootprintFormat.bucket(last)
                ? FootprintFormat.ONE_BUCKET
                : FootprintFormat.PLAIN;
    }

    /** Puts a number by the code of its context. */
    private void put(int context, long number) {
        int parameter = codes.parameter(context);
        long ones = number >>> parameter;
        if (ones >= 0 && ones < RiceCodes.MOST_ONES) {
            body.put((1L << ones) - 1, (int) ones + 1);
            body.put(number, parameter);
        } else {
            int length = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(number));
            body.put((1L << RiceCodes.MOST_ONES) - 1, RiceCodes.MOST_ONES);
            body.put(length - 1L, RiceCodes.LENGTH_BITS);
            body.put(number, length);
        }
        codes.coded(context, parameter, number);
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
            shapes[end++] = to - from << FootprintFormat.FORM_BITS | form(from, to);
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

    private void putRows(int from, int to, int access, int form) {
        int table = footprint.table(from);
        long number = putFirst(table, access, footprint.row(from));
        for (int i = from + 1; i < to && form != FootprintFormat.CONSECUTIVE; i++) {
            long row = footprint.row(i);
            boolean other = FootprintFormat.bucket(row) != bucket;
            if (form == FootprintFormat.PLAIN) {
                body.put(other ? 1 : 0, 1);
            }
            if (other) {
                lastNumbers.put(table, bucket, number);
                number = putNumber(table, access, row);
            } else {
                put(FootprintFormat.gap(access), FootprintFormat.number(row) - number - 1);
                number = FootprintFormat.number(row);
            }
        }
        rowBefore = form == FootprintFormat.CONSECUTIVE ? number + to - from - 1 : number;
        bucketBefore = bucket;
        lastNumbers.put(table, bucket, rowBefore);
    }

    private long putFirst(int table, int access, long row) {
        boolean other = FootprintFormat.bucket(row) != bucket;
        body.put(other ? 1 : 0, 1);
        if (other) {
            return putNumber(table, access, row);
        }
        return putDifference(table, access, FootprintFormat.number(row));
    }

    /** Puts a row of another bucket. */
    private long putNumber(int table, int access, long row) {
        bucket = FootprintFormat.bucket(row);
        body.put(bucket, bucketBits);
        return putDifference(table, access, FootprintFormat.number(row));
    }

    private long putDifference(int table, int access, long number) {
        if (lastNumbers.has(table, bucket)) {
            put(FootprintFormat.known(access), Varint.fold(number - lastNumbers.get(table, bucket)));
        } else {
            long base = bucketBefore == bucket ? rowBefore : 0;
            put(FootprintFormat.unknown(access), Varint.fold(number - base));
        }
        return number;
    }
}

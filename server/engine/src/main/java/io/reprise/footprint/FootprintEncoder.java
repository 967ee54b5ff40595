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

    private final UnitedRows rows = new UnitedRows();
    private final LastNumbers lastNumbers = new LastNumbers();
    private final RiceCodes codes = new RiceCodes();
    private final BitWriter body = new BitWriter();
    private final FootprintBytes out = new FootprintBytes();

    /** The record's accesses, by their numbers among the united rows; and the reverse, plus one. */
    private int[] accesses = new int[64];

    private int[] accessNumbers = new int[64];
    private int accessCount;

    private final FootprintShapes shapes = new FootprintShapes();

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
        begin(chunk);
        for (int at = 0; at < chunk.used; ) {
            int next = at + FootprintChunk.HEADER + Math.max(0, (int) chunk.words[at + 1]);
            if (!chunk.isAdvice(at)) {
                encode(chunk, at, next);
            }
            at = next;
        }
        out.clear();
        out.putVarint(partition);
        putAccesses();
        shapes.putTo(out);
        out.putVarint(bucketBits);
        out.putVarint(firstTicks);
        out.putVarint(transactions);
        body.finish();
        out.put(body.bytes(), body.size());
        return out.size();
    }

    private void encode(FootprintChunk chunk, int at, int end) {
        transaction(chunk.words[at]);
        if ((int) chunk.words[at + 1] == FootprintChunk.COARSE) {
            put(FootprintFormat.SHAPE, 0);
        } else {
            rows.unite(chunk.words, at + FootprintChunk.HEADER, end);
            shapeAndRows();
        }
        transactions++;
    }

    private void begin(FootprintChunk chunk) {
        rows.begin(chunk.accesses);
        accessCount = 0;
        Arrays.fill(accessNumbers, 0);
        shapes.clear();
        lastInitiator = -1;
        bucketBits = bucketBits(chunk);
        bucket = 0;
        lastNumbers.clear();
        codes.clear();
        body.clear();
        transactions = 0;
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
        long all = 0;
        for (int at = 0; at < chunk.used; ) {
            int end = at + FootprintChunk.HEADER + Math.max(0, (int) chunk.words[at + 1]);
            for (at += FootprintChunk.HEADER; at < end; at += FootprintWords.length(chunk.words[at])) {
                all |= FootprintWords.row(chunk.words, at);
            }
        }
        return Integer.SIZE - Integer.numberOfLeadingZeros(FootprintFormat.bucket(all));
    }

    private void putAccesses() {
        AccessTable of = rows.accesses();
        out.putVarint(accessCount);
        for (int i = 0; i < accessCount; i++) {
            int access = accesses[i];
            out.putVarint(of.table(access));
            out.putVarint(of.flags(access));
            out.putVarint(of.read(access));
            out.putVarint(of.written(access));
        }
    }

    private void transaction(long id) {
        long ticks = id >>> INITIATOR_BITS;
        int initiator = (int) (id & (1 << INITIATOR_BITS) - 1);
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
    }

    private void shapeAndRows() {
        for (int group = 0; group < rows.groups(); group++) {
            int from = rows.start(group);
            int to = rows.end(group);
            shapes.add(access(rows.access(group)), to - from, form(from, to));
        }
        int shape = shapes.finish();
        put(FootprintFormat.SHAPE, shape + 1L);
        bucketBefore = -1;
        for (int group = 0; group < rows.groups(); group++) {
            putRows(group, shapes.access(shape, group), shapes.form(shape, group));
        }
    }

    /** The number in the record of an access of the united rows. */
    private int access(int number) {
        if (number >= accessNumbers.length) {
            accessNumbers = Arrays.copyOf(accessNumbers, 2 * number);
        }
        if (accessNumbers[number] == 0) {
            if (accessCount == accesses.length) {
                accesses = Arrays.copyOf(accesses, 2 * accessCount);
            }
            accesses[accessCount] = number;
            accessNumbers[number] = ++accessCount;
        }
        return accessNumbers[number] - 1;
    }

    /** The form of a run. A single row is consecutive. */
    private int form(int from, int to) {
        long first = rows.row(from);
        long last = rows.row(to - 1);
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
            int prefix = (int) ones + 1;
            if (prefix + parameter <= BitWriter.MOST_AT_ONCE) {
                body.put((1L << ones) - 1 | number << prefix, prefix + parameter);
            } else {
                body.put((1L << ones) - 1, prefix);
                body.put(number, parameter);
            }
        } else {
            int length = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(number));
            body.put((1L << RiceCodes.MOST_ONES) - 1, RiceCodes.MOST_ONES);
            body.put(length - 1L, RiceCodes.LENGTH_BITS);
            body.put(number, length);
        }
        codes.coded(context, parameter, number);
    }

    private void putRows(int group, int access, int form) {
        int from = rows.start(group);
        int to = rows.end(group);
        int table = rows.accesses().table(rows.access(group));
        long number = putFirst(table, access, rows.row(from));
        for (int i = from + 1; i < to && form != FootprintFormat.CONSECUTIVE; i++) {
            long row = rows.row(i);
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

package io.reprise.log;

import io.reprise.id.BucketSet;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/**
 * The parts of a BOUNDARY record, which are applied one by one: the call at home, and the rows that were changed elsewhere.
 *
 * <pre>
 *  payload  varint bits of the buckets at home, in the header's order | varint length | answers | int length | rows | call
 *  rows     as the payload of a DATA record; call as that of a COMMAND
 * </pre>
 *
 * <p>A reader's, reused; confined to one thread.
 */
final class BoundaryParts {
    private final int[] buckets = new int[BucketSet.MOST_LISTED];
    private int bucketCount;
    private long atHome;
    private long answers;
    private int answersBytes;
    private long rows;
    private int rowsBytes;
    private long call;
    private int callBytes;

    /**
     * Reads a payload.
     *
     * @param bits of the buckets at home, which were read before
     * @param length of the answers, which was read before
     * @param address behind the length
     * @return false if it makes no sense
     */
    boolean read(
            Memory memory, long bits, long length, long address, long end, int[] headerBuckets, int headerBucketCount) {
        boolean namesHome =
                headerBucketCount > 0 && bits != 0 && (bits & ~(-1L >>> Long.SIZE - headerBucketCount)) == 0;
        if (!namesHome || length < 0 || length > end - address - Integer.BYTES) {
            return false;
        }
        atHome = bits;
        answers = address;
        answersBytes = (int) length;
        rows = answers + answersBytes + Integer.BYTES;
        rowsBytes = memory.getInt(rows - Integer.BYTES);
        if (rowsBytes < 0 || rowsBytes > end - rows) {
            return false;
        }
        call = rows + rowsBytes;
        callBytes = (int) (end - call);
        bucketCount = headerBucketCount;
        System.arraycopy(headerBuckets, 0, buckets, 0, headerBucketCount);
        return true;
    }

    /** Whether rows were changed elsewhere. */
    boolean hasRows() {
        return rowsBytes > 0;
    }

    long rows() {
        return rows;
    }

    int rowsBytes() {
        return rowsBytes;
    }

    long call() {
        return call;
    }

    int callBytes() {
        return callBytes;
    }

    long answers() {
        return answers;
    }

    int answersBytes() {
        return answersBytes;
    }

    /** Lists the buckets at home, or those elsewhere. Returns their number. */
    int list(boolean home, int[] to) {
        int count = 0;
        for (int i = 0; i < bucketCount; i++) {
            if ((atHome >>> i & 1) != 0 == home) {
                to[count++] = buckets[i];
            }
        }
        return count;
    }

    /**
     * Writes the part that is shown as a record of its own: rows as DATA, a call as a BOUNDARY record without rows.
     *
     * @return the address behind it
     */
    static long copyShown(LogRecords shown, Memory to, long address) {
        boolean home = shown.hasAnswers();
        int count = shown.bucketCount();
        long all = -1L >>> Long.SIZE - count;
        int listed = count > 1 ? Varint.size(count) : 0;
        for (int i = 0; listed > 0 && i < count; i++) {
            listed += Varint.size(shown.bucket(i));
        }
        int bytes = listed + shown.payloadBytes();
        if (home) {
            bytes += Varint.size(all) + Varint.size(shown.answersBytes()) + shown.answersBytes() + Integer.BYTES;
        }
        int kind = (home ? RecordKind.BOUNDARY : RecordKind.DATA).code() | (listed > 0 ? LogFormat.RECORD_BUCKET : 0);
        long at = RecordHeader.put(
                to,
                address,
                kind,
                shown.partition(),
                shown.bucket(),
                shown.writeHash(),
                Varint.fold(shown.transactionId()),
                bytes);
        if (listed > 0) {
            at = Varint.putRoomy(to, at, count);
            for (int i = 0; i < count; i++) {
                at = Varint.putRoomy(to, at, shown.bucket(i));
            }
        }
        if (home) {
            at = Varint.putRoomy(to, at, all);
            at = Varint.putRoomy(to, at, shown.answersBytes());
            to.copyFrom(shown.memory(), shown.answers(), at, shown.answersBytes());
            at += shown.answersBytes();
            to.putInt(at, 0);
            at += Integer.BYTES;
        }
        to.copyFrom(shown.memory(), shown.payload(), at, shown.payloadBytes());
        return at + shown.payloadBytes();
    }
}

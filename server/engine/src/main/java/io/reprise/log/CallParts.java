package io.reprise.log;

import io.reprise.id.BucketSet;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import java.util.Arrays;

/**
 * The parts of a CALLS record, which are applied one by one: calls that ran at one partition, their home, in the order of their ends.
 *
 * <pre>
 *  payload  call ..., one or more
 *  call     zigzag varint: its id minus the record's | int write hash | varint number of buckets at home, 1 to 64, each a varint
 *           | varint length | answers | int length | payload of a COMMAND
 * </pre>
 *
 * <p>Integers are little endian. A reader's, reused; confined to one thread.
 */
final class CallParts {
    /** Of each call, the place of its first byte, and behind the last one the end. */
    private long[] starts = new long[8];

    private int count;
    private Memory memory;

    private long at;
    private long limit;
    private boolean sound;

    private long idDifference;
    private int writeHash;
    private final int[] buckets = new int[BucketSet.MOST_LISTED];
    private int bucketCount;
    private long answers;
    private int answersBytes;
    private long call;
    private int callBytes;

    /** Reads a payload. Returns false if it makes no sense. */
    boolean read(Memory of, long address, long end) {
        memory = of;
        at = address;
        limit = end;
        count = 0;
        sound = true;
        while (at < limit) {
            if (count + 1 == starts.length) {
                starts = Arrays.copyOf(starts, 2 * starts.length);
            }
            starts[count++] = at;
            readCall();
            if (!sound) {
                return false;
            }
        }
        starts[count] = end;
        return count > 0;
    }

    /** The number of calls. */
    int count() {
        return count;
    }

    /** Moves to a call. */
    void moveTo(int number) {
        at = starts[number];
        limit = starts[number + 1];
        readCall();
    }

    private void readCall() {
        idDifference = Varint.unfold(varint());
        writeHash = integer();
        long listed = varint();
        sound &= listed > 0 && listed <= buckets.length;
        bucketCount = sound ? (int) listed : 0;
        for (int i = 0; i < bucketCount; i++) {
            long bucket = varint();
            sound &= bucket >= 0 && bucket <= Integer.MAX_VALUE;
            buckets[i] = (int) bucket;
        }
        answersBytes = room(varint());
        answers = at;
        at += answersBytes;
        callBytes = room(integer());
        call = at;
        at += callBytes;
        sound &= callBytes > 0;
    }

    private int room(long length) {
        sound &= length >= 0 && length <= limit - at;
        return sound ? (int) length : 0;
    }

    private int integer() {
        sound &= limit - at >= Integer.BYTES;
        if (!sound) {
            return 0;
        }
        at += Integer.BYTES;
        return memory.getInt(at - Integer.BYTES);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE && at < limit; shift += 7) {
            byte group = memory.getByte(at);
            at++;
            value |= (long) (group & 0x7F) << shift;
            if (group >= 0) {
                return value;
            }
        }
        sound = false;
        return 0;
    }

    /** The id of the call minus that of the record. */
    long idDifference() {
        return idDifference;
    }

    int writeHash() {
        return writeHash;
    }

    /** Lists the buckets at home. Returns their number. */
    int list(int[] to) {
        System.arraycopy(buckets, 0, to, 0, bucketCount);
        return bucketCount;
    }

    long answers() {
        return answers;
    }

    int answersBytes() {
        return answersBytes;
    }

    long call() {
        return call;
    }

    int callBytes() {
        return callBytes;
    }
}

package io.reprise.log;

import io.reprise.id.BucketSet;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A cursor over the records of a {@link LogFrame}: headers are decoded, payloads stay where they are. Confined to one thread;
 * several cursors can read one frame.
 */
public final class LogRecords {
    private final int[] buckets = new int[BucketSet.MOST_LISTED];

    private LogFrame frame;
    private Memory memory;
    private long at;
    private long end;
    private int index;
    private RecordKind kind;
    private long transactionId;
    private int partition;
    private int bucketCount;
    private int writeHash;
    private long body;
    private long payload;
    private int payloadBytes;
    private boolean hasCaller;
    private long client;
    private long sequence;
    private int resultKind;
    private long resultWord;

    /** The address of the first caller, and of the one behind the present one, which may not exist. */
    private long callers;

    private long nextCaller;
    private boolean anotherFollows;

    /** The kind of the record; {@link #kind} changes when a part is shown. */
    private RecordKind whole;

    private long recordId;
    private final BoundaryParts boundary = new BoundaryParts();
    private final CallParts calls = new CallParts();
    private long answers;
    private int answersBytes;

    /** Moves before the first record of a frame. */
    public void wrap(LogFrame newFrame) {
        frame = newFrame;
        memory = newFrame.memory();
        at = newFrame.start();
        end = at + newFrame.bytes();
        index = -1;
        recordId = newFrame.firstTransaction();
    }

    /** Moves to the next record. Returns false if there is none. */
    public boolean next() {
        if (at >= end) {
            return false;
        }
        int flags = memory.getByte(at) & 0xFF;
        at++;
        kind = RecordKind.ofCode(flags & LogFormat.RECORD_KIND_MASK);
        long length = varint(end);
        if (kind == null || length < 0 || length > end - at) {
            throw malformed();
        }
        long recordEnd = at + length;
        recordId += Varint.unfold(varint(recordEnd));
        transactionId = recordId;
        partition = (flags & LogFormat.RECORD_MULTI) != 0 ? -1 : (int) varint(recordEnd);
        boolean hasBuckets = (flags & LogFormat.RECORD_BUCKET) != 0;
        int bucket = hasBuckets ? (int) varint(recordEnd) - 1 : -1;
        writeHash = 0;
        if ((flags & LogFormat.RECORD_HASH) != 0) {
            writeHash = recordEnd - at >= Integer.BYTES ? memory.getInt(at) : 0;
            at += Integer.BYTES;
        }
        body = at;
        bucketCount = 0;
        if (bucket >= 0) {
            buckets[0] = bucket;
            bucketCount = 1;
        } else if (hasBuckets) {
            buckets(recordEnd);
        }
        hasCaller = (flags & LogFormat.RECORD_CALLER) != 0;
        callers = at;
        if (hasCaller && at <= recordEnd) {
            readCallers(recordEnd);
        }
        if (at > recordEnd) {
            throw malformed();
        }
        payload = at;
        payloadBytes = (int) (recordEnd - at);
        whole = kind;
        if (whole == RecordKind.BOUNDARY || whole == RecordKind.CALLS) {
            readParts(recordEnd);
        }
        at = recordEnd;
        index++;
        return true;
    }

    private void readParts(long recordEnd) {
        if (whole == RecordKind.CALLS) {
            if (!calls.read(memory, at, recordEnd)) {
                throw malformed();
            }
            return;
        }
        long homeBuckets = varint(recordEnd);
        long length = varint(recordEnd);
        if (!boundary.read(memory, homeBuckets, length, at, recordEnd, buckets, bucketCount)) {
            throw malformed();
        }
        answers = boundary.answers();
        answersBytes = boundary.answersBytes();
    }

    /** The parts of the record, which are applied one by one: a BOUNDARY record has a call, and mostly rows; a CALLS record has calls. */
    public int parts() {
        if (whole == RecordKind.CALLS) {
            return calls.count();
        }
        return whole == RecordKind.BOUNDARY && boundary.hasRows() ? 2 : 1;
    }

    /**
     * Shows a part until the next record. The first one of a BOUNDARY record is the call as a COMMAND of its buckets at home, with the hash of
     * the changes there. The second one is the changes elsewhere as a DATA record. A part of a CALLS record is a COMMAND with an id of its
     * own. Any other record is its only part.
     */
    public void showPart(int part) {
        if (whole == RecordKind.BOUNDARY) {
            boolean home = part == 0;
            kind = home ? RecordKind.COMMAND : RecordKind.DATA;
            payload = home ? boundary.call() : boundary.rows();
            payloadBytes = home ? boundary.callBytes() : boundary.rowsBytes();
            bucketCount = boundary.list(home, buckets);
        } else if (whole == RecordKind.CALLS) {
            calls.moveTo(part);
            kind = RecordKind.COMMAND;
            transactionId = recordId + calls.idDifference();
            writeHash = calls.writeHash();
            bucketCount = calls.list(buckets);
            answers = calls.answers();
            answersBytes = calls.answersBytes();
            payload = calls.call();
            payloadBytes = calls.callBytes();
        }
    }

    /** Whether it is the call of a BOUNDARY or a CALLS record, which runs at home alone. */
    public boolean hasAnswers() {
        return kind == RecordKind.COMMAND && whole != RecordKind.COMMAND;
    }

    /** The address of the answers from elsewhere; only of a BOUNDARY record, or of a call that is shown. */
    public long answers() {
        return answers;
    }

    /** The bytes of the answers from elsewhere; only of a BOUNDARY record, or of a call that is shown. */
    public int answersBytes() {
        return answersBytes;
    }

    private void buckets(long recordEnd) {
        long count = varint(recordEnd);
        if (count < 2 || count > buckets.length) {
            throw malformed();
        }
        bucketCount = (int) count;
        for (int i = 0; i < bucketCount; i++) {
            buckets[i] = (int) varint(recordEnd);
        }
    }

    private void readCallers(long recordEnd) {
        caller(recordEnd);
        nextCaller = at;
        if (anotherFollows) {
            while (anotherFollows && at <= recordEnd) {
                caller(recordEnd);
            }
            readCaller(callers, recordEnd);
        }
    }

    /** Reads the caller at an address, and stays where the cursor is. */
    private void readCaller(long address, long limit) {
        long behind = at;
        at = address;
        caller(limit);
        nextCaller = at;
        at = behind;
    }

    /** Moves to the record's next caller. Returns false behind the last one; then the first one is read again. */
    public boolean nextCaller() {
        if (!hasCaller) {
            return false;
        }
        boolean found = anotherFollows;
        readCaller(found ? nextCaller : callers, payload);
        return found;
    }

    private void caller(long recordEnd) {
        client = recordEnd - at >= Long.BYTES ? memory.getLong(at) : 0;
        at += Long.BYTES;
        sequence = varint(recordEnd);
        int kindByte = at < recordEnd ? memory.getByte(at) & 0xFF : 0;
        resultKind = kindByte & ~LogFormat.ANOTHER_CALLER;
        anotherFollows = (kindByte & LogFormat.ANOTHER_CALLER) != 0;
        at++;
        resultWord = Varint.unfold(varint(recordEnd));
    }

    /** Whether the client numbered the call, so that a repetition is recognized. A batch has several callers, see {@link #nextCaller}. */
    public boolean hasCaller() {
        return hasCaller;
    }

    /** The client's id; only with {@link #hasCaller}. */
    public long client() {
        return client;
    }

    /** The client's number of the call; only with {@link #hasCaller}. */
    public long sequence() {
        return sequence;
    }

    /** The kind of result that the call had; only with {@link #hasCaller}. */
    public int resultKind() {
        return resultKind;
    }

    /** The result if it is a number; only with {@link #hasCaller}. */
    public long resultWord() {
        return resultWord;
    }

    /** The record's kind. */
    public RecordKind kind() {
        return kind;
    }

    /** The id of the record's transaction, also while a call is shown that has an id of its own. */
    public long recordId() {
        return recordId;
    }

    /** The transaction's id; of a call that is shown that of the call. */
    public long transactionId() {
        return transactionId;
    }

    /** Whether the transaction ran on several partitions. */
    public boolean isMultiPartition() {
        return partition < 0;
    }

    /** The partition on which the transaction ran, as numbered then; -1 for several. */
    public int partition() {
        return partition;
    }

    /** The part of the database that the transaction was confined to. */
    public Confinement confinement() {
        if (bucketCount > 0) {
            return Confinement.BUCKETS;
        }
        return partition < 0 ? Confinement.PARTITIONS : Confinement.PARTITION;
    }

    /** The only bucket to which the transaction was confined, or -1. */
    public int bucket() {
        return bucketCount == 1 ? buckets[0] : -1;
    }

    /** The number of buckets to which the transaction was confined; 0 if it wasn't confined to buckets. */
    public int bucketCount() {
        return bucketCount;
    }

    /** One of these buckets, in the order of the call's routing parameters. */
    public int bucket(int number) {
        return buckets[number];
    }

    /** The transaction's write hash; only of COMMAND, DATA and CALLS records. A BOUNDARY record has that of the changes at home. */
    public int writeHash() {
        return writeHash;
    }

    /** A copy of the payload. */
    public byte[] payloadCopy() {
        byte[] bytes = new byte[payloadBytes];
        MemorySegment.copy(memory().segment(), ValueLayout.JAVA_BYTE, payload, bytes, 0, bytes.length);
        return bytes;
    }

    /** The memory of the payload. */
    public Memory memory() {
        return memory;
    }

    /** The address of the payload's first byte. */
    public long payload() {
        return payload;
    }

    /** The length of the payload. */
    public int payloadBytes() {
        return payloadBytes;
    }

    /** The address of what follows the header: a list of buckets, the caller, the payload. */
    long body() {
        return body;
    }

    /** The number of bytes from {@link #body} on. */
    int bodyBytes() {
        return (int) (payload + payloadBytes - body);
    }

    /** The flags of a list of buckets and a caller. */
    int bodyFlags() {
        return (bucketCount > 1 ? LogFormat.RECORD_BUCKET : 0) | (hasCaller ? LogFormat.RECORD_CALLER : 0);
    }

    /**
     * A copy of the record as a frame whose transaction ids begin at 0 has it, for other replicas of its partition.
     *
     * @param scratch has room for {@link #copyBytes} at the address
     */
    public byte[] copy(Memory scratch, long address) {
        int length = copyTo(scratch, address);
        byte[] bytes = new byte[length];
        MemorySegment.copy(scratch.segment(), ValueLayout.JAVA_BYTE, address, bytes, 0, length);
        return bytes;
    }

    /** Writes the same copy to an address that has room for {@link #copyBytes}. Returns its length. */
    public int copyTo(Memory scratch, long address) {
        if (kind != whole) {
            return (int) (BoundaryParts.copyShown(this, scratch, address) - address);
        }
        long to = RecordHeader.put(
                scratch,
                address,
                kind.code() | bodyFlags(),
                partition,
                bucket(),
                writeHash,
                Varint.fold(transactionId),
                bodyBytes());
        scratch.copyFrom(memory, body, to, bodyBytes());
        return (int) (to - address) + bodyBytes();
    }

    /**
     * Writes a copy that is a data record with another payload instead of this one.
     *
     * @param scratch has room for {@link #copyBytes} and the payload at the address
     */
    public int copyAsDataTo(Memory scratch, long address, Memory from, long otherPayload, int bytes) {
        int head = (int) (payload - body);
        long to = RecordHeader.put(
                scratch,
                address,
                RecordKind.DATA.code() | bodyFlags(),
                partition,
                bucket(),
                writeHash,
                Varint.fold(transactionId),
                head + bytes);
        scratch.copyFrom(memory, body, to, head);
        scratch.copyFrom(from, otherPayload, to + head, bytes);
        return (int) (to - address) + head + bytes;
    }

    /** The room that {@link #copy} needs. */
    public long copyBytes() {
        return bodyBytes() + LogFormat.MOST_RECORD_HEADER + 2L * Varint.MOST_BYTES;
    }

    /** The record's number in the frame, from 0. */
    public int index() {
        return index;
    }

    /** The position of the frame, which together with {@link #index} identifies the record. */
    public long framePosition() {
        return frame.position();
    }

    private long varint(long limit) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE && at < limit; shift += 7) {
            byte group = memory.getByte(at);
            at++;
            value |= (long) (group & 0x7F) << shift;
            if (group >= 0) {
                return value;
            }
        }
        throw frame.damaged("a number in record " + (index + 1) + " of the frame makes no sense");
    }

    private DamagedLogException malformed() {
        return frame.damaged("record " + (index + 1) + " of the frame makes no sense");
    }
}

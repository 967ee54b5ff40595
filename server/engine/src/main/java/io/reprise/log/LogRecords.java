package io.reprise.log;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/** Goes through the records of a {@link LogFrame}. One thread; several can go through one frame, each with its own. */
public final class LogRecords {
    private LogFrame frame;
    private Memory memory;
    private long at;
    private long end;
    private int index;
    private RecordKind kind;
    private long transactionId;
    private int partition;
    private int bucket;
    private int writeHash;
    private long payload;
    private int payloadBytes;
    private boolean hasCaller;
    private long client;
    private long sequence;
    private int resultKind;
    private long resultWord;

    /** Begins before the first record of a frame. */
    public void wrap(LogFrame newFrame) {
        frame = newFrame;
        memory = newFrame.memory();
        at = newFrame.start();
        end = at + newFrame.bytes();
        index = -1;
        transactionId = newFrame.firstTransaction();
    }

    /** Moves to the next record. Returns whether there is one. */
    public boolean next() {
        if (at >= end) {
            return false;
        }
        int flags = memory.getByte(at) & 0xFF;
        at++;
        kind = RecordKind.ofCode(flags & LogFormat.RECORD_KIND_MASK);
        long length = varint(end);
        if (kind == null || length < 0 || length > end - at) {
            throw frame.damaged("record " + (index + 1) + " of the frame makes no sense");
        }
        long recordEnd = at + length;
        transactionId += Varint.unfold(varint(recordEnd));
        partition = (flags & LogFormat.RECORD_MULTI) != 0 ? -1 : (int) varint(recordEnd);
        bucket = (flags & LogFormat.RECORD_BUCKET) != 0 ? (int) varint(recordEnd) : -1;
        writeHash = 0;
        if ((flags & LogFormat.RECORD_HASH) != 0) {
            writeHash = recordEnd - at >= Integer.BYTES ? memory.getInt(at) : 0;
            at += Integer.BYTES;
        }
        hasCaller = (flags & LogFormat.RECORD_CALLER) != 0;
        if (hasCaller && at <= recordEnd) {
            caller(recordEnd);
        }
        if (at > recordEnd) {
            throw frame.damaged("record " + (index + 1) + " of the frame makes no sense");
        }
        payload = at;
        payloadBytes = (int) (recordEnd - at);
        at = recordEnd;
        index++;
        return true;
    }

    private void caller(long recordEnd) {
        client = recordEnd - at >= Long.BYTES ? memory.getLong(at) : 0;
        at += Long.BYTES;
        sequence = varint(recordEnd);
        resultKind = at < recordEnd ? memory.getByte(at) : 0;
        at++;
        resultWord = Varint.unfold(varint(recordEnd));
    }

    /** Whether a client gave the call a number, by which it is known if it comes again. */
    public boolean hasCaller() {
        return hasCaller;
    }

    /** The client's id, if there is a caller. */
    public long client() {
        return client;
    }

    /** The client's number of the call, if there is a caller. */
    public long sequence() {
        return sequence;
    }

    /** What kind of result the call had, if there is a caller. */
    public int resultKind() {
        return resultKind;
    }

    /** The result where it is a number, if there is a caller. */
    public long resultWord() {
        return resultWord;
    }

    /** What it holds. */
    public RecordKind kind() {
        return kind;
    }

    /** Whose record it is. */
    public long transactionId() {
        return transactionId;
    }

    /** Whether the transaction ran on several partitions. */
    public boolean isMultiPartition() {
        return partition < 0;
    }

    /** The partition that it ran on, as they were numbered then; -1 for several. */
    public int partition() {
        return partition;
    }

    /** The bucket to which the transaction was confined, or -1. */
    public int bucket() {
        return bucket;
    }

    /** The hash of what the transaction wrote; of COMMAND and DATA. */
    public int writeHash() {
        return writeHash;
    }

    /** Where the payload is. */
    public Memory memory() {
        return memory;
    }

    /** The address of the payload's first byte. */
    public long payload() {
        return payload;
    }

    /** How many bytes the payload has. */
    public int payloadBytes() {
        return payloadBytes;
    }

    /** Its number in the frame, from 0. */
    public int index() {
        return index;
    }

    /** The position of its frame; the record is found again by this and {@link #index}. */
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
}

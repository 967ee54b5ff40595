package io.reprise.log;

import io.reprise.id.BucketSet;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import java.lang.foreign.MemorySegment;

/**
 * Builds the payload of one record where the log writer will find it. One per {@link PartitionLog}, which begins it;
 * used over and over, allocates nothing.
 *
 * <p>Integers are little endian. A varint is the number in groups of 7 bits, low ones first, the high bit of each byte
 * but the last set; zigzag maps small negative numbers to small varints first.
 *
 * <p>A record that becomes larger than the setting allows throws {@link LogRecordTooLargeException}, at the latest out
 * of {@link #end}; nothing was published then, and the record counts as abandoned. So end it before the transaction
 * commits.
 */
public final class RecordBuilder {
    private final PartitionLog log;
    private final Memory ring;
    private final long maxBytes;
    private final long spillBytes;

    private Memory memory;
    private long at;
    private long limit;

    private Spill spill;
    private long entry;
    private long start;
    private int kind;
    private long transactionId;
    private int bucket;
    private int writeHash;
    private int flags;

    RecordBuilder(PartitionLog log, Memory ring, long maxBytes, long spillBytes) {
        this.log = log;
        this.ring = ring;
        this.memory = ring;
        this.maxBytes = maxBytes;
        this.spillBytes = spillBytes;
    }

    void start(
            long entryAddress,
            long endAddress,
            RecordKind newKind,
            long newTransactionId,
            int newBucket,
            int newWriteHash) {
        if (memory != ring) {
            memory = ring;
        }
        entry = entryAddress;
        start = entryAddress + RingEntry.HEADER;
        at = start;
        limit = endAddress;
        kind = newKind.code();
        transactionId = newTransactionId;
        bucket = newBucket;
        writeHash = newWriteHash;
        flags = 0;
    }

    /**
     * Lists the buckets to which the transaction was confined, for a record that was begun without a bucket. The list comes before
     * everything else, and readers do not count it as payload.
     */
    public RecordBuilder putBuckets(BucketSet buckets) {
        Invariants.check(at == start && bucket < 0, "a log record's buckets come first, transaction", transactionId);
        flags |= LogFormat.RECORD_BUCKET;
        int count = buckets.size();
        putVarint(count);
        for (int i = 0; i < count; i++) {
            putVarint(buckets.get(i));
        }
        return this;
    }

    /**
     * Names the client's call and its result. They come before the payload and behind {@link #putBuckets}; readers do not count them
     * as payload.
     *
     * @param client the client's id
     * @param sequence the client's number of the call
     * @param resultKind the kind of result, 0 to 127
     * @param resultWord the result, if it is a number
     */
    public RecordBuilder putCaller(long client, long sequence, int resultKind, long resultWord) {
        return putCaller(client, sequence, resultKind, resultWord, false);
    }

    /** Names one of several callers, as a batch of transactions has them; another one follows all but the last. */
    public RecordBuilder putCaller(
            long client, long sequence, int resultKind, long resultWord, boolean anotherFollows) {
        flags |= LogFormat.RECORD_CALLER;
        putLong(client);
        putVarint(sequence);
        putByte((byte) (anotherFollows ? resultKind | LogFormat.ANOTHER_CALLER : resultKind));
        return putZigzag(resultWord);
    }

    /** One byte. */
    public RecordBuilder putByte(byte value) {
        ensure(1);
        memory.putByte(at, value);
        at++;
        return this;
    }

    /** Four bytes. */
    public RecordBuilder putInt(int value) {
        ensure(Integer.BYTES);
        memory.putInt(at, value);
        at += Integer.BYTES;
        return this;
    }

    /** Eight bytes. */
    public RecordBuilder putLong(long value) {
        ensure(Long.BYTES);
        memory.putLong(at, value);
        at += Long.BYTES;
        return this;
    }

    /** Eight bytes: the bits of a double, as they are. */
    public RecordBuilder putDouble(double value) {
        return putLong(Double.doubleToRawLongBits(value));
    }

    /** 1 to 10 bytes; a negative number takes 10. */
    public RecordBuilder putVarint(long value) {
        ensure(Varint.MOST_BYTES);
        at = Varint.putRoomy(memory, at, value);
        return this;
    }

    /** 1 to 10 bytes, few for a number near 0. */
    public RecordBuilder putZigzag(long value) {
        return putVarint(Varint.fold(value));
    }

    /** Bytes as they are. */
    public RecordBuilder putBytes(MemorySegment source, long offset, long length) {
        ensure(length);
        memory.copyIn(source, offset, at, length);
        at += length;
        return this;
    }

    /** Bytes as they are; not for the hot path. */
    public RecordBuilder putBytes(byte[] source) {
        return putBytes(MemorySegment.ofArray(source), 0, source.length);
    }

    /** A string: the number of its bytes in UTF-8 as a varint, then these. */
    public RecordBuilder putString(String text) {
        int bytes = Utf8.bytes(text);
        putVarint(bytes);
        ensure(bytes);
        at = Utf8.put(memory, at, text);
        return this;
    }

    /** Makes room for so many bytes where the next one belongs, and returns that address. */
    public long makeRoom(long bytes) {
        ensure(bytes);
        return at;
    }

    /** The memory of the record, for callers that write into it themselves; then {@link #wroteUpTo} has to be told. */
    public Memory memory() {
        return memory;
    }

    /** The address of the next byte in the memory. */
    public long address() {
        return at;
    }

    /** Behind the last byte that can be written there without further ado. */
    public long limit() {
        return limit;
    }

    /** Says that the bytes up to this address have been written. */
    public void wroteUpTo(long address) {
        Invariants.check(address >= at && address <= limit, "a log record was written beyond its room, up to", address);
        at = address;
    }

    /** The number of the payload's bytes so far. */
    public long payloadBytes() {
        return at - start;
    }

    /** The room that {@link #copyTo} needs. */
    public long copyBytes() {
        return payloadBytes() + LogFormat.MOST_RECORD_HEADER + 2L * Varint.MOST_BYTES;
    }

    /**
     * Copies the record as a frame whose transaction ids begin at 0 has it, for other replicas of its partition. Before it ends.
     *
     * @return the address behind the copy
     */
    public long copyTo(Memory target, long address) {
        int payload = (int) (at - start);
        long to = RecordHeader.put(
                target, address, kind | flags, log.partition(), bucket, writeHash, Varint.fold(transactionId), payload);
        target.copyFrom(memory, start, to, payload);
        return to + payload;
    }

    /** Everything behind the header of another replica's record. */
    RecordBuilder putBody(LogRecords record) {
        flags |= record.bodyFlags();
        return putBytes(record.memory().segment(), record.body(), record.bodyBytes());
    }

    /** Whether it has grown beyond what the ring has place for, and goes beside it. */
    public boolean isSpilled() {
        return memory != ring;
    }

    /** Forgets the record. */
    public void abandon() {
        if (memory != ring) {
            spill.used(at - Spill.START);
            spill.clear();
        }
        log.abandoned();
    }

    /** Publishes the record of a transaction of this partition alone. Returns its position in the partition's log. */
    public long end() {
        checkSize();
        return memory == ring ? endInRing(0) : endSpilled(0);
    }

    /**
     * Publishes the record of a transaction that had other partitions besides, all of which are lent to the caller:
     * the log will hold the record behind everything that they have published up to now, and before everything that
     * they publish from now on.
     *
     * @param participants the partitions' logs; this one may be among them
     * @param count number of elements of the array that are meant
     * @return the record's position in the log of the partition that the record was begun for
     */
    public long end(PartitionLog[] participants, int count) {
        checkSize();
        int others = 0;
        ensure((long) count * Integer.BYTES);
        long list = at;
        for (int i = 0; i < count; i++) {
            PartitionLog participant = participants[i];
            if (participant != log) {
                participant.mark(transactionId, log.ring());
                memory.putInt(list, participant.ring());
                list += Integer.BYTES;
                others++;
            }
        }
        return memory == ring ? endInRing(others) : endSpilled(others);
    }

    private long endInRing(int others) {
        int payload = (int) (at - start);
        int bytes = RingEntry.align(RingEntry.HEADER + payload + others * Integer.BYTES);
        putHeader(RingEntry.RECORD, bytes, payload, others);
        return log.publish(bytes);
    }

    private long endSpilled(int others) {
        int payload = (int) (at - start);
        putHeader(RingEntry.SPILLED, RingEntry.HEADER, payload, others);
        spill.used(payload + (long) others * Integer.BYTES);
        log.spill(spill);
        spill = null;
        return log.publish(RingEntry.HEADER);
    }

    private void putHeader(byte type, int bytes, int payload, int others) {
        ring.putLong(entry + RingEntry.BYTES, RingEntry.firstWord(bytes, type, kind | flags, others));
        ring.putLong(entry + RingEntry.TRANSACTION, transactionId);
        ring.putLong(entry + RingEntry.BUCKET, bucket & 0xFFFF_FFFFL | (long) writeHash << Integer.SIZE);
        ring.putLong(entry + RingEntry.PAYLOAD_BYTES, payload);
    }

    private void ensure(long bytes) {
        if (limit - at < bytes) {
            grow(bytes);
        }
    }

    /** Moves from the ring to memory of its own, or gives up. */
    private void grow(long bytes) {
        if (memory != ring || at - start + bytes > spillBytes) {
            throw tooLarge();
        }
        if (spill == null) {
            spill = log.newSpill();
        }
        long built = at - start;
        Memory target = spill.memory();
        target.copyFrom(ring, start, Spill.START, built);
        memory = target;
        start = Spill.START;
        at = Spill.START + built;
        limit = spill.end();
    }

    private void checkSize() {
        if (at - start > maxBytes) {
            throw tooLarge();
        }
    }

    private LogRecordTooLargeException tooLarge() {
        abandon();
        return new LogRecordTooLargeException(maxBytes);
    }

    void close() {
        if (spill != null) {
            spill.close();
        }
    }
}

package io.reprise.log;

import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.memory.Memory;

/**
 * The consumer's side of a {@link PartitionLog}, owned by the log writer's thread: looks at the oldest entry, passes it
 * when it is in a batch, and says how far all is durable.
 */
final class RingCursor {
    private final int ring;
    private final int partition;
    private final Memory memory;
    private final long start;
    private final long mask;
    private final PublishedLong published;
    private final PublishedLong consumed;
    private final PublishedLong durable;
    private final PublishedLong asks;
    private final PartitionLog log;

    private long head;
    private long end;
    private long writtenHead;
    private long durableHead;
    private Spill spill;
    private long spilledTaken;
    private long asksNoted;
    private long asksAnswered;

    RingCursor(
            int ring,
            int partition,
            Memory memory,
            long start,
            long mask,
            PublishedLong published,
            PublishedLong consumed,
            PublishedLong durable,
            PublishedLong asks,
            PartitionLog log) {
        this.ring = ring;
        this.partition = partition;
        this.memory = memory;
        this.start = start;
        this.mask = mask;
        this.published = published;
        this.consumed = consumed;
        this.durable = durable;
        this.asks = asks;
        this.log = log;
    }

    int ring() {
        return ring;
    }

    int partition() {
        return partition;
    }

    /** Whether there is an entry at the head. */
    boolean hasEntry() {
        if (head < end) {
            return true;
        }
        end = published.get();
        return head < end;
    }

    /** The number of waiting bytes, as far as known. */
    long waitingBytes() {
        end = published.get();
        return end - head;
    }

    /** The number of bytes of records beside the ring, as far as known. */
    long spilledBytes() {
        return log.spilled() - spilledTaken;
    }

    byte type() {
        return memory.getByte(entry() + RingEntry.TYPE);
    }

    int kind() {
        return memory.getByte(entry() + RingEntry.KIND);
    }

    long transactionId() {
        return memory.getLong(entry() + RingEntry.TRANSACTION);
    }

    int bucket() {
        return memory.getInt(entry() + RingEntry.BUCKET);
    }

    int writeHash() {
        return memory.getInt(entry() + RingEntry.HASH);
    }

    int payloadBytes() {
        return memory.getInt(entry() + RingEntry.PAYLOAD_BYTES);
    }

    int participants() {
        return memory.getShort(entry() + RingEntry.PARTICIPANTS);
    }

    /** The ring of another partition that the transaction ran on. */
    int participant(int index) {
        return payloadMemory().getInt(payload() + payloadBytes() + (long) index * Integer.BYTES);
    }

    /** Whether the ring has come to the place where the transaction stands whose record is in another ring. */
    boolean isAt(long transactionId, int home) {
        return hasEntry()
                && type() == RingEntry.JOIN
                && transactionId() == transactionId
                && memory.getInt(entry() + RingEntry.HOME) == home;
    }

    /** The memory of the payload. */
    Memory payloadMemory() {
        if (type() != RingEntry.SPILLED) {
            return memory;
        }
        if (spill == null) {
            spill = log.pollSpill();
        }
        return spill.memory();
    }

    /** The address of the payload in its memory. */
    long payload() {
        return type() == RingEntry.SPILLED ? Spill.START : entry() + RingEntry.HEADER;
    }

    /** Goes to the next entry. The room of this one is the producer's again after {@link #release}. */
    void pass() {
        head += memory.getInt(entry() + RingEntry.BYTES);
        if (spill != null) {
            spilledTaken += spill.used();
            log.giveBack(spill, spilledTaken);
            spill = null;
        }
    }

    /** Gives the room of what was passed back. */
    void release() {
        consumed.set(head);
    }

    /** Entries passed up to now will be in the next force. */
    void markWritten() {
        writtenHead = head;
    }

    /** Entries written before the last force are durable. Returns whether there are more of them than before. */
    boolean publishDurable() {
        if (durableHead == writtenHead) {
            return false;
        }
        durableHead = writtenHead;
        durable.set(durableHead);
        return true;
    }

    /** Tells whether the partition's site asks for a force. A later look sees its earlier records. */
    boolean noteAsks() {
        asksNoted = asks.get();
        return asksNoted != asksAnswered;
    }

    /** The records of the request have been forced. */
    void answerAsks() {
        asksAnswered = asksNoted;
    }

    private long entry() {
        return start + (head & mask);
    }
}

package io.reprise.execution.durable;

import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.memory.Memory;

/**
 * The images of the commands that one partition has run: for each, the payload that a data record would have, in the order of the
 * partition's log. The holder of the partition writes an image at commit, before the command's record. The agent that sorts the log reads
 * it when the record is durable. The log needs no image, so a full ring leaves one out.
 *
 * <pre>
 *   0  8  transaction id
 *   8  8  length of the payload; -1: the rest of the ring is unused
 *  16     payload, filled up to a multiple of 16 bytes
 * </pre>
 *
 * <p>An entry never wraps around. One producer, one consumer.
 */
public final class ImageRing implements AutoCloseable {
    private static final long START = 64;
    private static final int HEADER = 2 * Long.BYTES;
    private static final long UNUSED = -1;

    /** A longer image is left out, so that one transaction does not cost the images of many. */
    private static final int LONGEST_SHARE = 8;

    private final Memory memory;
    private final long capacity;
    private final PublishedLong published = new PublishedLong();
    private final PublishedLong consumed = new PublishedLong();

    // The producer's.
    private long tail;
    private long seenConsumed;

    /** The position of the entry that was claimed last. */
    private long claimed;

    // The consumer's.
    private long head;

    /**
     * An empty ring.
     *
     * @param bytes a power of two; memory is taken as it is used
     */
    public ImageRing(long bytes) {
        Invariants.check(Long.bitCount(bytes) == 1, "a ring of images has a power of two bytes, not", bytes);
        capacity = bytes;
        memory = Memory.reserve(START + bytes + Memory.HUGE_PAGE);
    }

    /** Producer: makes room for an image. Returns the address to write it to; 0 if there is no room. */
    public long claim(long bytes) {
        long need = entryBytes(bytes);
        if (need > capacity / LONGEST_SHARE) {
            return 0;
        }
        long rest = capacity - (tail & capacity - 1);
        long skipped = rest < need ? rest : 0;
        if (capacity - (tail - seenConsumed) < skipped + need) {
            seenConsumed = consumed.get();
            if (capacity - (tail - seenConsumed) < skipped + need) {
                return 0;
            }
        }
        if (skipped > 0) {
            memory.putLong(address(tail) + Long.BYTES, UNUSED);
        }
        claimed = tail + skipped;
        return address(claimed) + HEADER;
    }

    /** Producer: ends the image that was claimed last. A claim that is not published leaves nothing. */
    public void publish(long transactionId, long end) {
        long entry = address(claimed);
        long length = end - entry - HEADER;
        memory.putLong(entry, transactionId);
        memory.putLong(entry + Long.BYTES, length);
        tail = claimed + entryBytes(length);
        published.set(tail);
    }

    private static long entryBytes(long payload) {
        return HEADER + payload + HEADER - 1 & -HEADER;
    }

    private long address(long position) {
        return START + (position & capacity - 1);
    }

    /** The memory of images. */
    public Memory memory() {
        return memory;
    }

    /** Any thread: the bytes of images that were not consumed yet. */
    public long waiting() {
        return published.get() - consumed.get();
    }

    /** The room for images. */
    public long capacity() {
        return capacity;
    }

    /** Consumer: whether there is an image. The methods below are about the first one. */
    public boolean hasNext() {
        if (head == published.get()) {
            return false;
        }
        if (memory.getLong(address(head) + Long.BYTES) == UNUSED) {
            // The producer publishes the unused rest together with the entry behind it.
            head += capacity - (head & capacity - 1);
        }
        return true;
    }

    /** Consumer: the id of the transaction. */
    public long transactionId() {
        return memory.getLong(address(head));
    }

    /** Consumer: the address of the payload. */
    public long payload() {
        return address(head) + HEADER;
    }

    /** Consumer: its length. */
    public int payloadBytes() {
        return (int) memory.getLong(address(head) + Long.BYTES);
    }

    /** Consumer: goes on to the next image, and gives the room back. */
    public void release() {
        head += entryBytes(payloadBytes());
        consumed.set(head);
    }

    /** When no thread uses it any more. */
    @Override
    public void close() {
        memory.close();
    }
}

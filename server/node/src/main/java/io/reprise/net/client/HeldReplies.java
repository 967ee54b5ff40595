package io.reprise.net.client;

import io.reprise.execution.Invocation;
import io.reprise.wire.MessageWriter;
import java.util.ArrayDeque;

/**
 * Replies of all connections of a site that were encoded when their transactions ended, and wait for the log, in that order.
 * They lie one behind the other, so that thousands of them take little of the processor's cache; those that may leave are
 * copied to the ends of their connections' frames. Owned by the site's thread.
 */
final class HeldReplies {
    private static final int CHUNK_BYTES = 32 << 10;
    private static final int LARGEST_POOLED_BYTES = 2 * CHUNK_BYTES;
    private static final int MOST_POOLED_BYTES = 16 * LARGEST_POOLED_BYTES;
    private static final int INITIAL = 256;

    private final WriterPool pool;

    /** The last is being written, the first is being read. */
    private final ArrayDeque<ResultWriter> chunks = new ArrayDeque<>();

    /** Whose reply it is, and how many bytes it has. */
    private Outbox[] outboxes = new Outbox[INITIAL];

    private int[] lengths = new int[INITIAL];
    private long head;
    private long tail;
    private long bytes;
    private int lastLength;
    private ResultWriter writing;
    private ResultWriter reading;
    private int readTo;

    /** Results are encoded up to that length. */
    HeldReplies(int maxResultBytes, EncodedColumns columns) {
        pool = new WriterPool(CHUNK_BYTES, maxResultBytes, columns, LARGEST_POOLED_BYTES, MOST_POOLED_BYTES);
        begin();
    }

    int size() {
        return (int) (tail - head);
    }

    /** How many bytes all of them have. */
    long bytes() {
        return bytes;
    }

    /** Encodes what a call came to. Returns null, or what was wrong with it, as {@link ResultWriter#ended} does. */
    Throwable add(Outbox outbox, long id, Invocation ended) {
        if (tail - head == outboxes.length) {
            grow();
        }
        if (writing.bytes().length() >= CHUNK_BYTES) {
            addChunk();
        }
        int before = writing.bytes().length();
        Throwable problem = writing.ended(id, ended);
        int at = (int) tail++ & outboxes.length - 1;
        lastLength = writing.bytes().length() - before;
        outboxes[at] = outbox;
        lengths[at] = lastLength;
        outbox.heldBytes += lastLength;
        bytes += lastLength;
        return problem;
    }

    /** How many bytes the last one has that was added. */
    int lastLength() {
        return lastLength;
    }

    /** Whose the first is; only if there is one. */
    Outbox first() {
        return outboxes[(int) head & outboxes.length - 1];
    }

    /** Copies the first. */
    void copyFirst(MessageWriter to) {
        turnPage();
        to.append(reading.bytes(), readTo, readTo + lengths[(int) head & outboxes.length - 1]);
    }

    /** It is not held any more. */
    void removeFirst() {
        int at = (int) head++ & outboxes.length - 1;
        turnPage();
        readTo += lengths[at];
        outboxes[at].heldBytes -= lengths[at];
        bytes -= lengths[at];
        outboxes[at] = null;
        if (head == tail) {
            // All have been read: the memory that is in the cache is used again.
            while (!chunks.isEmpty()) {
                pool.giveBack(chunks.poll());
            }
            begin();
        }
    }

    /** A reply that begins where a full chunk ends is in the next one. */
    private void turnPage() {
        if (reading != writing && readTo == reading.bytes().length()) {
            pool.giveBack(chunks.removeFirst());
            reading = chunks.getFirst();
            readTo = 0;
        }
    }

    private void begin() {
        addChunk();
        reading = writing;
        readTo = 0;
    }

    private void addChunk() {
        writing = pool.take();
        chunks.add(writing);
    }

    private void grow() {
        int size = 2 * outboxes.length;
        Outbox[] moreOutboxes = new Outbox[size];
        int[] moreLengths = new int[size];
        for (long i = head; i < tail; i++) {
            moreOutboxes[(int) i & size - 1] = outboxes[(int) i & outboxes.length - 1];
            moreLengths[(int) i & size - 1] = lengths[(int) i & outboxes.length - 1];
        }
        outboxes = moreOutboxes;
        lengths = moreLengths;
    }
}

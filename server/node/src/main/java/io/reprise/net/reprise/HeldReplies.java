package io.reprise.net.reprise;

import io.reprise.execution.Invocation;
import io.reprise.wire.MessageWriter;
import java.util.ArrayDeque;

/**
 * The encoded replies of a site that wait for the log, in the order of their transactions. They lie one behind the other, so that
 * thousands of them take little of the processor's cache; durable ones are copied to their connections' frames. Owned by the
 * site's thread.
 */
final class HeldReplies {
    private static final int CHUNK_BYTES = 32 << 10;
    private static final int LARGEST_POOLED_BYTES = 2 * CHUNK_BYTES;
    private static final int MOST_POOLED_BYTES = 16 * LARGEST_POOLED_BYTES;
    private static final int INITIAL = 256;

    private final WriterPool pool;

    /** The last is being written, the first is being read. */
    private final ArrayDeque<ResultWriter> chunks = new ArrayDeque<>();

    /** The connection and the length of each reply. */
    private Outbox[] outboxes = new Outbox[INITIAL];

    private int[] lengths = new int[INITIAL];
    private long head;
    private long tail;
    private long bytes;
    private int lastLength;
    private ResultWriter writing;
    private ResultWriter reading;
    private int readTo;

    /** Replies with results up to this length. */
    HeldReplies(int maxResultBytes, EncodedColumns columns) {
        pool = new WriterPool(CHUNK_BYTES, maxResultBytes, columns, LARGEST_POOLED_BYTES, MOST_POOLED_BYTES);
        begin();
    }

    int size() {
        return (int) (tail - head);
    }

    /** The bytes of all replies. */
    long bytes() {
        return bytes;
    }

    /** Encodes the outcome of a call. Returns null or the problem, as {@link ResultWriter#ended} does. */
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

    /** The length of the last reply added. */
    int lastLength() {
        return lastLength;
    }

    /** The connection of the first reply; only if there is one. */
    Outbox first() {
        return outboxes[(int) head & outboxes.length - 1];
    }

    /** Copies the first reply. */
    void copyFirst(MessageWriter to) {
        turnPage();
        to.append(reading.bytes(), readTo, readTo + lengths[(int) head & outboxes.length - 1]);
    }

    /** Removes the first reply. */
    void removeFirst() {
        int at = (int) head++ & outboxes.length - 1;
        turnPage();
        readTo += lengths[at];
        outboxes[at].heldBytes -= lengths[at];
        bytes -= lengths[at];
        outboxes[at] = null;
        if (head == tail) {
            // Memory that is in the processor's cache is used again.
            while (!chunks.isEmpty()) {
                pool.giveBack(chunks.poll());
            }
            begin();
        }
    }

    /** A reply that would begin at the end of a full chunk is in the next one. */
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

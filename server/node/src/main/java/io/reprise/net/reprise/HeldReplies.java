package io.reprise.net.reprise;

import io.reprise.execution.Execution;
import io.reprise.wire.MessageWriter;
import java.util.Arrays;

/**
 * The encoded replies of a site that must not be sent yet, each found by a ticket. They lie one behind the other in chunks, so
 * that thousands of them take little of the processor's cache; a chunk is used again when all of its replies have gone. Owned by
 * the site's thread.
 */
final class HeldReplies {
    private static final int CHUNK_BYTES = 32 << 10;
    private static final int LARGEST_POOLED_BYTES = 2 * CHUNK_BYTES;
    private static final int MOST_POOLED_BYTES = 16 * LARGEST_POOLED_BYTES;
    private static final int INITIAL = 256;

    private final WriterPool pool;

    /** By ticket: connection, chunk, and place in the chunk. */
    private Outbox[] outboxes = new Outbox[INITIAL];

    private Chunk[] chunks = new Chunk[INITIAL];
    private int[] froms = new int[INITIAL];
    private int[] lengths = new int[INITIAL];

    /** The tickets that are free, the one that was used last on top. */
    private int[] free = new int[INITIAL];

    private int freeCount;
    private int made;
    private long bytes;
    private int lastLength;
    private Chunk writing;

    /** Replies that lie one behind the other. */
    private static final class Chunk {
        private final ResultWriter writer;
        private int replies;

        Chunk(ResultWriter writer) {
            this.writer = writer;
        }
    }

    /** Replies with results up to this length. */
    HeldReplies(int maxResultBytes, EncodedColumns columns) {
        pool = new WriterPool(CHUNK_BYTES, maxResultBytes, columns, LARGEST_POOLED_BYTES, MOST_POOLED_BYTES);
        writing = new Chunk(pool.take());
    }

    int size() {
        return made - freeCount;
    }

    /** The bytes of all replies. */
    long bytes() {
        return bytes;
    }

    /** Encodes the outcome of a call under a ticket. Returns null or the problem, as {@link ResultWriter#ended} does. */
    Throwable add(int ticket, Outbox outbox, long id, Execution ended) {
        if (writing.writer.bytes().length() >= CHUNK_BYTES) {
            writing = new Chunk(pool.take());
        }
        int before = writing.writer.bytes().length();
        Throwable problem = writing.writer.ended(id, ended);
        lastLength = writing.writer.bytes().length() - before;
        writing.replies++;
        outboxes[ticket] = outbox;
        chunks[ticket] = writing;
        froms[ticket] = before;
        lengths[ticket] = lastLength;
        outbox.heldBytes += lastLength;
        bytes += lastLength;
        return problem;
    }

    /** A ticket for the next reply. */
    int ticket() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (made == outboxes.length) {
            grow();
        }
        return made++;
    }

    /** The length of the last reply added. */
    int lastLength() {
        return lastLength;
    }

    /** The connection of a reply. */
    Outbox outbox(int ticket) {
        return outboxes[ticket];
    }

    /** Copies a reply. */
    void copy(int ticket, MessageWriter to) {
        to.append(chunks[ticket].writer.bytes(), froms[ticket], froms[ticket] + lengths[ticket]);
    }

    /** Removes a reply. */
    void remove(int ticket) {
        outboxes[ticket].heldBytes -= lengths[ticket];
        bytes -= lengths[ticket];
        outboxes[ticket] = null;
        Chunk chunk = chunks[ticket];
        chunks[ticket] = null;
        free[freeCount++] = ticket;
        if (--chunk.replies > 0) {
            return;
        }
        pool.giveBack(chunk.writer);
        if (chunk == writing) {
            // Memory that is in the processor's cache is used again.
            writing = new Chunk(pool.take());
        }
    }

    private void grow() {
        int size = 2 * outboxes.length;
        outboxes = Arrays.copyOf(outboxes, size);
        chunks = Arrays.copyOf(chunks, size);
        froms = Arrays.copyOf(froms, size);
        lengths = Arrays.copyOf(lengths, size);
        free = Arrays.copyOf(free, size);
    }
}

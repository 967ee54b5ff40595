package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;

/**
 * Memory in which rows wait for others of their bucket. It is divided into chunks that chains take one by one, so that a
 * few large buckets and a thousand small ones fit equally well, and its size is fixed.
 */
final class BucketBuffers implements AutoCloseable {
    private static final int CHUNK = 4 << 10;
    private static final long START = Memory.PAGE;
    private static final int NONE = -1;

    private final Memory memory;
    private final int chunks;
    private final int[] next;
    private int free;
    private int freeCount;

    BucketBuffers(long bytes) {
        chunks = (int) Math.max(16, bytes / CHUNK);
        memory = Memory.reserve((long) chunks * CHUNK + 2L * Memory.HUGE_PAGE);
        next = new int[chunks];
        clear();
    }

    /** Empties all chains; whoever has some must forget them. */
    void clear() {
        for (int i = 0; i < chunks; i++) {
            next[i] = i + 1;
        }
        next[chunks - 1] = NONE;
        free = 0;
        freeCount = chunks;
    }

    /** Gives the memory back to the operating system; it can be used again all the same. */
    void trim() {
        memory.discard(START, (long) chunks * CHUNK);
    }

    /** The most that a row may have to wait here; a larger one needs a block of its own. */
    int largestRow() {
        return Math.clamp((long) chunks * CHUNK / 4, 0, Integer.MAX_VALUE);
    }

    /** Whether so many bytes more would fit. */
    boolean hasRoom(BucketChain chain, int bytes) {
        int inLast = chain.rows == 0 ? 0 : CHUNK - chain.usedInLast;
        return (long) freeCount * CHUNK + inLast >= bytes;
    }

    /** Appends bytes that lie in another memory; there has to be room. */
    void append(BucketChain chain, Memory source, long from, int bytes) {
        int done = 0;
        if (chain.bytes == 0) {
            chain.firstChunk = take();
            chain.lastChunk = chain.firstChunk;
            chain.usedInLast = 0;
        }
        while (done < bytes) {
            if (chain.usedInLast == CHUNK) {
                int chunk = take();
                next[chain.lastChunk] = chunk;
                chain.lastChunk = chunk;
                chain.usedInLast = 0;
            }
            int piece = Math.min(bytes - done, CHUNK - chain.usedInLast);
            memory.copyFrom(source, from + done, address(chain.lastChunk) + chain.usedInLast, piece);
            chain.usedInLast += piece;
            done += piece;
        }
        chain.bytes += bytes;
    }

    /** Moves what a chain has to an address of another memory. */
    void drain(BucketChain chain, Memory target, long to) {
        int chunk = chain.firstChunk;
        int done = 0;
        while (done < chain.bytes) {
            int piece = Math.min(CHUNK, chain.bytes - done);
            target.copyFrom(memory, address(chunk), to + done, piece);
            done += piece;
            int following = next[chunk];
            next[chunk] = free;
            free = chunk;
            freeCount++;
            chunk = following;
        }
        chain.bytes = 0;
        chain.rows = 0;
        chain.lastSequence = 0;
    }

    private int take() {
        int chunk = free;
        free = next[chunk];
        freeCount--;
        next[chunk] = NONE;
        return chunk;
    }

    private static long address(int chunk) {
        return START + (long) chunk * CHUNK;
    }

    @Override
    public void close() {
        memory.close();
    }
}

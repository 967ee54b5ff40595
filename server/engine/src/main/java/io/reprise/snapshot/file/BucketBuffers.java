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

    /** Empties all chains; their users must forget them. */
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

    /** Appends what a chain has to a block, group by group behind their heads, and empties the chain. */
    void drain(BucketChain chain, BlockPacker packer) {
        Memory target = packer.memory();
        int chunk = chain.firstChunk;
        int from = 0;
        for (int group = 0; group < chain.groups(); group++) {
            int left = chain.bytes(group);
            long at = packer.beginGroup(chain.table(group), chain.rows(group), left);
            while (left > 0) {
                if (from == CHUNK) {
                    chunk = release(chunk);
                    from = 0;
                }
                int piece = Math.min(left, CHUNK - from);
                target.copyFrom(memory, address(chunk) + from, at, piece);
                at += piece;
                from += piece;
                left -= piece;
            }
            packer.endAt(at);
        }
        release(chunk);
        chain.clear();
    }

    /** Frees a chunk, and returns the one behind it. */
    private int release(int chunk) {
        int following = next[chunk];
        next[chunk] = free;
        free = chunk;
        freeCount++;
        return following;
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

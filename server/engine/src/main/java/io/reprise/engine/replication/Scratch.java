package io.reprise.engine.replication;

import io.reprise.runtime.memory.Memory;

/** Memory for one record at a time, which grows as needed. Owned by one thread. */
final class Scratch implements AutoCloseable {
    /** The address of the record. */
    static final long START = 64;

    private static final long LEAST = 64 << 10;

    private Memory memory = Memory.reserve(START + LEAST + Memory.HUGE_PAGE);
    private long capacity = LEAST;

    /** Memory with room for so many bytes. */
    Memory memory(long bytes) {
        if (bytes > capacity) {
            memory.close();
            capacity = Long.highestOneBit(bytes) * 2;
            memory = Memory.reserve(START + capacity + Memory.HUGE_PAGE);
        }
        return memory;
    }

    @Override
    public void close() {
        memory.close();
    }
}

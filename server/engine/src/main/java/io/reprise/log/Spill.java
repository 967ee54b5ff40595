package io.reprise.log;

import io.reprise.runtime.memory.Memory;

/**
 * Memory for one record that was too large for its ring. Address space for the largest record is reserved, pages are
 * taken as they are written.
 */
final class Spill implements AutoCloseable {
    static final long START = 64;

    private final Memory memory;
    private final long end;

    private long used;

    Spill(long bytes) {
        memory = Memory.reserve(bytes + START + Memory.HUGE_PAGE);
        end = START + bytes;
    }

    Memory memory() {
        return memory;
    }

    long end() {
        return end;
    }

    /** The number of bytes of the record. */
    long used() {
        return used;
    }

    void used(long bytes) {
        used = bytes;
    }

    /** Makes it ready for the next one. */
    void clear() {
        memory.discard(START, used);
        used = 0;
    }

    @Override
    public void close() {
        memory.close();
    }
}

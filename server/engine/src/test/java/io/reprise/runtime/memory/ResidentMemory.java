package io.reprise.runtime.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The resident part of a memory, page by page as the system tells it. The process's total would say little: the JVM's
 * heap and compilers take and give back as much at any time.
 */
final class ResidentMemory {
    /** All that tests grow to lies below this. */
    private static final long LOOKED_AT = 1L << 30;

    /** Of the word that the system has for each page: it is there, or in the swap. */
    private static final long THERE = 0b11L << 62;

    private ResidentMemory() {}

    static long bytes(Memory memory) throws IOException {
        byte[] words = new byte[(int) (LOOKED_AT / Memory.PAGE * Long.BYTES)];
        try (RandomAccessFile map = new RandomAccessFile("/proc/self/pagemap", "r")) {
            map.seek(memory.segment().address() / Memory.PAGE * Long.BYTES);
            map.readFully(words);
        }
        ByteBuffer pages = ByteBuffer.wrap(words).order(ByteOrder.nativeOrder());
        long there = 0;
        while (pages.hasRemaining()) {
            there += (pages.getLong() & THERE) == 0 ? 0 : 1;
        }
        return there * Memory.PAGE;
    }
}

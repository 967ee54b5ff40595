package io.reprise.runtime.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * By way of one constant segment that covers the whole address space: the compiler folds its kind, scope and length away, and an
 * access is one comparison and the load or store.
 */
final class SegmentAccess {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private SegmentAccess() {}

    static byte getByte(long address) {
        return ALL.get(BYTE, address);
    }

    static short getShort(long address) {
        return ALL.get(SHORT, address);
    }

    static int getInt(long address) {
        return ALL.get(INT, address);
    }

    static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    static double getDouble(long address) {
        return ALL.get(DOUBLE, address);
    }

    static void putByte(long address, byte value) {
        ALL.set(BYTE, address, value);
    }

    static void putShort(long address, short value) {
        ALL.set(SHORT, address, value);
    }

    static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    static void putDouble(long address, double value) {
        ALL.set(DOUBLE, address, value);
    }
}

package io.reprise.runtime.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A large reserved range of off-heap memory, addressed by offsets from its start. Reserving costs nothing: the operating
 * system gives pages when they are first touched, and takes back what {@link #discard} names.
 *
 * <p>One segment for a whole partition rather than many small ones, because an access through one segment is about three
 * times as fast. Owned by one thread at a time; not synchronised. Offset 0 is never given out: it stands for "none".
 */
public final class Memory implements AutoCloseable {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private final MemorySegment segment;

    private Memory(MemorySegment segment) {
        this.segment = segment;
    }

    /** Reserves address space (not memory). */
    public static Memory reserve(long bytes) {
        throw new UnsupportedOperationException();
    }

    public byte getByte(long address) {
        return segment.get(ValueLayout.JAVA_BYTE, address);
    }

    public short getShort(long address) {
        return segment.get(SHORT, address);
    }

    public int getInt(long address) {
        return segment.get(INT, address);
    }

    public long getLong(long address) {
        return segment.get(LONG, address);
    }

    public double getDouble(long address) {
        return segment.get(DOUBLE, address);
    }

    public void putByte(long address, byte value) {
        segment.set(ValueLayout.JAVA_BYTE, address, value);
    }

    public void putShort(long address, short value) {
        segment.set(SHORT, address, value);
    }

    public void putInt(long address, int value) {
        segment.set(INT, address, value);
    }

    public void putLong(long address, long value) {
        segment.set(LONG, address, value);
    }

    public void putDouble(long address, double value) {
        segment.set(DOUBLE, address, value);
    }

    /** Copies within this memory. */
    public void copy(long from, long to, long length) {
        MemorySegment.copy(segment, from, segment, to, length);
    }

    /** Copies in from elsewhere. */
    public void copyIn(MemorySegment source, long sourceOffset, long to, long length) {
        MemorySegment.copy(source, sourceOffset, segment, to, length);
    }

    /** Compares two byte strings as unsigned bytes: negative, 0 or positive. */
    public int compare(long addressA, int lengthA, long addressB, int lengthB) {
        throw new UnsupportedOperationException();
    }

    /** The 64-bit hash of a byte string; the same on every machine and in every run, because buckets depend on it. */
    public long hash(long address, int length) {
        throw new UnsupportedOperationException();
    }

    /** The same hash for bytes that lie elsewhere. */
    public static long hash(MemorySegment source, long offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** Gives the pages that lie wholly within the range back to the operating system; they read as zero afterwards. */
    public void discard(long address, long length) {
        throw new UnsupportedOperationException();
    }

    /** The whole range, for views such as {@code Text}. */
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}

package io.reprise.runtime.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.internal.misc.Unsafe;

/**
 * Numbers at absolute addresses of this process, little endian on every machine, at any alignment. {@link Memory}
 * builds on it. An address that is not mapped kills the process. Any thread.
 *
 * <p>It uses the JDK's own Unsafe if the JVM was started with {@code --add-exports
 * java.base/jdk.internal.misc=ALL-UNNAMED}: a segment's access is about nine calls deep, and uses up what the
 * compiler allows for inlining. Otherwise it uses {@link SegmentAccess}. The choice is a constant to the compiler.
 */
final class RawAccess {
    /** Null where it can't be used. */
    private static final Unsafe UNSAFE = usable();

    private RawAccess() {}

    private static Unsafe usable() {
        try {
            Unsafe unsafe = Unsafe.getUnsafe();
            return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN && works(unsafe) ? unsafe : null;
        } catch (LinkageError e) {
            // The JVM was started without its flag, or is a later one that has changed: nothing is wrong, it is only
            // slower.
            return null;
        }
    }

    private static boolean works(Unsafe unsafe) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(Long.BYTES);
            unsafe.putLong(segment.address(), Long.MAX_VALUE);
            return unsafe.getLong(segment.address()) == Long.MAX_VALUE;
        }
    }

    /** Whether it is by Unsafe. */
    static boolean byUnsafe() {
        return UNSAFE != null;
    }

    static byte getByte(long address) {
        return UNSAFE != null ? UNSAFE.getByte(address) : SegmentAccess.getByte(address);
    }

    static short getShort(long address) {
        return UNSAFE != null ? UNSAFE.getShort(address) : SegmentAccess.getShort(address);
    }

    static int getInt(long address) {
        return UNSAFE != null ? UNSAFE.getInt(address) : SegmentAccess.getInt(address);
    }

    static long getLong(long address) {
        return UNSAFE != null ? UNSAFE.getLong(address) : SegmentAccess.getLong(address);
    }

    static double getDouble(long address) {
        return UNSAFE != null ? UNSAFE.getDouble(address) : SegmentAccess.getDouble(address);
    }

    static void putByte(long address, byte value) {
        if (UNSAFE != null) {
            UNSAFE.putByte(address, value);
        } else {
            SegmentAccess.putByte(address, value);
        }
    }

    static void putShort(long address, short value) {
        if (UNSAFE != null) {
            UNSAFE.putShort(address, value);
        } else {
            SegmentAccess.putShort(address, value);
        }
    }

    static void putInt(long address, int value) {
        if (UNSAFE != null) {
            UNSAFE.putInt(address, value);
        } else {
            SegmentAccess.putInt(address, value);
        }
    }

    static void putLong(long address, long value) {
        if (UNSAFE != null) {
            UNSAFE.putLong(address, value);
        } else {
            SegmentAccess.putLong(address, value);
        }
    }

    static void putDouble(long address, double value) {
        if (UNSAFE != null) {
            UNSAFE.putDouble(address, value);
        } else {
            SegmentAccess.putDouble(address, value);
        }
    }
}

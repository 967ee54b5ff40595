package io.reprise.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash by which a string or a binary value belongs to a bucket, as servers compute it and as docs/reference/formats/wire.md has it.
 * Databases are laid out by it, so it never changes.
 */
final class PartitioningHash {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long K0 = 0x9E3779B185EBCA87L;
    private static final long K1 = 0xC2B2AE3D27D4EB4FL;
    private static final long K2 = 0x165667B19E3779F9L;
    private static final long K3 = 0xD6E8FEB86659FD93L;
    private static final int LONG_VALUE = 64;

    private PartitioningHash() {}

    /** The hash of bytes, of a string those of its UTF-8. */
    static long of(byte[] bytes, int from, int length) {
        long h = K2 ^ (length * K0);
        int at = from;
        int end = from + length;
        if (length >= LONG_VALUE) {
            long a = h;
            long b = h ^ K1;
            long c = h ^ K2;
            long d = h ^ K3;
            for (; at + 32 <= end; at += 32) {
                a = lane(a, word(bytes, at));
                b = lane(b, word(bytes, at + 8));
                c = lane(c, word(bytes, at + 16));
                d = lane(d, word(bytes, at + 24));
            }
            h = step(step(step(a, b), c), d);
        }
        for (; at + 8 < end; at += 8) {
            h = step(h, word(bytes, at));
        }
        if (length >= 8) {
            return finish(step(h, word(bytes, end - 8)));
        }
        return length == 0 ? finish(h) : finish(step(h, few(bytes, from, length)));
    }

    /** All of one to seven bytes in a word; some of them twice. */
    private static long few(byte[] bytes, int from, int length) {
        int end = from + length;
        if (length >= 4) {
            return (int) INT.get(bytes, from) & 0xFFFFFFFFL | (long) (int) INT.get(bytes, end - 4) << 32;
        }
        long first = bytes[from] & 0xFF;
        long middle = bytes[from + (length >> 1)] & 0xFF;
        long last = bytes[end - 1] & 0xFF;
        return first | middle << 8 | last << 16;
    }

    private static long word(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    private static long lane(long h, long word) {
        return Long.rotateLeft(h + word * K1, 31) * K0;
    }

    private static long step(long h, long word) {
        return Long.rotateLeft(h ^ Long.rotateLeft(word * K1, 31) * K0, 27) * K0 + K3;
    }

    private static long finish(long hash) {
        long h = (hash ^ hash >>> 33) * K1;
        h = (h ^ h >>> 29) * K2;
        return h ^ h >>> 32;
    }
}

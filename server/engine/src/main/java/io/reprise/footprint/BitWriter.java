package io.reprise.footprint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bits that grow, the first one lowest in the first byte. Reused; confined to one thread. */
final class BitWriter {
    static final int MOST_AT_ONCE = 56;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[1 << 12];
    private int size;
    private long held;
    private int heldBits;

    void clear() {
        size = 0;
        held = 0;
        heldBits = 0;
    }

    /** Puts the low bits of a word: at most 64, quickest up to {@value #MOST_AT_ONCE}. */
    void put(long word, int count) {
        if (count > MOST_AT_ONCE) {
            put(word & (1L << MOST_AT_ONCE) - 1, MOST_AT_ONCE);
            put(word >>> MOST_AT_ONCE, count - MOST_AT_ONCE);
            return;
        }
        held |= (word & (1L << count) - 1) << heldBits;
        heldBits += count;
        ensure();
        WORD.set(bytes, size, held);
        size += heldBits / Byte.SIZE;
        held >>>= heldBits & -Byte.SIZE;
        heldBits &= Byte.SIZE - 1;
    }

    private void ensure() {
        if (bytes.length - size < Long.BYTES) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
    }

    /** Fills the last byte with zeros. Nothing is put behind that. */
    void finish() {
        if (heldBits > 0) {
            put(0, Byte.SIZE - heldBits);
        }
    }

    /** The number of whole bytes. */
    int size() {
        return size;
    }

    byte[] bytes() {
        return bytes;
    }
}

package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;

/**
 * Numbers in as few bytes as they need: little endian base 128, the top bit of a byte says that another one follows.
 * Signed numbers are folded first (0, -1, 1, -2 ... become 0, 1, 2, 3 ...), so that small negative ones stay short.
 */
public final class Varint {
    /** The most bytes that a number can take. */
    public static final int MOST_BYTES = 10;

    private Varint() {}

    /** Writes an unsigned number and returns the address behind it. */
    public static long put(Memory memory, long address, long value) {
        long at = address;
        long rest = value;
        while ((rest & -0x80L) != 0) {
            memory.putByte(at++, (byte) (rest | 0x80));
            rest >>>= 7;
        }
        memory.putByte(at++, (byte) rest);
        return at;
    }

    /** Writes a signed number and returns the address behind it. */
    public static long putSigned(Memory memory, long address, long value) {
        return put(memory, address, fold(value));
    }

    /** A signed number as an unsigned one. */
    public static long fold(long value) {
        return value << 1 ^ value >> 63;
    }

    /** The signed number again. */
    public static long unfold(long folded) {
        return folded >>> 1 ^ -(folded & 1);
    }

    /** How many bytes an unsigned number takes. */
    public static int size(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }
}

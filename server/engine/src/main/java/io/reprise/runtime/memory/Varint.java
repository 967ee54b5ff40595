package io.reprise.runtime.memory;

/**
 * Numbers in as few bytes as they need: little endian base 128, the top bit of a byte says that another one follows.
 * Signed numbers are folded first (0, -1, 1, -2 ... become 0, 1, 2, 3 ...), so that small negative ones stay short.
 */
public final class Varint {
    /** The most bytes that a number can take. */
    public static final int MOST_BYTES = 10;

    /** Numbers with up to so many bits are put into one word. */
    private static final int BITS_IN_WORD = 56;

    private static final long MORE = 0x8080808080808080L;
    private static final long GROUPS = ~MORE;

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

    /**
     * The same as {@link #put}, but it may write {@link #MOST_BYTES} and destroys the bytes behind the number.
     * Numbers of different lengths in turn cost no mispredicted jump.
     */
    public static long putRoomy(Memory memory, long address, long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
        if (bits > BITS_IN_WORD) {
            return put(memory, address, value);
        }
        // bits / 7, rounded up
        int bytes = bits * 9 + 64 >>> 6;
        memory.putLong(address, spread(value) | MORE >>> 1 >>> (71 - 8 * bytes));
        return address + bytes;
    }

    /** The same as {@link #putSigned}, with the room of {@link #putRoomy}. */
    public static long putSignedRoomy(Memory memory, long address, long value) {
        return putRoomy(memory, address, fold(value));
    }

    /** Eight groups of seven bits, each moved into a byte of its own. */
    private static long spread(long value) {
        return BitGathering.FAST ? Long.expand(value, GROUPS) : spreadByShifts(value);
    }

    static long spreadByShifts(long value) {
        long halves = value & 0xFFFFFFFL | (value & 0xFFFFFFF0000000L) << 4;
        long quarters = halves & 0x3FFF00003FFFL | (halves & 0xFFFC0000FFFC000L) << 2;
        return quarters & 0x7F007F007F007FL | (quarters & 0x3F803F803F803F80L) << 1;
    }

    /**
     * The length of the number at the beginning of a word of memory: 1 to 8 bytes, or 9 if it doesn't end within the
     * word.
     */
    public static int sizeInWord(long word) {
        return (Long.numberOfTrailingZeros(~word & MORE) >>> 3) + 1;
    }

    /** The number that the first {@link #sizeInWord} bytes of a word hold, if these are at most 8. */
    public static long ofWord(long word, int size) {
        long bits = GROUPS & -1L >>> (Long.SIZE - 8 * size);
        return BitGathering.FAST ? Long.compress(word, bits) : gatherByShifts(word & bits);
    }

    /** Eight groups of seven bits, each from a byte of its own. */
    static long gatherByShifts(long bytes) {
        long quarters = bytes & 0x7F007F007F007FL | (bytes & 0x7F007F007F007F00L) >>> 1;
        long halves = quarters & 0x3FFF00003FFFL | (quarters & 0x3FFF00003FFF0000L) >>> 2;
        return halves & 0xFFFFFFFL | (halves & 0xFFFFFFF00000000L) >>> 4;
    }

    /** A signed number as an unsigned one. */
    public static long fold(long value) {
        return value << 1 ^ value >> 63;
    }

    /** The signed number again. */
    public static long unfold(long folded) {
        return folded >>> 1 ^ -(folded & 1);
    }

    /** The length of an unsigned number in bytes. */
    public static int size(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }
}

package io.reprise.log;

import io.reprise.runtime.memory.Memory;

/** Numbers and strings as the log's records have them; {@link RecordBuilder} says how that is. */
public final class Varint {
    /** How many bytes {@link #putWide} may write to. */
    public static final int WIDE = 10;

    private static final int GROUP = 7;
    private static final int MORE = 0x80;

    private Varint() {}

    /** Writes the number at the address. Returns the address behind it. */
    public static long put(Memory memory, long address, long value) {
        long rest = value;
        long at = address;
        while ((rest & -MORE) != 0) {
            memory.putByte(at, (byte) (rest | MORE));
            at++;
            rest >>>= GROUP;
        }
        memory.putByte(at, (byte) rest);
        return at + 1;
    }

    /** The same for where at least {@link #WIDE} bytes may be written, whatever they are then: mostly without a branch. */
    public static long putWide(Memory memory, long address, long value) {
        if (value >>> 56 != 0) {
            return put(memory, address, value);
        }
        int bytes = bytes(value);
        long halves = value & 0x0FFF_FFFFL | (value & 0xFF_FFFF_F000_0000L) << 4;
        long quarters = halves & 0x0000_3FFF_0000_3FFFL | (halves & 0x0FFF_C000_0FFF_C000L) << 2;
        long groups = quarters & 0x007F_007F_007F_007FL | (quarters & 0x3F80_3F80_3F80_3F80L) << 1;
        long more = 0x8080_8080_8080_8080L & (1L << 8 * bytes - 8) - 1;
        memory.putLong(address, groups | more);
        return address + bytes;
    }

    /** How many bytes the number takes. */
    public static int bytes(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / GROUP;
    }

    /** Small numbers of either sign as small numbers: 0, -1, 1, -2 become 0, 1, 2, 3. */
    public static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    /** The number that {@link #zigzag} was given. */
    public static long unzigzag(long value) {
        return value >>> 1 ^ -(value & 1);
    }

    /** How many bytes a string has in UTF-8; half of a surrogate pair counts as a question mark. */
    public static int utf8Bytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (isPair(text, i)) {
                bytes += 4;
                i++;
            } else {
                bytes += Character.isSurrogate(c) ? 1 : 3;
            }
        }
        return bytes;
    }

    /** Writes a string in UTF-8 at the address. Returns the address behind it. */
    public static long putUtf8(Memory memory, long address, String text) {
        long at = address;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                memory.putByte(at++, (byte) c);
            } else if (c < 0x800) {
                memory.putByte(at++, (byte) (0xC0 | c >> 6));
                memory.putByte(at++, continuation(c));
            } else if (isPair(text, i)) {
                int point = text.codePointAt(i++);
                memory.putByte(at++, (byte) (0xF0 | point >> 18));
                memory.putByte(at++, continuation(point >> 12));
                memory.putByte(at++, continuation(point >> 6));
                memory.putByte(at++, continuation(point));
            } else if (Character.isSurrogate(c)) {
                memory.putByte(at++, (byte) '?');
            } else {
                memory.putByte(at++, (byte) (0xE0 | c >> 12));
                memory.putByte(at++, continuation(c >> 6));
                memory.putByte(at++, continuation(c));
            }
        }
        return at;
    }

    private static boolean isPair(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | bits & 0x3F);
    }
}

package io.reprise.log;

import io.reprise.runtime.memory.Memory;

/** Strings as the log's records have them; {@link RecordBuilder} says how that is. */
final class Utf8 {
    private Utf8() {}

    /** The length of a string in UTF-8; half of a surrogate pair counts as a question mark. */
    static int bytes(String text) {
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
    static long put(Memory memory, long address, String text) {
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

package io.reprise.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at bytes that should be UTF-8. */
public final class Utf8 {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /** The number of bytes of a text in UTF-8; of one with halves of characters, at most as many. */
    public static int length(String text) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return length;
    }

    /** Whether all are of the first 128 characters. */
    static boolean isAscii(byte[] bytes, int from, int length) {
        int at = from;
        int end = from + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            if (((long) LONG.get(bytes, at) & HIGH_BITS) != 0) {
                return false;
            }
        }
        for (; at < end; at++) {
            if (bytes[at] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether they are UTF-8 as the standard has it: no longer forms, no surrogates, nothing behind U+10FFFF. */
    public static boolean isValid(byte[] bytes, int from, int length) {
        if (isAscii(bytes, from, length)) {
            return true;
        }
        int end = from + length;
        int at = from;
        while (at < end) {
            int step = bytes[at] >= 0 ? 1 : sequence(bytes, at, end);
            if (step == 0) {
                return false;
            }
            at += step;
        }
        return true;
    }

    /** The number of bytes of the character that begins here; 0 if it is none. */
    private static int sequence(byte[] bytes, int at, int end) {
        int first = bytes[at] & 0xFF;
        int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        if (first < 0xC2 || first > 0xF4 || end - at < length) {
            return 0;
        }
        int second = bytes[at + 1] & 0xFF;
        int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}

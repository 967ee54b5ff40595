package io.reprise.sql.compile.runtime;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A LIKE pattern, prepared: bytes to be matched as they are, ANY for a percent sign and ONE for an underscore. Matching
 * goes back only to the last ANY, so it takes at most time proportional to string times pattern.
 */
public final class LikePattern {
    private static final short ONE = 256;
    private static final short ANY = 257;

    private final short[] items;

    private LikePattern(short[] items) {
        this.items = items;
    }

    /** Prepares a pattern; the escape character (or null) makes the character after it an ordinary one. */
    public static LikePattern compile(String pattern, String escape) {
        if (escape != null && escape.codePointCount(0, escape.length()) != 1) {
            throw Errors.invalid("ESCAPE takes one character, not '" + escape + "'");
        }
        int escapeCharacter = escape == null ? -1 : escape.codePointAt(0);
        short[] items = new short[pattern.length() * 4];
        int count = 0;
        int[] characters = pattern.codePoints().toArray();
        for (int i = 0; i < characters.length; i++) {
            int c = characters[i];
            if (c == escapeCharacter) {
                if (++i == characters.length) {
                    throw Errors.invalid("the LIKE pattern '" + pattern + "' ends with its escape character");
                }
                count = literal(items, count, characters[i]);
            } else if (c == '%') {
                items[count++] = ANY;
            } else if (c == '_') {
                items[count++] = ONE;
            } else {
                count = literal(items, count, c);
            }
        }
        return new LikePattern(Arrays.copyOf(items, count));
    }

    private static int literal(short[] items, int count, int character) {
        int at = count;
        for (byte b : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
            items[at++] = (short) (b & 0xFF);
        }
        return at;
    }

    /** 1 if the whole string matches, otherwise 0. */
    public long matches(Memory memory, long ref) {
        long address = Ref.address(ref);
        int length = Ref.length(ref);
        int at = 0;
        int item = 0;
        int lastAny = -1;
        int retryAt = 0;
        while (at < length) {
            if (item < items.length && items[item] == ANY) {
                lastAny = item++;
                retryAt = at;
            } else if (item < items.length && items[item] == ONE) {
                at = nextCharacter(memory, address, at, length);
                item++;
            } else if (item < items.length && items[item] == (memory.getByte(address + at) & 0xFF)) {
                at++;
                item++;
            } else if (lastAny >= 0) {
                retryAt = nextCharacter(memory, address, retryAt, length);
                at = retryAt;
                item = lastAny + 1;
            } else {
                return 0;
            }
        }
        while (item < items.length && items[item] == ANY) {
            item++;
        }
        return item == items.length ? 1 : 0;
    }

    private static int nextCharacter(Memory memory, long address, int at, int length) {
        int next = at + 1;
        while (next < length && (memory.getByte(address + next) & 0xC0) == 0x80) {
            next++;
        }
        return next;
    }

    /** For a pattern that is computed: keeps the last one prepared. */
    public static final class Cache {
        private byte[] patternBytes = {};
        private byte[] escapeBytes = {};
        private LikePattern prepared;

        /** 1 if the string matches the pattern; {@code escape} -1 for none. */
        public long matches(Memory memory, long ref, long pattern, long escape) {
            if (prepared == null || !same(memory, pattern, patternBytes) || !same(memory, escape, escapeBytes)) {
                prepared = null;
                String escapeText = escape < 0 ? null : Utf8.decode(memory, escape);
                LikePattern compiled = compile(Utf8.decode(memory, pattern), escapeText);
                patternBytes = Utf8.decode(memory, pattern).getBytes(StandardCharsets.UTF_8);
                escapeBytes = escapeText == null ? null : escapeText.getBytes(StandardCharsets.UTF_8);
                prepared = compiled;
            }
            return prepared.matches(memory, ref);
        }

        private static boolean same(Memory memory, long ref, byte[] bytes) {
            if (ref < 0 || bytes == null) {
                return ref < 0 && bytes == null;
            }
            if (Ref.length(ref) != bytes.length) {
                return false;
            }
            for (int i = 0; i < bytes.length; i++) {
                if (memory.getByte(Ref.address(ref) + i) != bytes[i]) {
                    return false;
                }
            }
            return true;
        }
    }
}

package io.reprise.sql.compile.runtime;

import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A LIKE pattern, prepared: the stretches between its percent signs, each of bytes and underscores. The first stretch is
 * compared with the string's beginning and the last with its end; each other one is searched for, behind the one before
 * it, and its first occurrence is as good as any.
 *
 * <p>A stretch without underscore is found in linear time. One with underscores takes at most the product of its length
 * and the string's, and checks the time limit.
 */
public final class LikePattern {
    private static final short ONE = 256;
    private static final int NOT_THERE = -1;

    /** Comparisons between two checks of the time limit. */
    private static final int COMPARISONS_PER_CHECK = 1 << 16;

    private final Stretch[] stretches;

    private LikePattern(Stretch[] stretches) {
        this.stretches = stretches;
    }

    /** Prepares a pattern; the escape character (or null) makes the character after it an ordinary one. */
    public static LikePattern compile(String pattern, String escape) {
        if (escape != null && escape.codePointCount(0, escape.length()) != 1) {
            throw Errors.invalid("ESCAPE takes one character, not '" + escape + "'");
        }
        int escapeCharacter = escape == null ? -1 : escape.codePointAt(0);
        List<Stretch> stretches = new ArrayList<>();
        short[] items = new short[Math.multiplyExact(pattern.length(), 3)];
        int count = 0;
        for (int i = 0; i < pattern.length(); ) {
            int c = pattern.codePointAt(i);
            i += Character.charCount(c);
            if (c == escapeCharacter) {
                if (i == pattern.length()) {
                    throw Errors.invalid("the LIKE pattern '" + pattern + "' ends with its escape character");
                }
                int escaped = pattern.codePointAt(i);
                i += Character.charCount(escaped);
                count = literal(items, count, escaped);
            } else if (c == '%') {
                if (count > 0 || stretches.isEmpty()) {
                    stretches.add(new Stretch(Arrays.copyOf(items, count)));
                    count = 0;
                }
            } else if (c == '_') {
                items[count++] = ONE;
            } else {
                count = literal(items, count, c);
            }
        }
        stretches.add(new Stretch(Arrays.copyOf(items, count)));
        return new LikePattern(stretches.toArray(new Stretch[0]));
    }

    private static int literal(short[] items, int count, int character) {
        if (character < 0x80) {
            items[count] = (short) character;
            return count + 1;
        }
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
        Strings.pace(length);
        int last = stretches.length - 1;
        int at = stretches[0].endFrom(memory, address, 0, length);
        if (at < 0 || last == 0) {
            return at == length ? 1 : 0;
        }
        int end = stretches[last].startBefore(memory, address, at, length);
        if (end < 0) {
            return 0;
        }
        for (int i = 1; i < last; i++) {
            at = stretches[i].findFrom(memory, address, at, end);
            if (at < 0) {
                return 0;
            }
        }
        return 1;
    }

    /** The characters between two percent signs: bytes, and ONE for an underscore. */
    private static final class Stretch {
        private final short[] items;

        /** The underscores before the first other character. */
        private final int skipped;

        /** The bytes behind them, up to the next underscore or the end; null if there are none. */
        private final ByteSearch beginning;

        Stretch(short[] items) {
            this.items = items;
            int at = 0;
            while (at < items.length && items[at] == ONE) {
                at++;
            }
            skipped = at;
            while (at < items.length && items[at] != ONE) {
                at++;
            }
            byte[] bytes = new byte[at - skipped];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) items[skipped + i];
            }
            beginning = bytes.length == 0 ? null : new ByteSearch(bytes);
        }

        /** Compares from an offset on; the offset behind the stretch, or NOT_THERE. */
        int endFrom(Memory memory, long address, int from, int length) {
            return endFrom(memory, address, from, length, 0);
        }

        private int endFrom(Memory memory, long address, int from, int length, int firstItem) {
            int at = from;
            for (int i = firstItem; i < items.length; i++) {
                if (at == length) {
                    return NOT_THERE;
                }
                if (items[i] == ONE) {
                    at = nextCharacter(memory, address, at, length);
                } else if (items[i] == (memory.getByte(address + at) & 0xFF)) {
                    at++;
                } else {
                    return NOT_THERE;
                }
            }
            return at;
        }

        /** Compares backwards from the end; the offset where the stretch begins, or NOT_THERE if that is before an offset. */
        int startBefore(Memory memory, long address, int least, int length) {
            int at = length;
            for (int i = items.length - 1; i >= 0; i--) {
                if (at == least) {
                    return NOT_THERE;
                }
                at--;
                if (items[i] == ONE) {
                    while (at > least && isContinuation(memory, address + at)) {
                        at--;
                    }
                } else if (items[i] != (memory.getByte(address + at) & 0xFF)) {
                    return NOT_THERE;
                }
            }
            return at;
        }

        /** Finds the first occurrence from an offset on; the offset behind it, or NOT_THERE. */
        int findFrom(Memory memory, long address, int from, int length) {
            int at = from;
            for (int i = 0; i < skipped; i++) {
                if (at == length) {
                    return NOT_THERE;
                }
                at = nextCharacter(memory, address, at, length);
            }
            if (beginning == null) {
                return at;
            }
            int compared = 0;
            while (true) {
                int found = beginning.find(memory, address, at, length);
                if (found < 0) {
                    return NOT_THERE;
                }
                int behind = found + beginning.length();
                int end = endFrom(memory, address, behind, length, skipped + beginning.length());
                if (end >= 0) {
                    return end;
                }
                at = found + 1;
                compared += items.length;
                if (compared >= COMPARISONS_PER_CHECK) {
                    LoopGuard.check();
                    compared = 0;
                }
            }
        }

        private static int nextCharacter(Memory memory, long address, int at, int length) {
            int next = at + 1;
            while (next < length && isContinuation(memory, address + next)) {
                next++;
            }
            return next;
        }

        private static boolean isContinuation(Memory memory, long address) {
            return (memory.getByte(address) & 0xC0) == 0x80;
        }
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
                String patternText = Utf8.decode(memory, pattern);
                LikePattern compiled = compile(patternText, escapeText);
                patternBytes = patternText.getBytes(StandardCharsets.UTF_8);
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

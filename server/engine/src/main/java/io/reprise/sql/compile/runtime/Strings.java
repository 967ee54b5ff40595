package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.LoopGuard;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The string functions. Strings are UTF-8 bytes in the partition's memory; results lie in scratch or are parts of their
 * arguments. Positions and lengths count characters (Unicode code points).
 */
public final class Strings {
    /** Bytes of a part that is compared at each offset; a longer one is searched for by {@link ByteSearch}. */
    private static final int SHORT_PART = 16;

    /** Bytes of a string above which a function checks the time limit, since a loop over rows checks it once in a thousand. */
    private static final int LONG = 4096;

    private Strings() {}

    /** Checks the time limit before work on so many bytes, if they are many. */
    static void pace(int bytes) {
        if (bytes > LONG) {
            LoopGuard.check();
        }
    }

    /** Whether the bytes are equal. */
    public static boolean equal(Memory memory, long a, long b) {
        int length = Ref.length(a);
        return length == Ref.length(b)
                && (a == b || memory.compare(Ref.address(a), length, Ref.address(b), length) == 0);
    }

    /** Compares as unsigned bytes, which is the order of code points. */
    public static int compare(Memory memory, long a, long b) {
        return memory.compare(Ref.address(a), Ref.length(a), Ref.address(b), Ref.length(b));
    }

    /** The hash of the bytes. */
    public static long hash(Memory memory, long ref) {
        return memory.hash(Ref.address(ref), Ref.length(ref));
    }

    /** Copies to scratch. */
    public static long copy(PartitionStore store, long ref) {
        int length = Ref.length(ref);
        long address = store.scratch(length);
        // Scratch is given out in whole words, and what lies behind a string may be read.
        store.memory().copy(Ref.address(ref), address, length + 7 & -8);
        return Ref.of(address, length);
    }

    /** Reads an inline string column at its address in a row: a reference into the row or to the string heap. */
    public static long readInline(Memory memory, long column) {
        byte length = memory.getByte(column);
        return length == RowLayout.SPILLED ? memory.getLong(column + 1) : Ref.of(column + 1, length);
    }

    /**
     * Copies an inline string column to scratch: all of it, whatever the length of the string. The constant width makes it
     * a few loads and stores without a branch, so that they don't wait for the length to arrive from memory; the last
     * may read up to 7 bytes of what follows.
     */
    public static long copyInline(PartitionStore store, Memory memory, long column, int width) {
        long to = store.scratch(width);
        for (int i = 0; i < width; i += Long.BYTES) {
            memory.putLong(to + i, memory.getLong(column + i));
        }
        byte length = memory.getByte(column);
        return length == RowLayout.SPILLED ? memory.getLong(column + 1) : Ref.of(to + 1, length);
    }

    /** The first characters, at most that many. */
    public static long truncate(Memory memory, long ref, int characters) {
        return Ref.length(ref) <= characters ? ref : prefix(ref, Utf8.offset(memory, ref, 0, characters));
    }

    /** The first bytes, at most that many. */
    public static long truncateBytes(long ref, int bytes) {
        return Ref.length(ref) <= bytes ? ref : prefix(ref, bytes);
    }

    private static long prefix(long ref, int bytes) {
        return Ref.of(Ref.address(ref), bytes);
    }

    private static long slice(long ref, int from, int to) {
        return Ref.of(Ref.address(ref) + from, to - from);
    }

    /** A string from bytes that a caller casts to one; they are checked. */
    public static long fromBytes(Memory memory, long ref) {
        if (!Utf8.isValid(memory, ref)) {
            throw Errors.invalid(
                    "a binary value of " + Ref.length(ref) + " bytes is no string, because it is not UTF-8");
        }
        return ref;
    }

    /** For a VARCHAR column: checks the number of characters, each of which has four bytes at most wherever room is made for it. */
    public static long store(Memory memory, long ref, int characters, String column) {
        int length = Ref.length(ref);
        if (length > characters && (length > 4L * characters || Utf8.characters(memory, ref) > characters)) {
            throw Errors.tooLong("a string of " + Utf8.characters(memory, ref) + " characters does not fit " + column
                    + ": '" + abbreviated(memory, ref) + "'");
        }
        return ref;
    }

    /** For a VARBINARY column: checks the number of bytes. */
    public static long storeBytes(long ref, int bytes, String column) {
        if (Ref.length(ref) > bytes) {
            throw Errors.tooLong("a binary value of " + Ref.length(ref) + " bytes does not fit " + column);
        }
        return ref;
    }

    private static String abbreviated(Memory memory, long ref) {
        long start = truncate(memory, ref, 40);
        return Utf8.decode(memory, start) + (start == ref ? "" : "...");
    }

    /** {@code a || b}. */
    public static long concat(PartitionStore store, long a, long b) {
        int lengthA = Ref.length(a);
        int lengthB = Ref.length(b);
        long to = reserve(store, (long) lengthA + lengthB);
        store.memory().copy(Ref.address(a), to, lengthA);
        store.memory().copy(Ref.address(b), to + lengthA, lengthB);
        return Ref.of(to, lengthA + lengthB);
    }

    private static long reserve(PartitionStore store, long length) {
        pace((int) Math.min(length, Integer.MAX_VALUE));
        checkLength(length);
        return store.scratch((int) length);
    }

    /** Refuses a string of more bytes than a value can have. */
    static void checkLength(long bytes) {
        if (bytes > SqlType.MAX_STRING_BYTES) {
            throw Errors.tooLong("a string of " + bytes + " bytes is longer than the longest possible, "
                    + SqlType.MAX_STRING_BYTES + " bytes");
        }
    }

    /** UPPER, by Unicode. */
    public static long upper(PartitionStore store, long ref) {
        pace(Ref.length(ref));
        return isAscii(store.memory(), ref)
                ? mapAscii(store, ref, 'a', 'z', 'A' - 'a')
                : Utf8.encode(Utf8.decode(store.memory(), ref).toUpperCase(Locale.ROOT), store);
    }

    /** LOWER, by Unicode. */
    public static long lower(PartitionStore store, long ref) {
        pace(Ref.length(ref));
        return isAscii(store.memory(), ref)
                ? mapAscii(store, ref, 'A', 'Z', 'a' - 'A')
                : Utf8.encode(Utf8.decode(store.memory(), ref).toLowerCase(Locale.ROOT), store);
    }

    private static boolean isAscii(Memory memory, long ref) {
        long address = Ref.address(ref);
        for (int i = 0; i < Ref.length(ref); i++) {
            if (memory.getByte(address + i) < 0) {
                return false;
            }
        }
        return true;
    }

    private static long mapAscii(PartitionStore store, long ref, char first, char last, int difference) {
        Memory memory = store.memory();
        int length = Ref.length(ref);
        long from = Ref.address(ref);
        long to = store.scratch(length);
        for (int i = 0; i < length; i++) {
            byte b = memory.getByte(from + i);
            memory.putByte(to + i, b >= first && b <= last ? (byte) (b + difference) : b);
        }
        return Ref.of(to, length);
    }

    /** SUBSTRING(s FROM start): from 1; a start before the first character counts as before it. */
    public static long substring(PartitionStore store, long ref, long start) {
        pace(Ref.length(ref));
        return slice(ref, Utf8.offset(store.memory(), ref, 0, Math.max(1, start) - 1), Ref.length(ref));
    }

    /** SUBSTRING(s FROM start FOR length). */
    public static long substring(PartitionStore store, long ref, long start, long length) {
        pace(Ref.length(ref));
        if (length < 0) {
            throw Errors.invalid("SUBSTRING with the negative length " + length);
        }
        long end = start > Long.MAX_VALUE - length ? Long.MAX_VALUE : start + length;
        long from = Math.max(1, start);
        int first = Utf8.offset(store.memory(), ref, 0, from - 1);
        int last = end <= from ? first : Utf8.offset(store.memory(), ref, first, end - from);
        return slice(ref, first, last);
    }

    /** The first characters; a negative number leaves so many out at the end. */
    public static long left(PartitionStore store, long ref, long characters) {
        pace(Ref.length(ref));
        long count = characters >= 0 ? characters : Math.max(0, Utf8.characters(store.memory(), ref) + characters);
        return prefix(ref, Utf8.offset(store.memory(), ref, 0, count));
    }

    /** The last characters; a negative number leaves so many out at the beginning. */
    public static long right(PartitionStore store, long ref, long characters) {
        pace(Ref.length(ref));
        long all = Utf8.characters(store.memory(), ref);
        long skip = characters >= 0 ? all - characters : -Math.max(characters, -all);
        return slice(ref, Utf8.offset(store.memory(), ref, 0, skip), Ref.length(ref));
    }

    /** The string so many times. */
    public static long repeat(PartitionStore store, long ref, long times) {
        int length = Ref.length(ref);
        if (times <= 0 || length == 0) {
            return prefix(ref, 0);
        }
        long to = reserve(store, times > Long.MAX_VALUE / length ? Long.MAX_VALUE : times * length);
        for (int i = 0; i < times; i++) {
            store.memory().copy(Ref.address(ref), to + (long) i * length, length);
        }
        return Ref.of(to, (int) times * length);
    }

    /** LPAD(s, characters): filled with blanks on the left, or cut off on the right. */
    public static long lpad(PartitionStore store, long ref, long characters) {
        return pad(store, ref, characters, blank(store), true);
    }

    /** LPAD(s, characters, filling). */
    public static long lpad(PartitionStore store, long ref, long characters, long filling) {
        return pad(store, ref, characters, filling, true);
    }

    /** RPAD(s, characters): filled with blanks, or cut off, on the right. */
    public static long rpad(PartitionStore store, long ref, long characters) {
        return pad(store, ref, characters, blank(store), false);
    }

    /** RPAD(s, characters, filling). */
    public static long rpad(PartitionStore store, long ref, long characters, long filling) {
        return pad(store, ref, characters, filling, false);
    }

    private static long blank(PartitionStore store) {
        long address = store.scratch(1);
        store.memory().putByte(address, (byte) ' ');
        return Ref.of(address, 1);
    }

    private static long pad(PartitionStore store, long ref, long characters, long filling, boolean left) {
        Memory memory = store.memory();
        long missing = characters - Utf8.characters(memory, ref);
        if (missing <= 0 || Ref.length(filling) == 0) {
            return left(store, ref, Math.max(0, characters));
        }
        int each = Utf8.characters(memory, filling);
        long whole = repeat(store, filling, missing / each);
        long part = left(store, filling, missing % each);
        long padding = concat(store, whole, part);
        return left ? concat(store, padding, ref) : concat(store, ref, padding);
    }

    /** OVERLAY(s PLACING by FROM start): as many characters are replaced as there are new ones. */
    public static long overlay(PartitionStore store, long ref, long by, long start) {
        return overlay(store, ref, by, start, Utf8.characters(store.memory(), by));
    }

    /** OVERLAY(s PLACING by FROM start FOR length). */
    public static long overlay(PartitionStore store, long ref, long by, long start, long length) {
        if (start < 1 || length < 0) {
            throw Errors.invalid("OVERLAY from " + start + " for " + length
                    + " characters: it starts at 1, and the length is not negative");
        }
        int first = Utf8.offset(store.memory(), ref, 0, start - 1);
        int rest = Utf8.offset(store.memory(), ref, first, length);
        return concat(store, concat(store, prefix(ref, first), by), slice(ref, rest, Ref.length(ref)));
    }

    /** The characters from the last to the first. */
    public static long reverse(PartitionStore store, long ref) {
        pace(Ref.length(ref));
        Memory memory = store.memory();
        int length = Ref.length(ref);
        long to = store.scratch(length);
        int from = 0;
        while (from < length) {
            int next = Utf8.offset(memory, ref, from, 1);
            memory.copy(Ref.address(ref) + from, to + length - next, next - from);
            from = next;
        }
        return Ref.of(to, length);
    }

    /** The first letter of each word large, the others small; words are of letters and digits. */
    public static long initcap(PartitionStore store, long ref) {
        pace(Ref.length(ref));
        String text = Utf8.decode(store.memory(), ref);
        StringBuilder capitals = new StringBuilder(text.length());
        boolean inside = false;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int character = text.codePointAt(i);
            capitals.appendCodePoint(inside ? Character.toLowerCase(character) : Character.toUpperCase(character));
            inside = Character.isLetterOrDigit(character);
        }
        return Utf8.encode(capitals.toString(), store);
    }

    /** The code point of the first character, 0 for an empty string. */
    public static long ascii(PartitionStore store, long ref) {
        return Ref.length(ref) == 0
                ? 0
                : Utf8.decode(store.memory(), left(store, ref, 1)).codePointAt(0);
    }

    /** The character with a code point. */
    public static long character(PartitionStore store, long codePoint) {
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        if (codePoint < 0 || codePoint > Character.MAX_CODE_POINT || surrogate) {
            throw Errors.invalid("there is no character with the number " + codePoint);
        }
        return Utf8.encode(Character.toString((int) codePoint), store);
    }

    /** POSITION(part IN whole): the first place, from 1, or 0. */
    public static long position(PartitionStore store, long part, long whole) {
        return position(store, part, whole, 1);
    }

    /** POSITION(part IN whole FROM start). */
    public static long position(PartitionStore store, long part, long whole, long start) {
        Memory memory = store.memory();
        if (start < 1) {
            return 0;
        }
        pace(Ref.length(whole));
        int from = Utf8.offset(memory, whole, 0, start - 1);
        int at = find(memory, part, search(memory, part), whole, from);
        return at < 0 ? 0 : Utf8.characters(memory, prefix(whole, at)) + 1L;
    }

    /** The prepared search for a long part; null for a short one, which {@link #find} compares at each offset. */
    private static ByteSearch search(Memory memory, long part) {
        int length = Ref.length(part);
        if (length <= SHORT_PART) {
            return null;
        }
        byte[] bytes = new byte[length];
        Utf8.copyOut(memory, part, bytes, 0);
        return new ByteSearch(bytes);
    }

    private static int find(Memory memory, long part, ByteSearch search, long whole, int from) {
        long address = Ref.address(whole);
        if (search != null) {
            return search.find(memory, address, from, Ref.length(whole));
        }
        int length = Ref.length(part);
        int last = Ref.length(whole) - length;
        if (length == 0) {
            return from <= last ? from : -1;
        }
        byte first = memory.getByte(Ref.address(part));
        for (int at = from; at <= last; at++) {
            if (memory.getByte(address + at) == first
                    && memory.compare(address + at, length, Ref.address(part), length) == 0) {
                return at;
            }
        }
        return -1;
    }

    /** REPLACE(s, what, by): all places. */
    public static long replace(PartitionStore store, long ref, long what, long by) {
        int length = Ref.length(what);
        if (length == 0) {
            return ref;
        }
        pace(Ref.length(ref));
        Memory memory = store.memory();
        ByteSearch search = search(memory, what);
        int places = 0;
        int first = find(memory, what, search, ref, 0);
        for (int at = first; at >= 0; at = find(memory, what, search, ref, at + length)) {
            places++;
        }
        if (places == 0) {
            return ref;
        }
        long resultLength = Ref.length(ref) + (long) places * (Ref.length(by) - length);
        long to = reserve(store, resultLength);
        long write = to;
        int read = 0;
        for (int at = first; at >= 0; at = find(memory, what, search, ref, read)) {
            memory.copy(Ref.address(ref) + read, write, at - read);
            write += at - read;
            memory.copy(Ref.address(by), write, Ref.length(by));
            write += Ref.length(by);
            read = at + length;
        }
        memory.copy(Ref.address(ref) + read, write, Ref.length(ref) - read);
        return Ref.of(to, (int) resultLength);
    }

    /** SPLIT_PART(s, delimiter, n): the n-th of the parts between delimiters, from 1, or from the end, -1; empty if there is none. */
    public static long splitPart(PartitionStore store, long ref, long delimiter, long number) {
        if (number == 0) {
            throw Errors.invalid("SPLIT_PART counts parts from 1, or from the end from -1; there is no part 0");
        }
        pace(Ref.length(ref));
        Memory memory = store.memory();
        int length = Ref.length(delimiter);
        if (length == 0) {
            return number == 1 || number == -1 ? ref : prefix(ref, 0);
        }
        ByteSearch search = search(memory, delimiter);
        long wanted = number > 0 ? number : parts(memory, ref, delimiter, search) + number + 1;
        int from = 0;
        for (long part = 1; ; part++) {
            int end = find(memory, delimiter, search, ref, from);
            if (part == wanted) {
                return slice(ref, from, end < 0 ? Ref.length(ref) : end);
            } else if (end < 0 || wanted < 1) {
                return prefix(ref, 0);
            }
            from = end + length;
        }
    }

    private static long parts(Memory memory, long ref, long delimiter, ByteSearch search) {
        long parts = 1;
        int at = find(memory, delimiter, search, ref, 0);
        while (at >= 0) {
            parts++;
            at = find(memory, delimiter, search, ref, at + Ref.length(delimiter));
        }
        return parts;
    }

    /** TRANSLATE(s, from, to): each character of the second text becomes the one at its place in the third, or goes. */
    public static long translate(PartitionStore store, long ref, long from, long to) {
        pace(Ref.length(ref));
        int[] replaced = Utf8.decode(store.memory(), from).codePoints().toArray();
        int[] by = Utf8.decode(store.memory(), to).codePoints().toArray();
        SortedMap<Integer, Integer> places = new TreeMap<>();
        for (int i = 0; i < replaced.length; i++) {
            places.putIfAbsent(replaced[i], i);
        }
        StringBuilder out = new StringBuilder(Ref.length(ref));
        Utf8.decode(store.memory(), ref).codePoints().forEach(character -> {
            Integer at = places.get(character);
            if (at == null) {
                out.appendCodePoint(character);
            } else if (at < by.length) {
                out.appendCodePoint(by[at]);
            }
        });
        return Utf8.encode(out.toString(), store);
    }

    /** MD5(s): the hash as hexadecimal digits. */
    public static long md5(PartitionStore store, long ref) {
        pace(Ref.length(ref));
        byte[] bytes = new byte[Ref.length(ref)];
        Utf8.copyOut(store.memory(), ref, bytes, 0);
        try {
            return Utf8.encode(
                    HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes)), store);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has MD5", e);
        }
    }

    /** TO_HEX(n): the hexadecimal digits of 64 bits. */
    public static long hexadecimal(PartitionStore store, long number) {
        return Utf8.encode(Long.toHexString(number), store);
    }

    /** TRIM(LEADING, TRAILING or BOTH of one character FROM s). */
    public static long trim(Memory memory, long character, long ref, boolean leading, boolean trailing) {
        int length = Ref.length(character);
        if (length == 0 || Utf8.characters(memory, character) != 1) {
            throw Errors.invalid(
                    "TRIM takes one character to be removed, not '" + abbreviated(memory, character) + "'");
        }
        int from = 0;
        int to = Ref.length(ref);
        pace(to);
        while (leading && to - from >= length && occursAt(memory, character, ref, from)) {
            from += length;
        }
        while (trailing && to - from >= length && occursAt(memory, character, ref, to - length)) {
            to -= length;
        }
        return slice(ref, from, to);
    }

    private static boolean occursAt(Memory memory, long part, long whole, int at) {
        int length = Ref.length(part);
        return memory.compare(Ref.address(whole) + at, length, Ref.address(part), length) == 0;
    }
}

package io.reprise.sql.compile.runtime;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The constants of an IN list: words, or strings by their bytes. A hash table with linear probing, half full at most; made
 * when the statement is compiled and then only read.
 */
public final class WordSet {
    private final long[] words;
    private final byte[][] strings;
    private final boolean[] taken;

    private WordSet(long[] words, byte[][] strings, int count) {
        int slots = Integer.highestOneBit(Math.max(4, count * 2 - 1)) * 2;
        taken = new boolean[slots];
        this.words = words == null ? null : new long[slots];
        this.strings = strings == null ? null : new byte[slots][];
        for (int i = 0; i < count; i++) {
            if (words != null) {
                add(words[i]);
            } else {
                add(strings[i]);
            }
        }
    }

    /** A set of words. */
    public static WordSet of(long... words) {
        return new WordSet(words, null, words.length);
    }

    /** A set of strings. */
    public static WordSet of(byte[]... strings) {
        return new WordSet(null, strings, strings.length);
    }

    /** The words in some order; null if it is a set of strings. */
    long[] words() {
        return words == null
                ? null
                : IntStream.range(0, taken.length)
                        .filter(i -> taken[i])
                        .mapToLong(i -> words[i])
                        .toArray();
    }

    /** The strings in some order; null if it is a set of words. */
    byte[][] strings() {
        return strings == null
                ? null
                : IntStream.range(0, taken.length)
                        .filter(i -> taken[i])
                        .mapToObj(i -> strings[i])
                        .toArray(byte[][]::new);
    }

    private void add(long word) {
        int at = slot(word);
        while (taken[at] && words[at] != word) {
            at = at + 1 & taken.length - 1;
        }
        taken[at] = true;
        words[at] = word;
    }

    private void add(byte[] string) {
        int at = Arrays.hashCode(string) & taken.length - 1;
        while (taken[at] && !Arrays.equals(strings[at], string)) {
            at = at + 1 & taken.length - 1;
        }
        taken[at] = true;
        strings[at] = string;
    }

    private int slot(long word) {
        return (int) Buckets.mix(0, word) & taken.length - 1;
    }

    /** 1 if the word is in the set, otherwise 0. */
    public long contains(long word) {
        int at = slot(word);
        while (taken[at]) {
            if (words[at] == word) {
                return 1;
            }
            at = at + 1 & taken.length - 1;
        }
        return 0;
    }

    /** 1 if the string is in the set, otherwise 0. */
    public long contains(Memory memory, long ref) {
        long address = Ref.address(ref);
        int length = Ref.length(ref);
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + memory.getByte(address + i);
        }
        int at = hash & taken.length - 1;
        while (taken[at]) {
            if (equal(memory, address, length, strings[at])) {
                return 1;
            }
            at = at + 1 & taken.length - 1;
        }
        return 0;
    }

    private static boolean equal(Memory memory, long address, int length, byte[] string) {
        if (length != string.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (memory.getByte(address + i) != string[i]) {
                return false;
            }
        }
        return true;
    }
}

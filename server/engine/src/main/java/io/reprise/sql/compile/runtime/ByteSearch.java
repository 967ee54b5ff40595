package io.reprise.sql.compile.runtime;

import io.reprise.runtime.memory.Memory;

/**
 * A sequence of bytes, prepared to be searched for in the partition's memory by the two-way algorithm of Crochemore and
 * Perrin: a search takes time proportional to the bytes searched and no memory, whatever repeats in either.
 *
 * <p>The sequence is cut in two at a position where its local period is its period. The right part is compared first,
 * forwards; a mismatch there moves the window behind it. Then the left part is compared, backwards; a mismatch there moves
 * the window by the period.
 */
final class ByteSearch {
    private final byte[] sought;
    private final int cut;
    private final int period;

    /** Whether the period is that of the whole sequence, so that what matched before a move need not be compared again. */
    private final boolean periodic;

    /** The search for a sequence of one byte or more. */
    ByteSearch(byte[] sought) {
        this.sought = sought;
        long forward = greatestSuffix(false);
        long backward = greatestSuffix(true);
        long chosen = cut(forward) > cut(backward) ? forward : backward;
        cut = cut(chosen);
        int suffixPeriod = (int) chosen;
        periodic = repeats(suffixPeriod);
        period = periodic ? suffixPeriod : Math.max(cut, sought.length - cut) + 1;
    }

    private static int cut(long suffix) {
        return (int) (suffix >>> Integer.SIZE);
    }

    /** The start of the suffix that is greatest in the order of bytes, or in its reverse, and behind it its period. */
    private long greatestSuffix(boolean reverse) {
        int start = 0;
        int candidate = 1;
        int matched = 0;
        int found = 1;
        while (candidate + matched < sought.length) {
            int order = (sought[candidate + matched] & 0xFF) - (sought[start + matched] & 0xFF);
            if (reverse) {
                order = -order;
            }
            if (order == 0) {
                matched++;
                if (matched == found) {
                    candidate += found;
                    matched = 0;
                }
            } else if (order < 0) {
                candidate += matched + 1;
                matched = 0;
                found = candidate - start;
            } else {
                start = candidate;
                candidate++;
                matched = 0;
                found = 1;
            }
        }
        return (long) start << Integer.SIZE | found;
    }

    private boolean repeats(int distance) {
        if (cut + distance > sought.length) {
            return false;
        }
        for (int i = 0; i < cut; i++) {
            if (sought[i] != sought[i + distance]) {
                return false;
            }
        }
        return true;
    }

    /** The offset of the first occurrence in the bytes at the address, from an offset on; -1 if there is none. */
    int find(Memory memory, long address, int from, int length) {
        int known = 0;
        int last = length - sought.length;
        int at = from;
        while (at <= last) {
            int right = Math.max(cut, known);
            while (right < sought.length && sought[right] == memory.getByte(address + at + right)) {
                right++;
            }
            if (right < sought.length) {
                at += right - cut + 1;
                known = 0;
                continue;
            }
            int left = cut - 1;
            while (left >= known && sought[left] == memory.getByte(address + at + left)) {
                left--;
            }
            if (left < known) {
                return at;
            }
            at += period;
            known = periodic ? sought.length - period : 0;
        }
        return -1;
    }

    int length() {
        return sought.length;
    }
}

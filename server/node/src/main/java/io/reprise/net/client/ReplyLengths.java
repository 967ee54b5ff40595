package io.reprise.net.client;

import java.util.Arrays;

/**
 * How long the replies of procedures have been lately, by which is judged how many bytes are to be expected of calls that are under way:
 * the longest counts, and is forgotten little by little. Owned by one thread.
 */
final class ReplyLengths {
    /** What is expected of a procedure that has not replied yet: rather much, and the first replies tell. */
    static final int UNKNOWN_BYTES = 64 << 10;

    /** By that part of the difference it falls with each shorter reply. */
    private static final int FALL = 64;

    private static final int UNKNOWN = -1;

    private int[] lengths = new int[16];

    ReplyLengths() {
        Arrays.fill(lengths, UNKNOWN);
    }

    /** How many bytes a reply of the procedure with this number may have. */
    int expected(int procedure) {
        int known = procedure < lengths.length ? lengths[procedure] : UNKNOWN;
        return known == UNKNOWN ? UNKNOWN_BYTES : known;
    }

    /** A reply of the procedure had so many bytes. */
    void saw(int procedure, int bytes) {
        if (procedure >= lengths.length) {
            int before = lengths.length;
            lengths = Arrays.copyOf(lengths, 2 * procedure);
            Arrays.fill(lengths, before, lengths.length, UNKNOWN);
        }
        int known = lengths[procedure];
        lengths[procedure] = bytes >= known ? bytes : known - (known - bytes + FALL - 1) / FALL;
    }
}

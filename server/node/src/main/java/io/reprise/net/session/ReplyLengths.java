package io.reprise.net.session;

import java.util.Arrays;

/**
 * An estimate of the length of each procedure's replies, for the memory of calls under way. It is the longest recent reply and decays
 * with each shorter one. Owned by one thread.
 */
public final class ReplyLengths {
    /** The estimate for a procedure that has not replied yet: high, until the first replies correct it. */
    static final int UNKNOWN_BYTES = 64 << 10;

    /** An estimate falls by this part of the difference with each shorter reply. */
    private static final int FALL = 64;

    private static final int UNKNOWN = -1;

    private int[] lengths = new int[16];

    /** No replies yet. */
    public ReplyLengths() {
        Arrays.fill(lengths, UNKNOWN);
    }

    /** The bytes that a reply of the procedure with this number may have. */
    public int expected(int procedure) {
        int known = procedure < lengths.length ? lengths[procedure] : UNKNOWN;
        return known == UNKNOWN ? UNKNOWN_BYTES : known;
    }

    /** Adds the length of a reply. */
    public void saw(int procedure, int bytes) {
        if (procedure >= lengths.length) {
            int before = lengths.length;
            lengths = Arrays.copyOf(lengths, 2 * procedure);
            Arrays.fill(lengths, before, lengths.length, UNKNOWN);
        }
        int known = lengths[procedure];
        lengths[procedure] = bytes >= known ? bytes : known - (known - bytes + FALL - 1) / FALL;
    }
}

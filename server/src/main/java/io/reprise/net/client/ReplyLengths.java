package io.reprise.net.client;

import java.util.Arrays;

/**
 * How long the replies of procedures have been lately, by which is judged how many bytes are to be expected of calls that are under way:
 * the longest counts, and is forgotten little by little. Of a procedure that has not replied yet as much is expected as a result may
 * have. Owned by one thread.
 */
final class ReplyLengths {
    /** By that part of the difference it falls with each shorter reply. */
    private static final int FALL = 64;

    private final int longest;
    private int[] expected = new int[16];

    /** Nothing is longer than this, by much. */
    ReplyLengths(int longest) {
        this.longest = longest;
        Arrays.fill(expected, longest);
    }

    /** How many bytes a reply of the procedure with this number may have. */
    int expected(int procedure) {
        return procedure < expected.length ? expected[procedure] : longest;
    }

    /** A reply of the procedure had so many bytes. */
    void saw(int procedure, int bytes) {
        if (procedure >= expected.length) {
            int before = expected.length;
            expected = Arrays.copyOf(expected, 2 * procedure);
            Arrays.fill(expected, before, expected.length, longest);
        }
        int known = expected[procedure];
        if (bytes >= known || known == longest) {
            expected[procedure] = Math.min(bytes, longest - 1);
        } else {
            expected[procedure] = known - (known - bytes + FALL - 1) / FALL;
        }
    }
}

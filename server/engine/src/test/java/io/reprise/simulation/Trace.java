package io.reprise.simulation;

import java.util.Arrays;

/**
 * The events of a run, in order: as one hash, and the last entries as text. For a comparison with a second run it
 * also keeps the hash after each entry.
 */
final class Trace {
    private static final int SHOWN = 40;
    private static final long FACTOR = 0xBF58476D1CE4E5B9L;

    private final Trace expected;
    private final boolean keepsHashes;
    private final String[] recent = new String[SHOWN];
    private final long[] recentFirst = new long[SHOWN];
    private final long[] recentSecond = new long[SHOWN];
    private long[] hashes = new long[0];
    private long hash;
    private long size;

    private Trace(Trace expected, boolean keepsHashes) {
        this.expected = expected;
        this.keepsHashes = keepsHashes;
    }

    /** A trace of any length. */
    static Trace unlimited() {
        return new Trace(null, false);
    }

    /** A trace with which another will be compared. */
    static Trace comparable() {
        return new Trace(null, true);
    }

    /** A trace that fails at the first entry which differs from the given, comparable one. */
    static Trace expecting(Trace expected) {
        return new Trace(expected, false);
    }

    void add(String what, long first, long second) {
        hash = mix(mix(mix(hash, what.hashCode()), first), second);
        int slot = (int) (size % SHOWN);
        recent[slot] = what;
        recentFirst[slot] = first;
        recentSecond[slot] = second;
        if (keepsHashes) {
            if (size == hashes.length) {
                hashes = Arrays.copyOf(hashes, Math.max(1024, hashes.length * 2));
            }
            hashes[(int) size] = hash;
        }
        size++;
        if (expected != null && (size > expected.size || expected.hashes[(int) size - 1] != hash)) {
            throw new AssertionError(
                    "entry " + size + " differs from the first run with this seed, so something is not "
                            + "deterministic (hash order? a clock? identity?); the last entries:\n" + recent());
        }
    }

    long hash() {
        return hash;
    }

    long size() {
        return size;
    }

    /** The last entries, one a line. */
    String recent() {
        StringBuilder text = new StringBuilder();
        for (long i = Math.max(0, size - SHOWN); i < size; i++) {
            int slot = (int) (i % SHOWN);
            text.append("  ").append(recent[slot]).append(' ').append(recentFirst[slot]);
            text.append(' ').append(recentSecond[slot]).append('\n');
        }
        return text.toString();
    }

    private static long mix(long running, long word) {
        long mixed = (running ^ word) * FACTOR;
        return mixed ^ (mixed >>> 32);
    }
}

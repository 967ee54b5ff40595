package io.reprise.simulation;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** What happened in a run, in order: as a hash after each entry, and the last entries as text. */
final class Trace {
    private static final int SHOWN = 40;
    private static final long FACTOR = 0xBF58476D1CE4E5B9L;

    private final Trace expected;
    private final Deque<String> recent = new ArrayDeque<>();
    private long[] hashes = new long[1024];
    private int size;

    /** A trace that is compared with an earlier one as it grows, if that is not null. */
    Trace(Trace expected) {
        this.expected = expected;
    }

    void add(String what, long first, long second) {
        long hash = mix(mix(mix(hash(), what.hashCode()), first), second);
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, size * 2);
        }
        hashes[size++] = hash;
        if (recent.size() == SHOWN) {
            recent.removeFirst();
        }
        recent.addLast(what + " " + first + " " + second);
        if (expected != null && (size > expected.size || expected.hashes[size - 1] != hash)) {
            throw new AssertionError(
                    "entry " + size + " differs from the first run with this seed, so something is not "
                            + "deterministic (hash order? a clock? identity?); the last entries:\n" + recent());
        }
    }

    long hash() {
        return size == 0 ? 0 : hashes[size - 1];
    }

    int size() {
        return size;
    }

    /** The last entries, one a line. */
    String recent() {
        return "  " + String.join("\n  ", recent);
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * FACTOR;
        return mixed ^ (mixed >>> 32);
    }
}

package io.reprise.execution;

import java.nio.ByteBuffer;

/** The outcomes of one client; the low bits of a sequence number choose its slot. */
final class ClientOutcomes {
    /** The bit of a kind that marks an outcome as kept in memory only. */
    static final byte PASSING = 0x40;

    /** Few, because most clients of a partition have one call under way, and hundreds of thousands of clients are kept. */
    private static final int LEAST_SLOTS = 2;

    private static final int ENTRY_BYTES = Long.BYTES + 1 + Long.BYTES;
    private static final int HEADER_BYTES = 4 * Long.BYTES + Integer.BYTES;

    final long id;
    long lastTransaction;
    long acknowledged;
    long highest;
    long[] sequences = new long[LEAST_SLOTS];
    long[] words = new long[LEAST_SLOTS];
    byte[] kinds = new byte[LEAST_SLOTS];

    /** The number of the last image that has this client, or that began before the client came. */
    int image;

    ClientOutcomes(long id) {
        this.id = id;
    }

    /** Drops all outcomes; no call so far may run any more. */
    void forget() {
        acknowledged = highest + 1;
        sequences = new long[LEAST_SLOTS];
        words = new long[LEAST_SLOTS];
        kinds = new byte[LEAST_SLOTS];
    }

    /** The slots beyond the least. */
    int slots() {
        return sequences.length - LEAST_SLOTS;
    }

    int slot(long sequence) {
        return (int) sequence & sequences.length - 1;
    }

    void put(long sequence, byte kind, long word) {
        if (sequence <= highest - Outcomes.WINDOW) {
            return;
        }
        highest = Math.max(highest, sequence);
        int slot = slot(sequence);
        while (sequences.length < Outcomes.WINDOW && sequences[slot] != sequence && isNeeded(sequences[slot])) {
            grow();
            slot = slot(sequence);
        }
        sequences[slot] = sequence;
        words[slot] = word;
        kinds[slot] = kind;
    }

    /** Sequences begin at 1: an empty slot has 0. */
    private boolean isNeeded(long sequence) {
        return sequence != 0 && sequence >= acknowledged && sequence > highest - Outcomes.WINDOW;
    }

    private void grow() {
        long[] oldSequences = sequences;
        long[] oldWords = words;
        byte[] oldKinds = kinds;
        sequences = new long[2 * oldSequences.length];
        words = new long[sequences.length];
        kinds = new byte[sequences.length];
        for (int i = 0; i < oldSequences.length; i++) {
            if (isNeeded(oldSequences[i])) {
                int slot = slot(oldSequences[i]);
                sequences[slot] = oldSequences[i];
                words[slot] = oldWords[i];
                kinds[slot] = oldKinds[i];
            }
        }
    }

    /** Drops the outcomes that are not in the log. */
    void forgetPassing() {
        for (int i = 0; i < sequences.length; i++) {
            if ((kinds[i] & PASSING) != 0) {
                sequences[i] = 0;
                kinds[i] = 0;
            }
        }
    }

    /** The most bytes that {@link #encode} writes. */
    int mostBytes() {
        return HEADER_BYTES + sequences.length * ENTRY_BYTES;
    }

    /** Writes the outcomes that are also in the log; see {@link OutcomesImage}. */
    void encode(ByteBuffer to) {
        to.putLong(id).putLong(lastTransaction).putLong(acknowledged).putLong(highest);
        int countAt = to.position();
        to.putInt(0);
        int count = 0;
        for (int i = slot(highest + 1), left = sequences.length; left > 0; i = slot(i + 1), left--) {
            if (isNeeded(sequences[i]) && (kinds[i] & PASSING) == 0) {
                to.putLong(sequences[i]).put(kinds[i]).putLong(words[i]);
                count++;
            }
        }
        to.putInt(countAt, count);
    }
}

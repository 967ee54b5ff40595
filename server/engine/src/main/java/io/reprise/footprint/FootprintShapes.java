package io.reprise.footprint;

import java.util.Arrays;

/** The shapes of a record's footprints, each once: the accesses of its runs, with their counts of rows and forms. Reused. */
final class FootprintShapes {
    private static final int FORM = (1 << FootprintFormat.FORM_BITS) - 1;
    private static final int SEED = 0x9E3779B9;

    /** Pairs (access, rows * 4 + form) of the shapes, one behind the other, then those of the shape that is being made. */
    private int[] runs = new int[256];

    private int end;

    /** By shape, its beginning and its hash; the last ones are of the shape that is being made. */
    private int[] starts = new int[64];

    private int[] hashes = new int[64];
    private int count;

    /** Open addressing: a shape plus one. */
    private int[] slots = new int[256];

    /** Forgets all shapes. */
    void clear() {
        if (count > 0) {
            Arrays.fill(slots, 0);
        }
        count = 0;
        end = 0;
        hashes[0] = 0;
    }

    /** Adds a run to the shape that is being made. */
    void add(int access, int rows, int form) {
        if (end == runs.length) {
            runs = Arrays.copyOf(runs, 2 * end);
        }
        runs[end] = access;
        runs[end + 1] = rows << FootprintFormat.FORM_BITS | form;
        int hash = ((hashes[count] ^ access) * SEED ^ runs[end + 1]) * SEED;
        hashes[count] = hash ^ hash >>> 15;
        end += 2;
    }

    /** Ends the shape that is being made. Returns its number, which is new if there was no such shape. */
    int finish() {
        int slot = slot(count);
        if (slots[slot] > 0) {
            end = starts[count];
            hashes[count] = 0;
            return slots[slot] - 1;
        }
        slots[slot] = ++count;
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            hashes = Arrays.copyOf(hashes, 2 * count);
        }
        starts[count] = end;
        hashes[count] = 0;
        if (2 * count > slots.length) {
            slots = new int[2 * slots.length];
            for (int shape = 0; shape < count; shape++) {
                slots[slot(shape)] = shape + 1;
            }
        }
        return count - 1;
    }

    private int slot(int shape) {
        int to = shape == count ? end : starts[shape + 1];
        int slot = hashes[shape] & slots.length - 1;
        while (slots[slot] > 0) {
            int other = slots[slot] - 1;
            if (hashes[other] == hashes[shape]
                    && Arrays.equals(runs, starts[other], starts[other + 1], runs, starts[shape], to)) {
                return slot;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    /** The access of a shape's run. */
    int access(int shape, int run) {
        return runs[starts[shape] + 2 * run];
    }

    /** The form of a shape's run. */
    int form(int shape, int run) {
        return runs[starts[shape] + 2 * run + 1] & FORM;
    }

    /** Puts the count of shapes, then each with its count of runs. */
    void putTo(FootprintBytes out) {
        out.putVarint(count);
        for (int shape = 0; shape < count; shape++) {
            out.putVarint((starts[shape + 1] - starts[shape]) / 2);
            for (int i = starts[shape]; i < starts[shape + 1]; i++) {
                out.putVarint(runs[i]);
            }
        }
    }
}

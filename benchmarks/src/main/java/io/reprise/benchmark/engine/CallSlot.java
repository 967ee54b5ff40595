package io.reprise.benchmark.engine;

import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.Text;
import io.reprise.procedure.TextBuilder;
import io.reprise.workload.Call;

/**
 * Memory for the arguments of one call under way. The engine keeps references until the transaction has ended, so each
 * call that is under way needs arrays and texts of its own; they are used again when the slot is.
 */
final class CallSlot {
    private static final int MAX_POOLED_LENGTH = 64;
    private static final int MAX_TEXT = 1_024;
    private static final int PLACES = 4;

    private final int[][][] arrays = new int[PLACES][MAX_POOLED_LENGTH + 1][];
    private final TextBuilder[] texts = new TextBuilder[PLACES];
    private int arraysUsed;
    private int textsUsed;

    /** Begins a new call in this slot. */
    void clear() {
        arraysUsed = 0;
        textsUsed = 0;
    }

    private int[] array(int length) {
        if (length > MAX_POOLED_LENGTH || arraysUsed == PLACES) {
            return new int[length];
        }
        int[][] place = arrays[arraysUsed++];
        if (place[length] == null) {
            place[length] = new int[length];
        }
        return place[length];
    }

    private TextBuilder text() {
        if (textsUsed == PLACES) {
            return new TextBuilder(MAX_TEXT);
        }
        if (texts[textsUsed] == null) {
            texts[textsUsed] = new TextBuilder(MAX_TEXT);
        }
        return texts[textsUsed++].clear();
    }

    /** Hands a generator's call to the engine's arguments, copying arrays and texts into a slot. */
    abstract static class Writer implements Call {
        private Arguments arguments;
        private CallSlot slot;

        /** Begins a call: says which arguments it fills, out of which slot. */
        final void begin(Arguments into, CallSlot from) {
            arguments = into;
            slot = from;
            slot.clear();
        }

        @Override
        public final Call add(long value) {
            arguments.add(value);
            return this;
        }

        @Override
        public final Call add(double value) {
            arguments.add(value);
            return this;
        }

        @Override
        public final Call add(Text value) {
            arguments.add(slot.text().append(value).text());
            return this;
        }

        @Override
        public final Call add(int[] values, int count) {
            int[] copy = slot.array(count);
            System.arraycopy(values, 0, copy, 0, count);
            arguments.add(copy);
            return this;
        }

        @Override
        public final Call add(long[] values, int count) {
            arguments.add(java.util.Arrays.copyOf(values, count));
            return this;
        }

        @Override
        public final Call addNull() {
            arguments.addNull();
            return this;
        }
    }
}

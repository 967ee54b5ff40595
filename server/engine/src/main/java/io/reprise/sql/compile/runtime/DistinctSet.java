package io.reprise.sql.compile.runtime;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.PartitionStore;
import java.util.Arrays;

/** The values that a DISTINCT aggregate has seen, for each group: pairs of group and value word, by open addressing. */
public final class DistinctSet implements WorkMemory.Holder {
    private static final int INITIAL_SLOTS = 32;
    private static final int RETAINED_SLOTS = 1 << 14;

    private static final int SLOT_BYTES = 2 * Long.BYTES + 1;

    private final Memory memory;
    private final WorkMemory work;
    private final boolean string;
    private long[] pairs = new long[INITIAL_SLOTS * 2];
    private boolean[] taken = new boolean[INITIAL_SLOTS];
    private int count;

    /** An empty set of strings or of other words. */
    public DistinctSet(boolean string, PartitionStore store) {
        this.string = string;
        memory = store.memory();
        work = store.workMemory();
    }

    @Override
    public void letGo() {
        clear();
    }

    /** Forgets everything. */
    public void clear() {
        if (taken.length > RETAINED_SLOTS) {
            work.giveBack((long) (taken.length - INITIAL_SLOTS) * SLOT_BYTES);
            pairs = new long[INITIAL_SLOTS * 2];
            taken = new boolean[INITIAL_SLOTS];
        } else if (count > 0) {
            Arrays.fill(taken, false);
        }
        count = 0;
    }

    /** Adds a value to a group's set; false if it was there. */
    public boolean add(int group, long word) {
        int at = slot(pairs, taken, group, word);
        if (taken[at]) {
            return false;
        }
        put(pairs, taken, at, group, word);
        if (++count * 2 > taken.length) {
            grow();
        }
        return true;
    }

    private static void put(long[] pairs, boolean[] taken, int at, long group, long word) {
        taken[at] = true;
        pairs[at * 2] = group;
        pairs[at * 2 + 1] = word;
    }

    private int slot(long[] inPairs, boolean[] inTaken, long group, long word) {
        long hash = Buckets.mix(Buckets.mix(0, group), string ? Strings.hash(memory, word) : word);
        int mask = inTaken.length - 1;
        int at = (int) hash & mask;
        while (inTaken[at] && !(inPairs[at * 2] == group && same(inPairs[at * 2 + 1], word))) {
            at = at + 1 & mask;
        }
        return at;
    }

    private boolean same(long a, long b) {
        return string ? Strings.equal(memory, a, b) : a == b;
    }

    private void grow() {
        work.take((long) taken.length * SLOT_BYTES);
        if (taken.length == RETAINED_SLOTS) {
            work.letGoAfterwards(this);
        }
        long[] newPairs = new long[pairs.length * 2];
        boolean[] newTaken = new boolean[taken.length * 2];
        for (int i = 0; i < taken.length; i++) {
            if (taken[i]) {
                int at = slot(newPairs, newTaken, pairs[i * 2], pairs[i * 2 + 1]);
                put(newPairs, newTaken, at, pairs[i * 2], pairs[i * 2 + 1]);
            }
        }
        pairs = newPairs;
        taken = newTaken;
    }
}

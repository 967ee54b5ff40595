package io.reprise.sql.compile.runtime;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.PartitionStore;
import java.util.Arrays;

/**
 * The groups of an aggregation: a hash table by open addressing over words. Groups lie one after the other in the order
 * in which they were first seen, which is the order in which they are given out.
 *
 * <pre>
 *   words:  | null bits of keys | key 0 | key 1 | ... | aggregate words (0 at first) | hash |  next group ...
 * </pre>
 *
 * <p>Generated code writes the keys of a row behind the last group ({@link #stage}) and asks for the group that has them
 * ({@link #find}), which keeps what was staged if there was none.
 */
public final class GroupTable implements WorkMemory.Holder {
    private static final int INITIAL_SLOTS = 32;
    private static final int RETAINED_SLOTS = 1 << 14;

    /** The groups. */
    public long[] words;

    /** The beginning of the next group. */
    public int end;

    private final Memory memory;
    private final WorkMemory work;
    private final boolean[] string;
    private final int nullWords;
    private final int keys;
    private final int stride;
    private int[] slots;
    private int count;

    /**
     * An empty table.
     *
     * @param string for each key, whether it is a string
     * @param aggregateWords number of a group's words that belong to the aggregates
     */
    public GroupTable(boolean[] string, int aggregateWords, PartitionStore store) {
        this.string = string;
        memory = store.memory();
        work = store.workMemory();
        keys = string.length;
        nullWords = RowShape.nullWords(keys);
        stride = nullWords + keys + aggregateWords + 1;
        clear();
    }

    /** The words of a group. */
    public int stride() {
        return stride;
    }

    @Override
    public void letGo() {
        clear();
    }

    /** Forgets all groups. */
    public void clear() {
        if (slots == null || slots.length > RETAINED_SLOTS) {
            if (slots != null) {
                work.giveBack((long) (words.length - INITIAL_SLOTS * stride) * Long.BYTES
                        + (long) (slots.length - INITIAL_SLOTS) * Integer.BYTES);
            }
            slots = new int[INITIAL_SLOTS];
            words = new long[INITIAL_SLOTS * stride];
        } else if (count > 0) {
            Arrays.fill(slots, 0);
        }
        count = 0;
        end = 0;
    }

    /** Makes room for the keys of a row. Returns the index of their first word. */
    public int stage() {
        if (stride > words.length - end) {
            words = Arrays.copyOf(words, work.grow(words.length, (long) end + stride, Long.BYTES));
        }
        return end;
    }

    /** The group with the staged keys. Returns the index of its first word. */
    public int find() {
        long hash = hash(end);
        int mask = slots.length - 1;
        int at = (int) hash & mask;
        while (slots[at] != 0) {
            int group = (slots[at] - 1) * stride;
            if (words[group + stride - 1] == hash && sameKeys(group, end)) {
                return group;
            }
            at = at + 1 & mask;
        }
        return add(at, hash);
    }

    private int add(int slot, long hash) {
        int group = end;
        Arrays.fill(words, group + nullWords + keys, group + stride - 1, 0);
        words[group + stride - 1] = hash;
        slots[slot] = ++count;
        end += stride;
        if (count * 2 > slots.length) {
            grow();
        }
        return group;
    }

    private void grow() {
        work.take((long) slots.length * Integer.BYTES);
        if (slots.length == RETAINED_SLOTS) {
            work.letGoAfterwards(this);
        }
        slots = new int[slots.length * 2];
        int mask = slots.length - 1;
        for (int i = 0; i < count; i++) {
            int at = (int) words[i * stride + stride - 1] & mask;
            while (slots[at] != 0) {
                at = at + 1 & mask;
            }
            slots[at] = i + 1;
        }
    }

    private long hash(int row) {
        long hash = 0;
        for (int i = 0; i < nullWords; i++) {
            hash = Buckets.mix(hash, words[row + i]);
        }
        for (int i = 0; i < keys; i++) {
            if ((words[row + (i >>> 6)] >>> i & 1) == 0) {
                long word = words[row + nullWords + i];
                hash = Buckets.mix(hash, string[i] ? Strings.hash(memory, word) : word);
            }
        }
        return hash;
    }

    private boolean sameKeys(int a, int b) {
        for (int i = 0; i < nullWords; i++) {
            if (words[a + i] != words[b + i]) {
                return false;
            }
        }
        for (int i = 0; i < keys; i++) {
            if ((words[a + (i >>> 6)] >>> i & 1) == 0) {
                long x = words[a + nullWords + i];
                long y = words[b + nullWords + i];
                if (string[i] ? !Strings.equal(memory, x, y) : x != y) {
                    return false;
                }
            }
        }
        return true;
    }
}

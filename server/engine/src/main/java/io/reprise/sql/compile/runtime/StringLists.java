package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.util.Arrays;

/**
 * The strings that STRING_AGG has met, as a chain for each group. An entry is the string, the separator in front of it, and the
 * number of the next entry. Entries count from 1, so 0 is none.
 */
public final class StringLists implements WorkMemory.Holder {
    private static final int INITIAL = 32;
    private static final int RETAINED = 1 << 14;
    private static final int ENTRY_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private final PartitionStore store;
    private final WorkMemory work;
    private long[] strings = new long[INITIAL];
    private long[] separators = new long[INITIAL];
    private int[] next = new int[INITIAL];
    private int count;

    /** No strings. */
    public StringLists(PartitionStore store) {
        this.store = store;
        work = store.workMemory();
    }

    @Override
    public void letGo() {
        clear();
    }

    /** Forgets everything. */
    public void clear() {
        if (strings.length > RETAINED) {
            work.giveBack((long) (strings.length - INITIAL) * ENTRY_BYTES);
            strings = new long[INITIAL];
            separators = new long[INITIAL];
            next = new int[INITIAL];
        }
        count = 0;
    }

    /** Adds a string behind an entry, or as the first one of a chain behind none. Returns its entry. */
    public long add(long last, long string, long separator) {
        if (count + 1 >= strings.length) {
            grow();
        }
        int entry = ++count;
        strings[entry] = string;
        separators[entry] = separator;
        next[entry] = 0;
        if (last != 0) {
            next[(int) last] = entry;
        }
        return entry;
    }

    private void grow() {
        work.take((long) strings.length * ENTRY_BYTES);
        int length = strings.length * 2;
        if (strings.length <= RETAINED && length > RETAINED) {
            work.letGoAfterwards(this);
        }
        strings = Arrays.copyOf(strings, length);
        separators = Arrays.copyOf(separators, length);
        next = Arrays.copyOf(next, length);
    }

    /** The strings of a chain with the separators between them, as one string. */
    public long joined(long first) {
        long length = 0;
        for (int entry = (int) first; entry != 0; entry = next[entry]) {
            length += Ref.length(strings[entry]) + (entry == first ? 0L : Ref.length(separators[entry]));
        }
        if (length > SqlType.MAX_STRING_BYTES) {
            throw Errors.tooLong("STRING_AGG has come to " + length + " bytes, and the longest possible string has "
                    + SqlType.MAX_STRING_BYTES);
        }
        long to = store.scratch((int) length);
        long at = to;
        for (int entry = (int) first; entry != 0; entry = next[entry]) {
            at = entry == first ? at : copied(separators[entry], at);
            at = copied(strings[entry], at);
        }
        return Ref.of(to, (int) length);
    }

    private long copied(long string, long to) {
        int length = Ref.length(string);
        store.memory().copy(Ref.address(string), to, length);
        return to + length;
    }
}

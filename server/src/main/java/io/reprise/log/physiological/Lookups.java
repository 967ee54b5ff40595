package io.reprise.log.physiological;

import java.util.Arrays;

/**
 * Which rows data records are going to look up or insert, in their order: found by a {@link DataScout}, fetched by {@link
 * DataRedo#fetch} before the records are applied. One thread's at a time.
 */
public final class Lookups {
    private static final long HASH = 0xFFFF_FFFFL;

    /** The table's id, and in the lower half the hash of the primary key. */
    private long[] entries = new long[1024];

    private int count;

    /** None yet. */
    public Lookups() {}

    void add(int tableId, int hash) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
        entries[count++] = (long) tableId << 32 | hash & HASH;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    int tableId(int i) {
        return (int) (entries[i] >>> 32);
    }

    int hash(int i) {
        return (int) entries[i];
    }

    /** Forgets them. */
    public void clear() {
        count = 0;
    }
}

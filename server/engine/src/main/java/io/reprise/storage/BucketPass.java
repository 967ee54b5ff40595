package io.reprise.storage;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * The places of the rows of some buckets. A pass over all rows finds them, some places at a time between transactions, and an observer
 * adds the places of rows that are inserted meanwhile. So a transaction that reads or deletes all rows of a bucket passes over no
 * others.
 *
 * <p>A listed place may be free later, or have another row; {@link #rowsOf} leaves it out then. A list that has doubled is trimmed to the
 * places with rows of its bucket, so rows that come and go don't let it grow. A truncated or replaced table breaks the list.
 *
 * <p>Owned by the partition's thread. Closed to end the observation.
 */
public final class BucketPass implements WriteObserver, AutoCloseable {
    private static final int NONE = -1;

    private final PartitionStore store;
    private final Memory memory;
    private final TableStore[] tables;

    /** The index in {@link #tables} by table id. */
    private final int[] tableAt;

    /** The index of a bucket's list among those of a table, by bucket. */
    private final int[] slotOf;

    private final int slots;
    private final Places[] lists;
    private final long mostPlaces;

    /** The number of listed places, and of the first slots that still have lists. */
    private long listed;

    private int slotsLeft;
    private int table;

    /** The next place of the present table, and its last one when its pass began; 0 before that. */
    private long cursor;

    private long end;
    private boolean broken;

    /** The indexes of lists that have become too long. */
    private final BitSet overlong = new BitSet();

    /** Places of rows. */
    private static final class Places {
        private static final int LEAST = 8;
        private static final int LEAST_TRIMMED = 64;

        /** In place of a list that was forgotten. */
        private static final Places NONE = new Places();

        private long[] at = new long[LEAST];
        private int count;

        /** A longer list is to be trimmed. */
        private int most = LEAST_TRIMMED;

        /** Returns whether the list has just become too long. */
        boolean add(long place) {
            if (count == at.length) {
                at = Arrays.copyOf(at, 2 * count);
            }
            at[count++] = place;
            return count == most + 1;
        }

        /** Keeps the places, each once, that pass the test. */
        void trim(LongPredicate hasRow) {
            Arrays.sort(at, 0, count);
            int kept = 0;
            for (int i = 0; i < count; i++) {
                boolean isAgain = i > 0 && at[i] == at[i - 1];
                if (!isAgain && hasRow.test(at[i])) {
                    at[kept++] = at[i];
                }
            }
            count = kept;
            most = Math.max(LEAST_TRIMMED, 2 * kept);
            if (most < at.length / 2) {
                at = Arrays.copyOf(at, most);
            }
        }
    }

    /**
     * Begins to look for the rows of some buckets, between two transactions.
     *
     * @param tables the partitioned tables
     * @param mostPlaces beyond so many places the lists of the last buckets are forgotten
     */
    public BucketPass(PartitionStore store, Collection<TableStore> tables, BitSet buckets, long mostPlaces) {
        this.mostPlaces = mostPlaces;
        this.store = store;
        memory = store.memory();
        this.tables = tables.toArray(TableStore[]::new);
        int most = 0;
        for (TableStore each : this.tables) {
            most = Math.max(most, each.id());
        }
        tableAt = new int[most + 1];
        Arrays.fill(tableAt, NONE);
        for (int i = 0; i < this.tables.length; i++) {
            tableAt[this.tables[i].id()] = i;
        }
        slotOf = new int[store.buckets().count()];
        Arrays.fill(slotOf, NONE);
        int next = 0;
        for (int bucket = buckets.nextSetBit(0); bucket >= 0; bucket = buckets.nextSetBit(bucket + 1)) {
            slotOf[bucket] = next++;
        }
        slots = next;
        slotsLeft = next;
        lists = new Places[slots * this.tables.length];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new Places();
        }
        store.observeWrites(this);
    }

    /** Passes over some places, between two transactions. Returns whether all rows are listed. */
    public boolean step(int places) {
        int left = places;
        while (!broken && table < tables.length && left > 0) {
            TableStore at = tables[table];
            if (cursor == 0) {
                cursor = at.scanStart();
                end = at.scanEnd();
            }
            int size = at.layout().size();
            // Places may have been given back since the pass of this table began.
            long stop = Math.min(Math.min(end, at.scanEnd()), cursor + (long) left * size);
            left -= (int) ((Math.max(stop, cursor) - cursor) / size) + 1;
            for (; cursor < stop; cursor += size) {
                if (at.isLive(cursor)) {
                    add(table, cursor);
                }
            }
            if (cursor >= Math.min(end, at.scanEnd())) {
                table++;
                cursor = 0;
            }
        }
        return !broken && table == tables.length;
    }

    /** Trims a list that has become too long, between two transactions. Returns whether there was one. */
    public boolean trim() {
        int index = overlong.nextSetBit(0);
        if (index < 0 || broken) {
            return false;
        }
        overlong.clear(index);
        TableStore of = tables[index / slots];
        int slot = index % slots;
        listed -= lists[index].count;
        lists[index].trim(place -> isRow(of, place) && slotOf[DirectWrites.bucket(of.rowId(place))] == slot);
        listed += lists[index].count;
        return true;
    }

    private static boolean isRow(TableStore table, long place) {
        return place >= table.scanStart() && place < table.scanEnd() && table.isLive(place);
    }

    /** Whether a table was truncated or replaced, so that the list is of no use any more. */
    public boolean isBroken() {
        return broken;
    }

    /** Whether the places of a bucket are listed, as far as the pass has come. */
    public boolean has(int bucket) {
        return slotOf[bucket] != NONE && slotOf[bucket] < slotsLeft;
    }

    /** The number of listed places of a bucket. */
    public long count(int bucket) {
        return has(bucket) ? countOf(slotOf[bucket]) : 0;
    }

    private long countOf(int slot) {
        long count = 0;
        for (int i = slot; i < lists.length; i += slots) {
            count += lists[i].count;
        }
        return count;
    }

    /** Gives the addresses of a table's rows in some of the buckets, in the order of addresses; 0 at the end. */
    public LongSupplier rowsOf(TableStore of, BitSet buckets) {
        int first = tableAt[of.id()] * slots;
        int count = 0;
        for (int bucket = buckets.nextSetBit(0); bucket >= 0; bucket = buckets.nextSetBit(bucket + 1)) {
            count += lists[first + slotOf[bucket]].count;
        }
        long[] places = new long[count];
        int next = 0;
        for (int bucket = buckets.nextSetBit(0); bucket >= 0; bucket = buckets.nextSetBit(bucket + 1)) {
            Places list = lists[first + slotOf[bucket]];
            System.arraycopy(list.at, 0, places, next, list.count);
            next += list.count;
        }
        Arrays.sort(places);
        return new Present(of, buckets, places);
    }

    /** The places, each once, that have rows of the buckets when they are asked for. */
    private static final class Present implements LongSupplier {
        private final TableStore table;
        private final BitSet buckets;
        private final long[] places;
        private int next;

        Present(TableStore table, BitSet buckets, long[] places) {
            this.table = table;
            this.buckets = buckets;
            this.places = places;
        }

        @Override
        public long getAsLong() {
            while (next < places.length) {
                long place = places[next++];
                boolean isAgain = next > 1 && places[next - 2] == place;
                if (!isAgain && isRow(table, place) && buckets.get(DirectWrites.bucket(table.rowId(place)))) {
                    return place;
                }
            }
            return 0;
        }
    }

    private void add(int at, long row) {
        int slot = slotOf[DirectWrites.bucket(memory.getLong(row) & RowLayout.ROW_ID_MASK)];
        if (slot == NONE || slot >= slotsLeft) {
            return;
        }
        int index = at * slots + slot;
        if (lists[index].add(row)) {
            overlong.set(index);
        }
        if (++listed > mostPlaces) {
            forgetLast();
        }
    }

    /** Forgets the list of the last bucket that has one. */
    private void forgetLast() {
        slotsLeft--;
        listed -= countOf(slotsLeft);
        for (int i = slotsLeft; i < lists.length; i += slots) {
            lists[i] = Places.NONE;
            overlong.clear(i);
        }
    }

    @Override
    public void inserted(TableStore into, long row) {
        int at = into.id() < tableAt.length ? tableAt[into.id()] : NONE;
        if (at != NONE) {
            add(at, row);
        } else if (!into.table().replicated()) {
            broken = true;
        }
    }

    @Override
    public void beforeChange(TableStore of, long row) {
        // The list has places, and no content.
    }

    @Override
    public boolean keeps(TableStore of, long firstPlace, Runnable free) {
        broken |= !of.table().replicated();
        return false;
    }

    @Override
    public void close() {
        store.stopObserving(this);
    }
}

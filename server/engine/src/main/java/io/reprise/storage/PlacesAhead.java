package io.reprise.storage;

import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.storage.row.RowSpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Places of a table that are given away in replay, before there are rows for them: other threads write rows there, while the
 * partition's is at earlier ones, and it makes them the table's as it comes to them. So a row is written once, where it stays, and not copied
 * there.
 *
 * <pre>
 *  partition's thread                    others
 *      give                              take; write rows, one behind the other; tell the partition's thread of them
 *      DirectWrites.occupy               take ...
 *      want back                         stop, and tell where
 *      give back, free
 * </pre>
 *
 * <p>Until it is occupied a place is neither free nor a row's, whatever its header says: the table must not be scanned without asking
 * {@link #cover}.
 */
public final class PlacesAhead {
    /** The size of one gift of places, and of all at once: shares of the table's size, within these bounds. */
    private static final int SHARE = 32;

    private static final int SHARE_AWAY = 4;
    private static final long LEAST = 16L << 10;
    private static final long MOST = 256L << 10;
    private static final long MOST_AWAY = 8L << 20;

    private static final long NO = 0;
    private static final long YES = 1;

    /** Some that lie together. */
    public static final class Places {
        private final long from;
        private final long to;

        /** The partition's thread: those before it have been occupied. */
        private long occupiedTo;

        private Places(long from, long to) {
            this.from = from;
            this.to = to;
            occupiedTo = from;
        }

        /** The first one. */
        public long from() {
            return from;
        }

        /** Behind the last one. */
        public long to() {
            return to;
        }
    }

    /** Places that the table has no more, some of which are away. */
    private record Retired(RowSpace.Detached all, List<Places> away) {}

    private final PartitionStore store;
    private final DirectWrites writes;
    private final RowSpace rows;
    private final Queue<Places> given = new ConcurrentLinkedQueue<>();
    private final PublishedLong wantedBack = new PublishedLong();

    /** The partition's thread: places given away, without the occupied ones. */
    private final List<Places> away = new ArrayList<>();

    /** Places that came back while others are away. */
    private final List<Places> back = new ArrayList<>();

    /** Of rows that were deleted all at once. */
    private final List<Retired> retired = new ArrayList<>();

    private long bytesAway;

    PlacesAhead(PartitionStore store, RowSpace rows, DirectWrites writes) {
        this.store = store;
        this.writes = writes;
        this.rows = rows;
    }

    /** The partition's thread: gives more away, if there is memory to spare and no free place among the rows. */
    public void give() {
        if (store.isShortOfMemory()) {
            return;
        }
        long tableBytes = rows.end() - rows.start();
        long share = Math.clamp(tableBytes / SHARE, LEAST, MOST);
        long most = Math.clamp(tableBytes / SHARE_AWAY, LEAST, MOST_AWAY);
        while (bytesAway < most) {
            long from = rows.end();
            long to = rows.takeAhead(share);
            if (to == 0) {
                return;
            }
            Places places = new Places(from, to);
            away.add(places);
            bytesAway += to - from;
            wantedBack.set(NO);
            given.add(places);
        }
    }

    /** The partition's thread: gives no more away, and wants back what there is. */
    public void wantBack() {
        wantedBack.set(YES);
        for (Places untaken = given.poll(); untaken != null; untaken = given.poll()) {
            giveBack(untaken.from);
        }
    }

    /** Another thread: takes some, or null if there are none. */
    public Places take() {
        return given.poll();
    }

    /** Another thread: whether it should stop soon and say what it has left. */
    public boolean areWantedBack() {
        return wantedBack.get() == YES;
    }

    /** Bytes of a place. */
    public int rowSize() {
        return rows.rowSize();
    }

    /** The partition's thread: whether there are any that are neither free nor a row's. */
    public boolean areLeft() {
        return !away.isEmpty() || !back.isEmpty() || !retired.isEmpty();
    }

    /**
     * The partition's thread: all rows have been deleted, and these were their places. If some places are away, these
     * are kept until all are back; rows written there meanwhile are to be copied.
     */
    void retire(RowSpace.Detached all) {
        back.clear();
        bytesAway = 0;
        if (away.isEmpty()) {
            all.drop();
            return;
        }
        away.sort(Comparator.comparingLong(places -> places.occupiedTo));
        long from = all.start();
        for (Places places : away) {
            all.giveBack(from, places.occupiedTo);
            from = places.to;
        }
        all.giveBack(from, Long.MAX_VALUE);
        retired.add(new Retired(all, new ArrayList<>(away)));
        away.clear();
    }

    /** The partition's thread: whether the rows from here on are to be copied to where the table is now. */
    public boolean isRetired(long from) {
        return retired(from) != null;
    }

    /** The partition's thread: the rows from here to there have been copied. */
    public void copied(long from, long to) {
        Retired places = retired(from);
        occupy(from, to, places.away);
        dropIfAllIsBack(places);
    }

    /** Among which this one is the next to be written, or null. */
    private Retired retired(long from) {
        for (Retired each : retired) {
            if (find(from, each.away) >= 0) {
                return each;
            }
        }
        return null;
    }

    private void dropIfAllIsBack(Retired places) {
        if (places.away.isEmpty()) {
            places.all.drop();
            retired.remove(places);
        }
    }

    /** The partition's thread: whether this place is one that is away. */
    boolean cover(long row) {
        return isIn(row, away) || isIn(row, back);
    }

    private static boolean isIn(long row, List<Places> some) {
        for (Places places : some) {
            if (row >= places.occupiedTo && row < places.to) {
                return true;
            }
        }
        return false;
    }

    /** The partition's thread: rows have been written into the places from here to there, and are the table's now. */
    void occupy(long from, long to) {
        bytesAway -= to - from;
        occupy(from, to, away);
    }

    private static void occupy(long from, long to, List<Places> some) {
        long at = from;
        while (at < to) {
            int index = find(at, some);
            Invariants.check(index >= 0, "rows have been written to a place that was not given away, at", at);
            Places places = some.get(index);
            places.occupiedTo = Math.min(to, places.to);
            at = places.occupiedTo;
            if (at == places.to) {
                some.remove(index);
            }
        }
    }

    /** Ends writing to the places from here on. The partition's thread. */
    public void giveBack(long from) {
        Retired old = retired(from);
        if (old != null) {
            old.away.remove(find(from, old.away));
            dropIfAllIsBack(old);
            return;
        }
        int index = find(from, away);
        Invariants.check(index >= 0, "a place is given back that was not given away, at", from);
        Places places = away.remove(index);
        bytesAway -= places.to - from;
        back.add(places);
    }

    /**
     * The partition's thread: frees what is back, once nothing is away any more. Rows move, so no caller may keep offsets that it has
     * looked up. The last places come first, so that what lies at the end is as if it had never been taken.
     *
     * @return whether all is free
     */
    public boolean free() {
        if (!away.isEmpty()) {
            return false;
        }
        back.sort(Comparator.comparingLong((Places places) -> places.to).reversed());
        back.forEach(places -> writes.freePlaces(places.occupiedTo, places.to));
        back.clear();
        writes.trimIfEmpty();
        return true;
    }

    private static int find(long from, List<Places> some) {
        for (int i = 0; i < some.size(); i++) {
            if (some.get(i).occupiedTo == from) {
                return i;
            }
        }
        return -1;
    }
}

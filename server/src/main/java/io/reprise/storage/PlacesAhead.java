package io.reprise.storage;

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
    /** What is given away at a time, and what may be away altogether: shares of what the table has, within these bounds. */
    private static final int SHARE = 32;

    private static final int SHARE_AWAY = 4;
    private static final long LEAST = 16L << 10;
    private static final long MOST = 256L << 10;
    private static final long MOST_AWAY = 8L << 20;

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

    private final PartitionStore store;
    private final DirectWrites writes;
    private final RowSpace rows;
    private final Queue<Places> given = new ConcurrentLinkedQueue<>();
    private volatile boolean wantedBack;

    /** The partition's thread: what is away, but for what has been occupied of it. */
    private final List<Places> away = new ArrayList<>();

    /** What has come back, as long as others are away. */
    private final List<Places> back = new ArrayList<>();

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
        wantedBack = false;
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
            given.add(places);
        }
    }

    /** The partition's thread: gives no more away, and wants back what there is. */
    public void wantBack() {
        wantedBack = true;
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
        return wantedBack;
    }

    /** Bytes of a place. */
    public int rowSize() {
        return rows.rowSize();
    }

    /** The partition's thread: whether there are any that are neither free nor a row's. */
    public boolean areLeft() {
        return !away.isEmpty() || !back.isEmpty();
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
        long at = from;
        while (at < to) {
            int index = find(at);
            Places places = away.get(index);
            places.occupiedTo = Math.min(to, places.to);
            bytesAway -= places.occupiedTo - at;
            at = places.occupiedTo;
            if (at == places.to) {
                away.remove(index);
            }
        }
    }

    /** The partition's thread: nobody writes to the places from here on any more. */
    public void giveBack(long from) {
        Places places = away.remove(find(from));
        bytesAway -= places.to - from;
        back.add(places);
    }

    /**
     * The partition's thread: frees what is back, once nothing is away any more. Rows move, so nobody may be about to use any that he has
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
        return true;
    }

    private int find(long from) {
        for (int i = 0; i < away.size(); i++) {
            if (away.get(i).occupiedTo == from) {
                return i;
            }
        }
        throw new IllegalStateException("rows have been written to a place that was not given away, at " + from);
    }
}

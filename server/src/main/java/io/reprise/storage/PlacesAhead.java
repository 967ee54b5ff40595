package io.reprise.storage;

import io.reprise.runtime.agent.PublishedLong;
import io.reprise.storage.row.RowSpace;

/**
 * Places behind a table's last row, given away in replay: another thread writes rows there, one behind the other, while the partition's is
 * at earlier ones, which it enters as they come. So a row is written once, where it stays, and not copied there.
 *
 * <pre>
 *  partition's thread                    the other
 *      nothing is under way              extend, begin
 *                                        write rows below limit ...; tell the partition's thread of them
 *      DirectWrites.occupy, extend ...
 *                                        write rows ...; stop, and tell it
 *      DirectWrites.trimPlaces
 * </pre>
 *
 * <p>As long as some are given away, the partition's thread takes no place of the table itself.
 */
public final class PlacesAhead {
    /** Memory that is given away in one go: a share of what the table has, within these bounds. */
    private static final int SHARE = 4;

    private static final long LEAST = 64L << 10;
    private static final long MOST = 4L << 20;

    /** The limit while all are wanted back. */
    private static final long NONE = 0;

    private final PartitionStore store;
    private final RowSpace rows;
    private final PublishedLong limit = new PublishedLong();

    PlacesAhead(PartitionStore store, RowSpace rows) {
        this.store = store;
        this.rows = rows;
    }

    /**
     * The partition's thread, or the other while nothing is under way: gives more away, if there is memory to spare and no free place
     * among the rows. While memory is short, wants all back.
     */
    public void extend() {
        limit.set(
                store.isShortOfMemory()
                        ? NONE
                        : rows.makeUsable(Math.clamp((rows.end() - rows.start()) / SHARE, LEAST, MOST)));
    }

    /** The other, while nothing is under way: the first place. */
    public long begin() {
        return rows.end();
    }

    /** The other: how far it may go. */
    public long limit() {
        return limit.get();
    }

    /** The other: whether it should stop soon, and have {@link DirectWrites#trimPlaces} called. */
    public boolean areWantedBack() {
        return limit.get() == NONE;
    }

    /** Bytes of a place. */
    public int rowSize() {
        return rows.rowSize();
    }
}

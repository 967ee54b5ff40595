package io.reprise.storage.row;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.Region;

/**
 * The places for a table's rows: place n is {@code n * rowSize} behind the region's start, so that an index can hold
 * a row as a 30-bit number. Free places are chained, last freed first used:
 *
 * <pre>
 * free place   header: bits 63..44 zero (so not live), bits 43..0 address of the next free place
 * </pre>
 *
 * <p>A row's place depends only on the history of allocations and releases; a rollback releases in reverse order and
 * so restores the chain exactly.
 */
public final class RowSpace {
    /** Rows are numbered with 30 bits. */
    private static final long MOST_ROWS = (1L << 30) - 2;

    /** Room that places taken ahead leave for rows that are not written there. */
    private static final long NOT_AHEAD = 8L << 20;

    /** Memory that an emptied table keeps, so that one that is filled and emptied again and again stays warm. */
    private static final long KEPT_WHEN_EMPTY = 256 << 10;

    private final AddressSpace space;
    private final Memory memory;
    private final MemoryAccount account;
    private final int rowSize;
    private final int trailingZeros;
    private final long oddInverse;
    private final long mostBytes;

    private Region region;
    private long start;
    private long end;
    private long freeHead;
    private long freePlaces;

    /** No rows yet. */
    public RowSpace(AddressSpace space, MemoryAccount account, int rowSize) {
        this.space = space;
        this.memory = space.memory();
        this.account = account;
        this.rowSize = rowSize;
        this.trailingZeros = Integer.numberOfTrailingZeros(rowSize);
        this.oddInverse = inverse(rowSize >>> trailingZeros);
        this.mostBytes = MOST_ROWS * rowSize;
        reset();
    }

    /** The inverse of an odd number modulo 2^64, by Newton's iteration: 3 bits are right at first, then twice as many. */
    private static long inverse(long odd) {
        long x = odd;
        for (int i = 0; i < 5; i++) {
            x *= 2 - odd * x;
        }
        return x;
    }

    private void reset() {
        region = space.region(account);
        start = region.start();
        end = start;
        freeHead = 0;
        freePlaces = 0;
    }

    /** The first place. */
    public long start() {
        return start;
    }

    /** The end of the last place that was ever used. */
    public long end() {
        return end;
    }

    /** The number of free places below {@link #end}. */
    public long freePlaces() {
        return freePlaces;
    }

    /** The number of the row in this place. The division is exact, so a multiplication does it. */
    public int number(long row) {
        return (int) (((row - start) >>> trailingZeros) * oddInverse);
    }

    /** The place of the row with this number. */
    public long address(int number) {
        return start + (long) number * rowSize;
    }

    /** Bytes of a row. */
    public int rowSize() {
        return rowSize;
    }

    /** A place, zeroed. Throws MEMORY_LIMIT. */
    public long allocate() {
        long row = take();
        memory.zero(row, rowSize);
        return row;
    }

    /** A place with whatever is in it, for who overwrites all of it. Throws MEMORY_LIMIT. */
    public long take() {
        long row = freeHead;
        if (row != 0) {
            freeHead = memory.getLong(row);
            freePlaces--;
        } else {
            row = end;
            if (row - start >= mostBytes) {
                throw space.refusal(account.owner() + " has " + MOST_ROWS
                        + " rows, which is the most that a partition can hold. Spread the table over more partitions.");
            }
            region.growTo(row + rowSize);
            end = row + rowSize;
        }
        return row;
    }

    /**
     * Takes places behind the last one, to be written to later, in any order; only if there are no free ones before
     * it, and if memory is to spare.
     *
     * @return their end, having begun at {@link #end}; or 0 if there are none
     */
    public long takeAhead(long bytes) {
        long to = end + bytes / rowSize * rowSize;
        long most = start + Math.min(mostBytes, region.size()) - NOT_AHEAD;
        if (freeHead != 0 || to == end || to > most || !region.hasToSpare(to)) {
            return 0;
        }
        region.growTo(to);
        end = to;
        return to;
    }

    /** Frees places that lie together and have been {@linkplain #takeAhead taken ahead}. */
    public void giveBack(long from, long to) {
        for (long row = to - rowSize; row >= from; row -= rowSize) {
            release(row);
        }
    }

    /** Gives back memory that no row needs. */
    public void trim() {
        region.shrinkTo(end);
    }

    /** The same but for a little, if it is much. */
    public void trimIfMuch() {
        region.trimTo(end);
    }

    /** Frees a place. */
    public void release(long row) {
        if (row + rowSize == end) {
            end = row;
        } else {
            memory.putLong(row, freeHead);
            freeHead = row;
            freePlaces++;
        }
    }

    /** Forgets all places when every one is free, and gives the memory back but for a little. */
    public void trimIfEmpty() {
        if (freePlaces != 0 && freePlaces * rowSize == end - start) {
            freeHead = 0;
            freePlaces = 0;
            end = start;
        }
        if (end == start && region.taken() > KEPT_WHEN_EMPTY) {
            region.shrinkTo(start + KEPT_WHEN_EMPTY);
        }
    }

    /** All places, set aside so that the table can begin anew; {@link #restore} or {@link Detached#drop} ends that. */
    public Detached detach() {
        Detached detached = new Detached(region, end, freeHead, freePlaces);
        reset();
        return detached;
    }

    /** Puts back what was detached and drops what is here now. */
    public void restore(Detached detached) {
        region.drop();
        region = detached.region;
        start = region.start();
        end = detached.end;
        freeHead = detached.freeHead;
        freePlaces = detached.freePlaces;
    }

    /** Gives everything back. */
    public void drop() {
        region.drop();
    }

    /** Checks the free chain. */
    public void verify() {
        long places = 0;
        for (long row = freeHead; row != 0; row = memory.getLong(row)) {
            if (row < start || row >= end || (row - start) % rowSize != 0 || address(number(row)) != row) {
                throw new IllegalStateException("free place " + row + " of " + account.owner() + " is no place");
            }
            if (++places > freePlaces) {
                break;
            }
        }
        if (places != freePlaces) {
            throw new IllegalStateException(
                    "free chain of " + account.owner() + " has " + places + " places, not " + freePlaces);
        }
    }

    /** Places that were set aside. */
    public static final class Detached {
        private final Region region;
        private final long end;
        private final long freeHead;
        private final long freePlaces;

        private Detached(Region region, long end, long freeHead, long freePlaces) {
            this.region = region;
            this.end = end;
            this.freeHead = freeHead;
            this.freePlaces = freePlaces;
        }

        /** The first place. */
        public long start() {
            return region.start();
        }

        /** The end of the last place. */
        public long end() {
            return end;
        }

        /** Gives back the memory of these places alone. They must not be used any more, and {@link #restore} is not allowed. */
        public void giveBack(long from, long to) {
            region.giveBack(from, to);
        }

        /** Gives the memory back. */
        public void drop() {
            region.drop();
        }
    }
}

package io.reprise.log.physiological;

import io.reprise.storage.PlacesAhead;
import io.reprise.storage.TableStore;

/**
 * Where a {@link DataDecoder} writes the new rows of one table: into the places where they stay ({@link PlacesAhead}), or, when this is
 * {@link #isOver over}, into batches, from which they are copied.
 *
 * <p>It is over when the partition's thread has to take places itself: where rows are deleted, because their places are to be used
 * again; where a row has strings outside of it; when a command is replayed; when there is no memory to spare. It begins anew when so many
 * rows have been inserted in vain, and after twice as many if it is over soon again: to begin, what is under way has to be waited for.
 */
final class Placement {
    static final long LEAST_PATIENCE = 1 << 10;
    private static final long MOST_PATIENCE = 1 << 20;

    /** Rows that make a beginning worthwhile. */
    private static final long MANY = 1 << 14;

    private final PlacesAhead places;
    private final int rowSize;
    private final long leastPatience;

    /** By bucket, above which all row numbers are free; 0 where none has been used. */
    private final long[] nextNumbers;

    private boolean begun;
    private long first;
    private long next;
    private long limit;
    private long wait;
    private long patience;

    Placement(TableStore table, int buckets, long leastPatience) {
        this.leastPatience = leastPatience;
        patience = leastPatience;
        places = table.directWrites().placesAhead();
        rowSize = places.rowSize();
        nextNumbers = new long[buckets];
    }

    boolean isOver() {
        return !begun;
    }

    /** Whether it is time to begin, now that another row comes. */
    boolean wantsToBegin() {
        return wait-- <= 0;
    }

    /** Begins; nothing is under way. */
    void begin() {
        places.extend();
        begun = true;
        first = places.begin();
        next = first;
        limit = places.limit();
    }

    /** Whether there is a place for another row, {@link #next}. */
    boolean hasRoom() {
        if (begun && next + rowSize > limit) {
            limit = places.limit();
        }
        return next + rowSize <= limit;
    }

    long next() {
        return next;
    }

    /** A row has been written into the next place. */
    void take(int bucket, long number) {
        next += rowSize;
        nextNumbers[bucket] = Math.max(nextNumbers[bucket], number + 1);
    }

    /** Whether memory is short, and it has to end. */
    boolean isWantedBack() {
        return places.areWantedBack();
    }

    /** Ends it, after which the partition's thread takes places again. */
    void end() {
        begun = false;
        patience = next - first >= MANY * rowSize ? leastPatience : Math.min(2 * patience, MOST_PATIENCE);
        wait = patience;
        limit = 0;
    }

    int buckets() {
        return nextNumbers.length;
    }

    /** The highest row number that has been used in a bucket since it was asked last, or -1. */
    long takeHighestNumber(int bucket) {
        long highest = nextNumbers[bucket] - 1;
        nextNumbers[bucket] = 0;
        return highest;
    }
}

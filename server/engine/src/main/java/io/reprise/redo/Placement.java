package io.reprise.redo;

import io.reprise.storage.PlacesAhead;
import io.reprise.storage.TableStore;

/**
 * The places into which one {@link DataDecoder} writes the new rows of one table, so that they stay there ({@link PlacesAhead}). Without a
 * place a row goes into a batch, from which it is copied.
 */
final class Placement {
    private final PlacesAhead places;
    private final int rowSize;

    private final int buckets;

    /** By bucket, above which all row numbers are free; 0 where none has been used. Null as long as there was no place. */
    private long[] nextNumbers;

    private long next;
    private long limit;

    Placement(TableStore table, int buckets) {
        places = table.directWrites().placesAhead();
        rowSize = places.rowSize();
        this.buckets = buckets;
    }

    /** Whether there is a place for another row, {@link #next}. */
    boolean hasRoom() {
        return next < limit;
    }

    /** Takes more places, if there are any. */
    boolean takeMore() {
        PlacesAhead.Places more = places.take();
        if (more == null) {
            return false;
        }
        if (nextNumbers == null) {
            nextNumbers = new long[buckets];
        }
        next = more.from();
        limit = more.to();
        return true;
    }

    long next() {
        return next;
    }

    /** A row has been written into the next place. */
    void take(int bucket, long number) {
        next += rowSize;
        nextNumbers[bucket] = Math.max(nextNumbers[bucket], number + 1);
    }

    boolean isWantedBack() {
        return places.areWantedBack();
    }

    /** Gives back what places it has: returns the first of them, or 0 if there are none. */
    long end() {
        long from = next < limit ? next : 0;
        limit = 0;
        return from;
    }

    int buckets() {
        return buckets;
    }

    /** The highest row number that has been used in a bucket since it was asked last, or -1. */
    long takeHighestNumber(int bucket) {
        long highest = nextNumbers[bucket] - 1;
        nextNumbers[bucket] = 0;
        return highest;
    }
}

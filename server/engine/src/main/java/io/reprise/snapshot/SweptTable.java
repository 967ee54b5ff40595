package io.reprise.snapshot;

import io.reprise.storage.TableStore;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.row.RowCarrier;

/**
 * The progress of the sweep of one table of one partition. Places from {@code start} to {@code end} held all rows at
 * the snapshot's moment; those below {@code cursor} have been passed. The places don't change, whatever becomes of
 * the table.
 */
final class SweptTable {
    final int id;
    final long start;
    final long end;
    final int rowSize;
    final RowImageCodec codec;
    final RowCarrier carrier;

    /** The next place to sweep. */
    long cursor;

    /** Rows from here to {@link #end} are to be saved before they change: the cursor, or nothing. */
    long watchedFrom;

    /** Frees the rows of a table that is gone, after the sweep; or null. */
    Runnable free;

    SweptTable(TableStore table, RowImageCodec codec, RowCarrier carrier) {
        id = table.id();
        start = table.scanStart();
        end = table.scanEnd();
        rowSize = table.layout().size();
        this.codec = codec;
        this.carrier = carrier;
        cursor = start;
        watchedFrom = start;
    }

    /** Whether the place existed at the snapshot's moment, and the sweep has not passed it. */
    boolean watches(long row) {
        return row >= watchedFrom && row < end;
    }
}

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

    /** The next place to look at. */
    long cursor;

    /** Rows from here to {@link #end} are to be saved before they change: the cursor, or nothing. */
    long watchedFrom;

    /** Frees the rows: the table has gone and they are kept for the snapshot alone. */
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

    /** Whether a row was there at the snapshot's moment, or is where one may have been, and has not been passed. */
    boolean watches(long row) {
        return row >= watchedFrom && row < end;
    }
}

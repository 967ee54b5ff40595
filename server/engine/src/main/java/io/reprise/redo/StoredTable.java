package io.reprise.redo;

import io.reprise.catalog.Index;
import io.reprise.runtime.Invariants;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.KeyFinder;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;

/** One table as {@link DataRedo} sees it, with counts that decide on places and growth. */
final class StoredTable {
    /** So much of the log tells how the rest of it will be. */
    private static final long LEAST_LOG_TO_GUESS = 1 << 20;

    private static final long MOST_PATIENCE = 1 << 20;

    /** Rows that make it worthwhile to have given places away. */
    private static final long MANY = 1 << 14;

    final TableStore table;
    final DirectWrites writes;
    final RowImageCodec codec;
    final KeyFinder finder;

    /** The primary key's, or null. */
    final HashIndex hash;

    /** Its position. */
    final int hashed;

    final boolean replicated;
    final boolean indexed;

    /** Of the words by which a row is found. */
    final int nameBytes;

    /** Whether places are given away, and whether any were since {@link #settle}. */
    private boolean giving;

    private boolean gave;

    /** Whether some are wanted back or have come back, and are not free yet. */
    private boolean comesBack;

    /** After so many insertions places are given away. */
    private long patience;

    private final long leastPatience;
    private long wait;

    /** Insertions since they are given away. */
    private long placed;

    /** The growth of the table since {@link #since}, in rows. */
    private long growth;

    /** The log position of the first batch with insertions, or -1. */
    private long since = -1;

    /** With so many rows the table is made larger for more again. */
    private long guessesFrom;

    StoredTable(PartitionStore store, TableStore table, long leastPatience) {
        this.table = table;
        this.leastPatience = leastPatience;
        patience = leastPatience;
        wait = leastPatience;
        writes = table.directWrites();
        codec = new RowImageCodec(store, table);
        finder = codec.hasKey() ? new KeyFinder(codec) : null;
        int primary = table.table().primaryKey().map(Index::position).orElse(-1);
        hash = primary < 0 ? null : table.hashIndex(primary);
        hashed = primary;
        replicated = table.table().replicated();
        indexed = !table.table().indexes().isEmpty();
        nameBytes = Long.BYTES * (finder == null ? 1 : finder.layout().words());
    }

    /**
     * Prepares for the insertions of a batch: indexes grow for them and for likely further ones, and places are given away for these. While
     * memory is short nothing is prepared, because as many rows may be deleted in between.
     *
     * @param observed a snapshot is being made: it tells rows apart by the moment at which they are inserted, so none is written ahead
     */
    void expect(int insertions, RedoBatch batch, boolean saving, boolean observed) {
        since = since < 0 ? batch.logPosition() : since;
        if (!saving) {
            if (!observed) {
                givePlaces(insertions);
            }
            writes.expectInsertions(insertions, likelyGrowth(batch));
        }
        growth += insertions;
    }

    private void givePlaces(int insertions) {
        if (giving) {
            placed += insertions;
        } else {
            wait -= insertions;
            giving = wait <= 0 && !comesBack && codec.unpacks();
            gave |= giving;
            placed = 0;
        }
        if (giving) {
            writes.placesAhead().give();
        }
    }

    /**
     * No places are given away for a while, and the others are wanted back: because rows are deleted, whose places are to be used again, or
     * memory is needed. It begins again after so many more insertions, and after twice as many if that has not lasted.
     */
    void wantPlacesBack() {
        if (giving) {
            giving = false;
            patience = placed >= MANY ? leastPatience : Math.min(2 * patience, MOST_PATIENCE);
            wait = patience;
            comesBack = true;
            writes.placesAhead().wantBack();
        }
    }

    /** A decoder does not need the places from here on. */
    void giveBack(long from) {
        comesBack = true;
        writes.placesAhead().giveBack(from);
    }

    /** At the end of a batch, or where all rows before are through: rows may move. */
    void freePlaces() {
        if (comesBack && writes.placesAhead().free()) {
            comesBack = false;
            writes.trimPlaces();
        }
    }

    /** All who had places have given them back. */
    void settle() {
        if (gave) {
            wantPlacesBack();
            gave = false;
            freePlaces();
            Invariants.check(!writes.placesAhead().areLeft(), "places are still away, of table", table.id());
            trimIndexes();
        }
    }

    /** Deletes a row. */
    void delete(long row) {
        wantPlacesBack();
        writes.delete(row);
        growth--;
    }

    /** The likely growth up to the end of the log, in rows, at the rate so far. */
    private long likelyGrowth(RedoBatch batch) {
        long seen = batch.logPosition() - since;
        return !giving || growth <= 0 || seen < LEAST_LOG_TO_GUESS || table.count() < guessesFrom
                ? 0
                : (long) ((double) growth / seen * (batch.logEnd() - batch.logPosition()));
    }

    /** Gives back memory that was taken for likely rows: memory is short. */
    void save() {
        wantPlacesBack();
        trimIndexes();
    }

    /** Trims indexes. They grow for likely rows again with twice as many rows only, so that each row pays for it once. */
    private void trimIndexes() {
        writes.trimIndexes();
        guessesFrom = 2 * table.count();
    }
}

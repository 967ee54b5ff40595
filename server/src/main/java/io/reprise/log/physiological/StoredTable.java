package io.reprise.log.physiological;

import io.reprise.catalog.Index;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.KeyFinder;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;

/** What {@link DataRedo} needs for the rows of one table, and how many have come. */
final class StoredTable {
    /** So much of the log tells how the rest of it will be. */
    private static final long LEAST_LOG_TO_GUESS = 1 << 20;

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

    /** Whether the decoder writes rows into places of this table. */
    boolean placing;

    /** How many more rows there are than at {@link #since}. */
    private long growth;

    /** The log position of the first batch with insertions, or -1. */
    private long since = -1;

    /** With so many rows the table is made larger for more again. */
    private long guessesFrom;

    StoredTable(PartitionStore store, TableStore table) {
        this.table = table;
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

    /** So many insertions are in a batch. The indexes grow for them, and for what is likely to follow, unless memory has to be saved. */
    void expect(int insertions, RedoBatch batch, boolean saving) {
        since = since < 0 ? batch.logPosition() : since;
        writes.expectInsertions(insertions, saving ? 0 : likelyGrowth(batch));
        growth += insertions;
    }

    /** Deletes a row. */
    void delete(long row) {
        writes.delete(row);
        growth--;
    }

    /** How many rows there will be more at the end of the log, if it goes on as it has begun. */
    private long likelyGrowth(RedoBatch batch) {
        long seen = batch.logPosition() - since;
        return !placing || growth <= 0 || seen < LEAST_LOG_TO_GUESS || table.count() < guessesFrom
                ? 0
                : (long) ((double) growth / seen * (batch.logEnd() - batch.logPosition()));
    }

    /** What was made larger in vain is not made so again before there are twice as many rows: so each row pays for it once. */
    void trimIndexes() {
        writes.trimIndexes();
        guessesFrom = 2 * table.count();
    }
}

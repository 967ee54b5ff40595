package io.reprise.snapshot.file;

import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.RowImageCodec;

/**
 * The rows that a partition's store holds, by bucket, in the form of a snapshot's blocks. The store has no writers meanwhile. Owned by
 * the store's thread.
 */
public final class StoreRows {
    private final Manifest manifest;
    private final TableStore[] tables;
    private final RowImageCodec[] codecs;
    private int bucket;
    private int table;
    private long place;

    /**
     * The rows of a store.
     *
     * @param manifest of a snapshot with the store's tables
     */
    public StoreRows(Manifest manifest, PartitionStore store) {
        this.manifest = manifest;
        int count = manifest.tables().size();
        tables = new TableStore[count];
        codecs = new RowImageCodec[count];
        for (int i = 0; i < count; i++) {
            tables[i] = store.table(manifest.tables().get(i).id());
            codecs[i] = new RowImageCodec(store, tables[i]);
        }
    }

    /** The snapshot whose tables the rows are of. */
    public Manifest manifest() {
        return manifest;
    }

    /** The number that the next row of a table gets in a bucket. */
    public long nextRowId(int position, int of) {
        return tables[position].nextRowId(of);
    }

    /** Begins to read a bucket. */
    public void open(int newBucket) {
        bucket = newBucket;
        table = -1;
        beginTable();
    }

    private void beginTable() {
        do {
            table++;
        } while (table < tables.length && manifest.tables().get(table).replicated());
        place = table < tables.length ? tables[table].scanStart() : 0;
    }

    /** Fills the block with the next rows; false behind the last ones. */
    public boolean next(BucketBlock into) {
        into.begin("a rebuilt bucket");
        while (table < tables.length) {
            TableStore of = tables[table];
            int size = of.layout().size();
            for (; place < of.scanEnd(); place += size) {
                if (of.isLive(place) && DirectWrites.bucket(of.rowId(place)) == bucket) {
                    if (into.isFull()) {
                        return true;
                    }
                    into.add(table, of.rowId(place), codecs[table], place);
                }
            }
            beginTable();
        }
        return into.count() > 0;
    }
}

package io.reprise.snapshot.file;

import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.RowImageCodec;

/**
 * Inserts rows of a snapshot's blocks into one partition between transactions: rows and index entries, with the row ids that they had. Its
 * tables do not change meanwhile. Owned by the partition's thread.
 */
public final class BucketInserter {
    private final PartitionStore store;
    private final TableStore[] tables;
    private final RowImageCodec[] codecs;
    private final ImageCursor image;

    /** An inserter into a partition that has the tables of the snapshot. */
    public BucketInserter(Manifest manifest, PartitionStore store) {
        this.store = store;
        int count = manifest.tables().size();
        tables = new TableStore[count];
        codecs = new RowImageCodec[count];
        for (int i = 0; i < count; i++) {
            tables[i] = store.table(manifest.tables().get(i).id());
            codecs[i] = new RowImageCodec(store, tables[i]);
        }
        image = new ImageCursor(store.memory());
    }

    /** Inserts the rows from one number to another, inside of a transaction that has written nothing. */
    public void insert(BucketBlock block, int from, int to) {
        long first = block.image(from);
        long bytes = block.image(to - 1) + block.length(to - 1) - first;
        store.beginLoad();
        try {
            long moved = store.scratch().bringIn(block.memory(), first, bytes) - first;
            for (int i = from; i < to; i++) {
                insert(block, i, block.image(i) + moved);
            }
        } finally {
            store.endLoad();
        }
    }

    private void insert(BucketBlock block, int number, long address) {
        int position = block.table(number);
        TableStore table = tables[position];
        long row = table.allocate();
        image.over(address, block.length(number));
        try {
            codecs[position].readRow(image, row);
            if (image.hasNext()) {
                throw image.damaged("there is more than the row");
            }
        } catch (DamagedImageException e) {
            table.abandon(row);
            throw new DamagedSnapshotException(block.place(), 0, "a row can't be read: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            table.abandon(row);
            throw e;
        }
        table.directWrites().insert(row, block.rowId(number));
    }
}

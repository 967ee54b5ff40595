package io.reprise.recovery.demand;

import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the rows of one bucket out of a partition, some places at a time between two transactions. No transaction needs the bucket
 * meanwhile; others may insert and delete rows. Owned by the partition's thread.
 */
public final class BucketDetacher {
    /** The number of places that one slice looks at, and of rows that it deletes. */
    private static final int PLACES = 8192;

    private static final int ROWS = 128;

    private final PartitionStore store;
    private final List<TableStore> tables = new ArrayList<>();
    private final int bucket;
    private int table;
    private long place;
    private long rows;

    /** A detacher of a bucket without writers. */
    public BucketDetacher(Manifest manifest, PartitionStore store, int bucket) {
        this.store = store;
        this.bucket = bucket;
        for (TableContents contents : manifest.tables()) {
            if (!contents.replicated()) {
                tables.add(store.table(contents.id()));
            }
        }
        place = tables.isEmpty() ? 0 : tables.getFirst().scanStart();
    }

    /** Deletes some rows. Returns whether there may be more. */
    public boolean step() {
        store.beginLoad();
        try {
            int places = 0;
            int deleted = 0;
            while (table < tables.size() && places < PLACES && deleted < ROWS) {
                TableStore of = tables.get(table);
                if (place >= of.scanEnd()) {
                    table++;
                    place = table < tables.size() ? tables.get(table).scanStart() : 0;
                    continue;
                }
                if (of.isLive(place) && DirectWrites.bucket(of.rowId(place)) == bucket) {
                    of.directWrites().delete(place);
                    deleted++;
                }
                places++;
                place += of.layout().size();
            }
            rows += deleted;
            return table < tables.size();
        } finally {
            store.endLoad();
        }
    }

    /** The number of rows that it has deleted. */
    public long rows() {
        return rows;
    }
}

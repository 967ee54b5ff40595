package io.reprise.snapshot;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.row.RowCarrier;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables of a partition that a snapshot sweeps, in the order of their sweep. Codecs are kept from one snapshot to the next, because
 * making all of them would hold up the partitions at a snapshot's moment. Owned by the thread that holds the partition.
 */
final class SweptTables {
    private final PartitionStore store;
    private final PerTable<RowImageCodec> codecs;
    private final PerTable<RowCarrier> carriers;
    private List<SweptTable> inOrder = List.of();
    private SweptTable[] byId = new SweptTable[0];
    private RowImageCodec[] codecsById = new RowImageCodec[0];
    private int current;

    SweptTables(PartitionStore store) {
        this.store = store;
        codecs = PerTable.codecs(store);
        carriers = new PerTable<>(store, table -> new RowCarrier(table.layout(), store.memory()));
    }

    /** Chooses the tables of a snapshot: partitioned ones, and this partition's share of the replicated ones. */
    void prepare(Catalog catalog, int share, int shares) {
        inOrder = new ArrayList<>();
        byId = new SweptTable[catalog.nextTableId()];
        codecsById = new RowImageCodec[catalog.nextTableId()];
        current = 0;
        codecs.forgetChanged();
        carriers.forgetChanged();
        for (Table table : catalog.tables().values()) {
            if (!table.replicated() || table.id() % shares == share) {
                int id = table.id();
                SweptTable swept = new SweptTable(store.table(id), codecs.of(id), carriers.of(id));
                inOrder.add(swept);
                byId[id] = swept;
                codecsById[id] = swept.codec;
            }
        }
    }

    /** The codecs of the swept tables, by table id. */
    RowImageCodec[] codecs() {
        return codecsById;
    }

    /** The table to sweep, or null if all have been passed. */
    SweptTable current() {
        return current < inOrder.size() ? inOrder.get(current) : null;
    }

    /** The current table has been passed. */
    void next() {
        current++;
    }

    /** The progress of a table, or null if it is not swept. */
    SweptTable of(TableStore table) {
        int id = table.id();
        return id < byId.length ? byId[id] : null;
    }

    /** No row has to be saved any more. */
    void stopWatching() {
        for (int i = 0; i < inOrder.size(); i++) {
            inOrder.get(i).watchedFrom = inOrder.get(i).end;
        }
    }

    /** The sweep is over. */
    void clear() {
        inOrder = List.of();
        byId = new SweptTable[0];
        codecsById = new RowImageCodec[0];
        current = 0;
    }
}

package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.storage.index.RowIndex;

/**
 * A version of a table's indexes: a definition and the index for each of its positions. The version in use and those
 * beside it may share some indexes.
 */
public final class IndexVersion {
    private final Table table;
    private final RowIndex[] indexes;

    IndexVersion(Table table, RowIndex[] indexes) {
        this.table = table;
        this.indexes = indexes;
    }

    Table table() {
        return table;
    }

    RowIndex[] indexes() {
        return indexes;
    }

    /** Gives the memory back of those indexes that the other version doesn't have. */
    void dropAllBut(IndexVersion other) {
        for (RowIndex index : indexes) {
            boolean stays = index == null;
            for (RowIndex kept : other.indexes) {
                stays |= kept == index;
            }
            if (!stays) {
                index.drop();
            }
        }
    }
}

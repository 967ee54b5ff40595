package io.reprise.storage;

import io.reprise.storage.index.RowIndex;
import io.reprise.storage.row.RowSpace;
import io.reprise.storage.row.StringHeap;

/** All that a table held when it was truncated, until the transaction ends. */
record TableContent(
        RowSpace.Detached rows, StringHeap.Detached strings, RowIndex.Content[] indexes, long count, long truncatedAt) {
    /** Gives its memory back. */
    void drop() {
        rows.drop();
        dropAllButRows();
    }

    void dropAllButRows() {
        strings.drop();
        for (RowIndex.Content index : indexes) {
            index.drop();
        }
    }
}

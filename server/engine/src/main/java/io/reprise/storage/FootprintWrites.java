package io.reprise.storage;

import io.reprise.footprint.AccessTable;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;

/**
 * Adds the writes of the running transaction, from the undo log, to its footprint. Owned by the holder of the partition.
 *
 * <p>An update reads all pieces that it may have changed, because a replay changes those that differ then. It writes only the changed ones. A
 * changed piece of a single column is not told as read: a data record gives it whole, and a command's replay needs it in any case.
 */
final class FootprintWrites {
    private final TransactionWrites writes;
    private final FootprintBuffer footprint;
    private final Memory memory;

    FootprintWrites(TransactionWrites writes, FootprintBuffer footprint, Memory memory) {
        this.writes = writes;
        this.footprint = footprint;
        this.memory = memory;
    }

    void tell() {
        writes.rewind();
        while (writes.next()) {
            TableStore table = writes.table();
            if (table.table().replicated()) {
                footprint.touch(footprint.access(table.id(), AccessTable.REPLICATED, 0, 0), 0);
            } else if (writes.kind() == TransactionWrites.Kind.TRUNCATE) {
                footprint.makeCoarse();
            } else {
                footprint.touch(access(table), memory.getLong(writes.row()) & RowLayout.ROW_ID_MASK);
            }
        }
    }

    private long access(TableStore table) {
        return switch (writes.kind()) {
            case INSERT -> footprint.access(table.id(), AccessTable.INSERT, 0, RowMasks.ALL);
            case DELETE ->
                footprint.access(table.id(), AccessTable.DELETE, table.masks().indexed(), RowMasks.ALL);
            default -> {
                int from = writes.from();
                int length = writes.length();
                long changed = table.masks().changed(writes.row(), from, length, writes.image());
                long whole = changed & ~table.masks().shared();
                long read = table.masks().indexed() | table.masks().range(from, from + length) & ~whole;
                yield footprint.access(table.id(), AccessTable.UPDATE, read, changed);
            }
        };
    }
}

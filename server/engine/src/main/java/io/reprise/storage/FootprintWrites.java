package io.reprise.storage;

import io.reprise.footprint.AccessTable;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;
import java.util.Arrays;

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

    /** By table. */
    private Accesses[] accesses = new Accesses[16];

    FootprintWrites(TransactionWrites writes, FootprintBuffer footprint, Memory memory) {
        this.writes = writes;
        this.footprint = footprint;
        this.memory = memory;
    }

    void tell() {
        writes.rewind();
        while (writes.next()) {
            Accesses of = accesses(writes.tableId());
            if (of.replicated) {
                footprint.touch(of.insert, 0);
            } else if (writes.kind() == TransactionWrites.Kind.TRUNCATE) {
                footprint.makeCoarse();
            } else {
                footprint.touch(access(of), memory.getLong(writes.row()) & RowLayout.ROW_ID_MASK);
            }
        }
    }

    private long access(Accesses of) {
        return switch (writes.kind()) {
            case INSERT -> of.insert;
            case DELETE -> of.delete;
            default -> of.update();
        };
    }

    private Accesses accesses(int table) {
        if (table >= accesses.length) {
            accesses = Arrays.copyOf(accesses, 2 * table);
        }
        Accesses of = accesses[table];
        RowMasks masks = writes.table().masks();
        if (of == null || of.masks != masks) {
            of = new Accesses(writes.table());
            accesses[table] = of;
        }
        return of;
    }

    /** The accesses by which a table is written, under one definition of it. Those of the last update are kept for the next one. */
    private final class Accesses {
        private final int table;
        private final boolean replicated;
        private final RowMasks masks;

        /** The access of an inserted row; that of any write if the table is replicated. */
        private final long insert;

        private final long delete;

        private long range = -1;
        private long readOfRange;
        private long changed;
        private long update;

        Accesses(TableStore of) {
            table = of.id();
            replicated = of.table().replicated();
            masks = of.masks();
            insert = replicated
                    ? footprint.access(table, AccessTable.REPLICATED, 0, 0)
                    : footprint.access(table, AccessTable.INSERT, 0, RowMasks.ALL);
            delete = replicated ? insert : footprint.access(table, AccessTable.DELETE, masks.indexed(), RowMasks.ALL);
        }

        long update() {
            int from = writes.from();
            int length = writes.length();
            long newChanged = masks.changed(writes.row(), from, length, writes.image());
            long newRange = (long) from << Integer.SIZE | length;
            if (newRange == range && newChanged == changed) {
                return update;
            }
            if (newRange != range) {
                range = newRange;
                readOfRange = masks.range(from, from + length);
            }
            changed = newChanged;
            long whole = changed & ~masks.shared();
            update = footprint.access(table, AccessTable.UPDATE, masks.indexed() | readOfRange & ~whole, changed);
            return update;
        }
    }
}

package io.reprise.storage;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.index.RowIndex;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;
import io.reprise.storage.row.StringHeap;

/** Checks that a table's rows, strings and indexes agree. */
final class TableVerifier {
    private final TableStore table;
    private final RowSpace rows;
    private final StringHeap strings;
    private final Memory memory;
    private final RowLayout layout;

    TableVerifier(TableStore table, RowSpace rows, StringHeap strings, Memory memory) {
        this.table = table;
        this.rows = rows;
        this.strings = strings;
        this.memory = memory;
        this.layout = table.layout();
    }

    /**
     * Throws if something is wrong.
     *
     * @param settled whether no transaction is under way, so that nothing waits to be freed
     */
    void verify(boolean settled) {
        rows.verify();
        strings.verify();
        long live = 0;
        long heapBytes = 0;
        int indexes = table.table().indexes().size();
        for (long row = table.first(); row != 0; row = table.next(row)) {
            live++;
            heapBytes += heapBytes(row);
            for (int i = 0; i < indexes; i++) {
                table.rowIndex(i).verifyFinds(row);
            }
        }
        require(live, "live rows", table.count());
        for (int i = 0; i < indexes; i++) {
            RowIndex index = table.rowIndex(i);
            index.verify();
            require(index.size(), "entries in index " + index.definition().name(), table.count());
        }
        if (settled) {
            require((rows.end() - rows.start()) / layout.size(), "places", table.count() + rows.freePlaces());
            require(strings.bytesInUse(), "bytes of strings in use", heapBytes);
        }
    }

    private long heapBytes(long row) {
        long bytes = 0;
        for (int i = 0; i < layout.stringColumns(); i++) {
            long ref = layout.heapRef(memory, row, layout.stringColumn(i));
            bytes += ref == 0 ? 0 : StringHeap.bytesFor(Ref.length(ref));
        }
        return bytes;
    }

    private void require(long is, String what, long shouldBe) {
        if (is != shouldBe) {
            throw new IllegalStateException(
                    "table " + table.table().name() + " has " + is + " " + what + ", not " + shouldBe);
        }
    }
}

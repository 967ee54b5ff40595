package io.reprise.storage;

import io.reprise.storage.index.RowIndex;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.StringHeap;

/** Checks that a table's rows, strings and indexes agree. */
final class TableVerifier {
    private final TableRows table;

    TableVerifier(TableRows table) {
        this.table = table;
    }

    /**
     * Throws if something is wrong.
     *
     * @param settled whether no transaction is under way, so that nothing waits to be freed
     */
    void verify(boolean settled) {
        table.rows.verify();
        table.strings.verify();
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
            require(
                    (table.scanEnd() - table.scanStart()) / table.rowSize,
                    "places",
                    table.count() + table.rows.freePlaces());
            require(table.strings.bytesInUse(), "bytes of strings in use", heapBytes);
        }
    }

    private long heapBytes(long row) {
        long bytes = 0;
        for (int i = 0; i < table.layout.stringColumns(); i++) {
            long ref = table.layout.heapRef(table.memory, row, table.layout.stringColumn(i));
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

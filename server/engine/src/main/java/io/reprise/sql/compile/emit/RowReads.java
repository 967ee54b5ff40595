package io.reprise.sql.compile.emit;

import io.reprise.catalog.Table;
import io.reprise.storage.RowMasks;
import java.util.BitSet;

/**
 * The columns that an access of a statement reads of a table's rows. Emitters add columns while the statement is generated; the mask is
 * asked for when an instance is bound to a partition.
 */
public final class RowReads {
    private final Table table;
    private final BitSet columns = new BitSet();

    public RowReads(Table table) {
        this.table = table;
    }

    void add(int column) {
        columns.set(column);
    }

    public int tableId() {
        return table.id();
    }

    /** The pieces of {@link RowMasks}: existence, indexed columns, and columns that are read. */
    public long mask() {
        RowMasks masks = RowMasks.of(table);
        long mask = masks.indexed();
        for (int column = columns.nextSetBit(0); column >= 0; column = columns.nextSetBit(column + 1)) {
            mask |= masks.column(column);
        }
        return mask;
    }
}

package io.reprise.sql.compile.operator;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Value;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.RowLayout;
import java.util.Collection;
import java.util.NavigableMap;

/** The change of one row in place: the bytes that may change, the touched indexes, and the writing. */
public final class RowUpdate {
    private final Operators operators;
    private final Code code;
    private final Table table;
    private final int from;
    private final int length;
    private final long indexes;
    private final boolean touchesUnique;

    /** A change of the given columns. */
    public RowUpdate(Operators operators, Table table, Collection<Integer> columns) {
        this.operators = operators;
        this.table = table;
        code = operators.code();
        RowLayout layout = RowLayout.of(table);
        int first = Integer.MAX_VALUE;
        int end = 0;
        for (int column : columns) {
            first = Math.min(first, layout.offset(column));
            end = Math.max(end, layout.offset(column) + layout.width(column));
            if (layout.nullByte(column) >= 0) {
                first = Math.min(first, layout.nullByte(column));
                end = Math.max(end, layout.nullByte(column) + 1);
            }
        }
        from = first;
        length = end - first;
        long touched = 0;
        boolean unique = false;
        for (Index index : table.indexes()) {
            if (index.columns().stream().anyMatch(columns::contains)) {
                touched |= 1L << index.position();
                unique |= index.unique();
            }
        }
        indexes = touched;
        touchesUnique = unique;
    }

    /** Whether several such changes can meet each other's keys before the statement is through. */
    public boolean touchesUnique() {
        return touchesUnique;
    }

    /** Emits the change of the row at the address in a local. */
    public void emit(int row, NavigableMap<Integer, Value> values) {
        emit(row, values, indexes);
    }

    /** The same leaving the indexes alone: between {@link #unindex} and {@link #index}. */
    public void emitUnindexed(int row, NavigableMap<Integer, Value> values) {
        emit(row, values, 0);
    }

    private void emit(int row, NavigableMap<Integer, Value> values, long touched) {
        pushRow(row);
        code.push(from);
        code.push(length);
        code.push(touched);
        code.call(TableStore.class, "beginUpdate");
        new Columns(operators, table).writeChanged(row, values);
        pushRow(row);
        code.push(touched);
        code.call(TableStore.class, "endUpdate");
    }

    public void unindex(int row) {
        pushRow(row);
        code.push(indexes);
        code.call(TableStore.class, "unindex");
    }

    public void index(int row) {
        pushRow(row);
        code.push(indexes);
        code.call(TableStore.class, "index");
    }

    private void pushRow(int row) {
        code.field(code.owner().table(table));
        code.loadLong(row);
    }
}

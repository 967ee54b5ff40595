package io.reprise.sql.compile.operator;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.compile.emit.Carried;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.Value;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.RowLayout;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The change of one row in place: the bytes that may change, the touched indexes, and the writing. */
public final class RowUpdate {
    /** The most columns that one method writes, where a statement is compiled in pieces. */
    private static final int COLUMNS_OF_A_PIECE = 32;

    private static final MethodTypeDesc VOID = MethodTypeDesc.of(ConstantDescs.CD_void);

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

    /** Whether the columns of a change are written by several methods. */
    static boolean isInPieces(Code code, Collection<Integer> columns) {
        return code.owner().inPieces() && columns.size() > COLUMNS_OF_A_PIECE;
    }

    /** Emits the change of the row at the address in a local. */
    public void emit(int row, NavigableMap<Integer, Value> values) {
        emit(row, indexes, () -> new Columns(operators, table).writeChanged(row, values));
    }

    /**
     * Emits the change by a row that was set aside, whose first field is the address and the others the columns' values. If the change
     * touches a unique index, it leaves the indexes alone: it is between {@link #unindex} and {@link #index}.
     */
    void emitCollected(int row, Row collected, List<Integer> columns) {
        emit(row, touchesUnique ? 0 : indexes, () -> {
            if (isInPieces(code, columns)) {
                writeInPieces(row, collected, columns);
            } else {
                write(operators, row, collected, columns, 0, columns.size());
            }
        });
    }

    private void writeInPieces(int row, Row collected, List<Integer> columns) {
        Carried carried = collected.carry();
        ToIntFunction<Code> address = code.carry(long.class, row);
        for (int from = 0; from < columns.size(); from += COLUMNS_OF_A_PIECE) {
            int first = from;
            int end = Math.min(columns.size(), from + COLUMNS_OF_A_PIECE);
            code.callNew("written", VOID, callee -> {
                Row inside = carried.in(callee);
                write(operators.in(callee), address.applyAsInt(callee), inside, columns, first, end);
                callee.raw().return_();
            });
        }
    }

    private void write(Operators in, int row, Row collected, List<Integer> columns, int first, int end) {
        NavigableMap<Integer, Value> values = new TreeMap<>();
        for (int i = first; i < end; i++) {
            values.put(columns.get(i), collected.field(i + 1));
        }
        new Columns(in, table).writeChanged(row, values);
    }

    private void emit(int row, long touched, Runnable write) {
        pushRow(row);
        code.push(from);
        code.push(length);
        code.push(touched);
        code.call(TableStore.class, "beginUpdate");
        write.run();
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

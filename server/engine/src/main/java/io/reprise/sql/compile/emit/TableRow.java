package io.reprise.sql.compile.emit;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.storage.row.RowLayout;
import java.lang.classfile.Label;
import java.util.function.ToIntFunction;

/** A row of a table, by its address: columns are loaded from memory at constant offsets. */
public final class TableRow extends Row {
    private final Table table;
    private final RowLayout layout;
    private final int address;
    private final boolean mayBeMissing;
    private final RowReads reads;

    /**
     * A row at the address in a local.
     *
     * @param reads collects the columns that are loaded; null if no footprint is kept
     * @param mayBeMissing whether the address may be 0, as on the inner side of a left join: all columns are NULL then
     */
    public TableRow(Code code, Table table, int address, RowReads reads, boolean mayBeMissing) {
        super(code, table.columns().size());
        this.table = table;
        this.address = address;
        this.mayBeMissing = mayBeMissing;
        this.reads = reads;
        layout = RowLayout.of(table);
    }

    @Override
    public int address() {
        return address;
    }

    /** The collector of loaded columns; null if no footprint is kept. */
    public RowReads reads() {
        return reads;
    }

    @Override
    public String name(int column) {
        return table.name() + "." + table.columns().get(column).name();
    }

    @Override
    protected Carried carryFields() {
        ToIntFunction<Code> carried = code().carry(long.class, address);
        return callee -> new TableRow(callee, table, carried.applyAsInt(callee), reads, mayBeMissing);
    }

    @Override
    public Value compute(int column) {
        if (reads != null) {
            reads.add(column);
        }
        SqlType type = table.columns().get(column).type();
        boolean nullable = layout.nullByte(column) >= 0;
        int slot = code().newLocal(type);
        int nullSlot = nullable || mayBeMissing ? code().newInt() : -1;
        Label missing = code().newLabel();
        if (mayBeMissing) {
            code().clear(type, slot);
            code().setInt(nullSlot, 1);
            code().loadLong(address);
            code().push(0L);
            code().raw().lcmp().ifeq(missing);
        }
        load(column, type);
        code().store(type, slot);
        if (nullable) {
            loadNullFlag(column);
            code().storeInt(nullSlot);
        } else if (mayBeMissing) {
            code().setInt(nullSlot, 0);
        }
        code().bind(missing);
        Value value = nullSlot >= 0 ? Value.nullable(type, slot, nullSlot) : Value.local(type, slot);
        if (!layout.isInline(column)) {
            return value;
        }
        return mayBeMissing
                ? value.pointingIntoRow(true)
                : value.at(new Value.Place(address, layout.offset(column), layout.width(column)));
    }

    private void load(int column, SqlType type) {
        if (type.kind().isString()) {
            code().memory();
            pushAddress(layout.offset(column));
            if (layout.isInline(column)) {
                code().call(Strings.class, "readInline");
            } else {
                code().call(Memory.class, "getLong");
            }
            return;
        }
        code().memory();
        pushAddress(layout.offset(column));
        switch (type.kind()) {
            case BOOLEAN, TINYINT -> code().call(Memory.class, "getByte");
            case SMALLINT -> code().call(Memory.class, "getShort");
            case INTEGER, DATE -> code().call(Memory.class, "getInt");
            case DOUBLE -> code().call(Memory.class, "getDouble");
            default -> code().call(Memory.class, "getLong");
        }
        if (type.kind() != SqlType.Kind.DOUBLE && type.kind().width() < Long.BYTES) {
            code().raw().i2l();
        }
    }

    private void loadNullFlag(int column) {
        code().memory();
        pushAddress(layout.nullByte(column));
        code().call(Memory.class, "getByte");
        int mask = layout.nullMask(column);
        code().push(Integer.numberOfTrailingZeros(mask));
        code().raw().iushr();
        code().push(1);
        code().raw().iand();
    }

    private void pushAddress(int offset) {
        code().loadLong(address);
        code().push((long) offset);
        code().raw().ladd();
    }
}

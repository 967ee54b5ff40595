package io.reprise.storage;

import io.reprise.catalog.Column;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.Index;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.UndeterminedFailure;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;

/** The change of children's keys by SET NULL, or by CASCADE after the change of a parent's key. Used for one action. */
final class ForeignKeyUpdate {
    private final PartitionStore store;
    private final Memory memory;
    private final ForeignKeyRows key;
    private final TableStore child;
    private final RowLayout layout;
    private final int from;
    private final int length;
    private final long indexes;
    private final boolean touchesUnique;

    ForeignKeyUpdate(PartitionStore store, ForeignKeyRows key) {
        this.store = store;
        this.key = key;
        memory = store.memory();
        child = key.child;
        layout = child.layout();
        int first = Integer.MAX_VALUE;
        int end = 0;
        for (int column : key.rule.childColumns()) {
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
        for (Index index : child.table().indexes()) {
            for (int column : key.rule.childColumns()) {
                if (index.columns().contains(column)) {
                    touched |= 1L << index.position();
                    unique |= index.unique();
                }
            }
        }
        indexes = touched;
        touchesUnique = unique;
    }

    private void begin(long row) {
        if (touchesUnique) {
            child.unindex(row, indexes);
        }
        child.beginUpdate(row, from, length, touchesUnique ? 0 : indexes);
    }

    private void end(long row) {
        child.endUpdate(row, touchesUnique ? 0 : indexes);
    }

    /** Sets a child's key to NULL. */
    void setNull(long row) {
        for (int column : key.rule.childColumns()) {
            checkNullable(column);
        }
        begin(row);
        for (int column : key.rule.childColumns()) {
            clear(row, column);
        }
        end(row);
    }

    private void checkNullable(int column) {
        if (layout.nullByte(column) < 0) {
            Column target = child.table().columns().get(column);
            throw new ProcedureException(
                    ErrorCode.CONSTRAINT_VIOLATION,
                    child.table().name() + "." + target.name() + " is NOT NULL, but foreign key " + key.rule.name()
                            + " sets it to NULL",
                    new ErrorSubject(ErrorSubject.Kind.NOT_NULL, child.table().name(), target.name(), ""));
        }
    }

    /** A column that is NULL keeps no value. */
    private void clear(long row, int column) {
        if (layout.kind(column).isString()) {
            child.writeString(row, column, 0);
        } else {
            layout.writeWord(memory, row, column, 0);
        }
        layout.setNull(memory, row, column);
    }

    /** Sets a child's key to the one that its parent has now. */
    void follow(long row, long parent) {
        for (int place = 0; place < key.rule.childColumns().length; place++) {
            check(parent, place);
        }
        begin(row);
        for (int place = 0; place < key.rule.childColumns().length; place++) {
            int column = key.rule.childColumns()[place];
            int source = key.rule.parentColumns()[place];
            if (key.parent.layout().isNull(memory, parent, source)) {
                clear(row, column);
                continue;
            }
            if (layout.kind(column).isString()) {
                child.writeString(row, column, key.parent.readString(parent, source));
            } else {
                layout.writeWord(memory, row, column, key.parent.layout().readWord(memory, parent, source));
            }
            layout.setNotNull(memory, row, column);
        }
        end(row);
    }

    private void checkDigits(Column target, long ref) {
        byte[] bytes = new byte[Ref.length(ref)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = memory.getByte(Ref.address(ref) + i);
        }
        if (DecimalBytes.number(target.type(), bytes).precision()
                > target.type().precision()) {
            throw tooLong(ErrorCode.NUMERIC_OVERFLOW, target);
        }
    }

    /** Refuses a parent's value that the child's column has no room for. */
    private void check(long parent, int place) {
        int column = key.rule.childColumns()[place];
        int source = key.rule.parentColumns()[place];
        if (key.parent.layout().isNull(memory, parent, source)) {
            checkNullable(column);
            return;
        }
        Column target = child.table().columns().get(column);
        if (layout.kind(column).isString()) {
            long ref = key.parent.readString(parent, source);
            if (target.type().isWide()) {
                checkDigits(target, ref);
                return;
            }
            if (Ref.length(ref) > target.type().precision()
                    && target.type().precision()
                            < key.parent.table().columns().get(source).type().precision()
                    && characters(ref) > target.type().precision()) {
                throw tooLong(ErrorCode.VALUE_TOO_LONG, target);
            }
        } else {
            int above = Long.SIZE - Byte.SIZE * layout.width(column);
            long value = key.parent.layout().readWord(memory, parent, source);
            if (value << above >> above != value) {
                throw tooLong(ErrorCode.NUMERIC_OVERFLOW, target);
            }
        }
    }

    /** Bytes of UTF-8 that begin a character. */
    private int characters(long ref) {
        int count = 0;
        for (int i = 0; i < Ref.length(ref); i++) {
            count += (memory.getByte(Ref.address(ref) + i) & 0xC0) != 0x80 ? 1 : 0;
        }
        return count;
    }

    private ProcedureException tooLong(ErrorCode code, Column target) {
        return new ProcedureException(
                code,
                "the new key does not fit " + child.table().name() + "." + target.name() + " (" + target.type()
                        + "), to which foreign key " + key.rule.name() + " passes it on");
    }

    /**
     * Enters a changed row into the unique indexes. Throws CONSTRAINT_VIOLATION.
     *
     * @param rows the number of rows of the action: of several, their order decides which one is rejected
     */
    void finish(long row, int rows) {
        if (!touchesUnique) {
            return;
        }
        try {
            child.index(row, indexes);
        } catch (ProcedureException e) {
            throw rows == 1 ? e : new UndeterminedFailure(e, store::toldOfStorageOrder);
        }
    }
}

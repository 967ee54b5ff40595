package io.reprise.storage;

import io.reprise.catalog.Column;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.catalog.TypeChange;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Copies a table's rows into an empty one of another layout, column by column (ALTER TABLE, PARTITION TABLE). Rows keep their ids. If
 * a replicated table becomes partitioned, a partition keeps the rows of its buckets, and their numbers: so the ids are the same
 * whatever partition has a row and however many there are.
 */
final class TableCopy {
    private final TableStore source;
    private final TableStore target;
    private final PartitionStore store;
    private final Memory memory;
    private final List<ColumnSource> columns;
    private final long[] texts;

    /** The partitioning column of a table that was replicated; -1: rows stay in their buckets. */
    private final int divider;

    /** The place for the bytes of a converted number; 0: no number has been converted. */
    private long number;

    /**
     * @param columns for each column of the target where its values come from
     */
    TableCopy(TableStore source, TableStore target, PartitionStore store, List<ColumnSource> columns) {
        this.source = source;
        this.target = target;
        this.store = store;
        this.memory = store.memory();
        this.columns = columns;
        Table table = target.table();
        if (columns.size() != table.columns().size()) {
            throw new IllegalArgumentException(
                    "table " + table.name() + " has " + table.columns().size() + " columns, not " + columns.size());
        }
        divider = source.table().replicated() ? table.partitionColumn().orElse(-1) : -1;
        texts = new long[columns.size()];
        for (int i = 0; i < texts.length; i++) {
            if (columns.get(i) instanceof ColumnSource.Text text) {
                int length = text.bytes().length;
                long address = store.scratch(length);
                memory.copyIn(MemorySegment.ofArray(text.bytes()), 0, address, length);
                texts[i] = Ref.of(address, length);
            }
        }
    }

    /** Copies all rows. Throws CONSTRAINT_VIOLATION or MEMORY_LIMIT, with the target half filled. */
    void run() {
        DirectWrites writes = target.directWrites();
        for (long row = source.first(); row != 0; row = source.next(row)) {
            long place = target.allocate();
            long rowId = divider < 0 ? source.rowId(row) : dividedRowId(row, place);
            if (rowId < 0) {
                target.abandon(place);
            } else {
                copyColumns(row, place);
                writes.append(place, rowId);
            }
        }
        target.indexes.enter(target.scanStart(), target.scanEnd());
        for (int bucket = 0; bucket < target.buckets(); bucket++) {
            writes.raiseNextRowId(bucket, source.nextRowId(divider < 0 ? bucket : 0));
        }
    }

    /** The id of a row in the bucket of its partitioning value; -1 if another partition has that. */
    private long dividedRowId(long from, long to) {
        copyColumn(from, divider, to);
        RowLayout layout = target.layout();
        long value = layout.kind(divider).isString()
                ? hash(layout.readString(memory, to, divider))
                : layout.readWord(memory, to, divider);
        int bucket = store.bucketOf(value);
        return store.owns(bucket) ? DirectWrites.rowId(bucket, DirectWrites.number(source.rowId(from))) : -1;
    }

    private long hash(long ref) {
        return memory.hash(Ref.address(ref), Ref.length(ref));
    }

    private void requireNullable(int column) {
        Column definition = target.table().columns().get(column);
        if (!definition.nullable()) {
            throw new ProcedureException(
                    ErrorCode.CONSTRAINT_VIOLATION,
                    "column " + definition.name() + " of table "
                            + target.table().name()
                            + " can't become NOT NULL, because a row has NULL there; UPDATE such rows first",
                    new ErrorSubject(ErrorSubject.Kind.NOT_NULL, target.table().name(), definition.name(), ""));
        }
    }

    private void copyColumns(long from, long to) {
        for (int i = 0; i < texts.length; i++) {
            if (i != divider) {
                copyColumn(from, i, to);
            }
        }
    }

    private void copyColumn(long from, int column, long to) {
        RowLayout layout = target.layout();
        switch (columns.get(column)) {
            case ColumnSource.Existing existing -> existing(existing.column(), from, column, to);
            case ColumnSource.Converted converted -> converted(converted, from, column, to);
            case ColumnSource.Word word -> layout.writeWord(memory, to, column, word.value());
            case ColumnSource.Text _ -> target.writeString(to, column, texts[column]);
            case ColumnSource.Null _ -> layout.setNull(memory, to, column);
        }
    }

    private void converted(ColumnSource.Converted conversion, long from, int targetColumn, long to) {
        int column = conversion.column();
        if (source.layout().isNull(memory, from, column)) {
            existing(column, from, targetColumn, to);
        } else if (conversion.from().isWide() || conversion.to().isWide()) {
            number(conversion, from, targetColumn, to);
        } else if (conversion.to().kind().isString()) {
            checkLength(conversion.to(), source.readString(from, column), targetColumn);
            existing(column, from, targetColumn, to);
        } else {
            long word = source.layout().readWord(memory, from, column);
            target.layout()
                    .writeWord(memory, to, targetColumn, TypeChange.word(conversion.from(), conversion.to(), word));
        }
    }

    /** Converts between numbers of which one is bytes. */
    private void number(ColumnSource.Converted conversion, long from, int targetColumn, long to) {
        SqlType type = conversion.from();
        boolean isBytes = type.isWide();
        byte[] given = isBytes ? bytes(source.readString(from, conversion.column())) : new byte[0];
        long word = isBytes ? 0 : source.layout().readWord(memory, from, conversion.column());
        if (conversion.to().isWide()) {
            byte[] bytes = isBytes
                    ? TypeChange.bytes(type, conversion.to(), given)
                    : TypeChange.bytes(type, conversion.to(), word);
            number = number == 0
                    ? store.scratch(
                            SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, 0).length())
                    : number;
            memory.copyIn(MemorySegment.ofArray(bytes), 0, number, bytes.length);
            target.writeString(to, targetColumn, Ref.of(number, bytes.length));
        } else {
            target.layout().writeWord(memory, to, targetColumn, TypeChange.word(type, conversion.to(), given));
        }
    }

    private byte[] bytes(long ref) {
        byte[] bytes = new byte[Ref.length(ref)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = memory.getByte(Ref.address(ref) + i);
        }
        return bytes;
    }

    private void checkLength(SqlType type, long ref, int column) {
        int length = Ref.length(ref);
        if (type.kind() == SqlType.Kind.VARCHAR) {
            int characters = 0;
            for (int i = 0; i < length; i++) {
                characters += (memory.getByte(Ref.address(ref) + i) & 0xC0) != 0x80 ? 1 : 0;
            }
            length = characters;
        }
        if (length > type.precision()) {
            throw new ProcedureException(
                    ErrorCode.VALUE_TOO_LONG,
                    "a value of column " + target.table().columns().get(column).name() + " is too long for " + type);
        }
    }

    private void existing(int column, long from, int targetColumn, long to) {
        RowLayout layout = target.layout();
        if (source.layout().isNull(memory, from, column)) {
            requireNullable(targetColumn);
            layout.setNull(memory, to, targetColumn);
        } else if (layout.kind(targetColumn).isString()) {
            target.writeString(to, targetColumn, source.readString(from, column));
        } else {
            layout.writeWord(memory, to, targetColumn, source.layout().readWord(memory, from, column));
        }
    }
}

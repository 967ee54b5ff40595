package io.reprise.storage;

import io.reprise.catalog.Column;
import io.reprise.catalog.SqlType;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes and reads whole rows as lists of objects, as generated code would do it column by column: Long for words, byte[]
 * as {@link Bytes} for strings, null for NULL.
 */
public final class RowAccess {
    /** Bytes with value semantics, in unsigned order. */
    public record Bytes(byte[] bytes) implements Comparable<Bytes> {
        public static Bytes of(String text) {
            return new Bytes(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes b && java.util.Arrays.equals(bytes, b.bytes);
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(bytes);
        }

        @Override
        public int compareTo(Bytes other) {
            return java.util.Arrays.compareUnsigned(bytes, other.bytes);
        }

        @Override
        public String toString() {
            return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private final PartitionStore store;
    private final TableStore table;
    private final Memory memory;
    private final RowLayout layout;

    public RowAccess(PartitionStore store, TableStore table) {
        this.store = store;
        this.table = table;
        this.memory = store.memory();
        this.layout = table.layout();
    }

    /** A reference to a copy of the bytes in the transaction's scratch space. */
    public long ref(Bytes value) {
        long address = store.scratch(value.bytes().length);
        memory.copyIn(MemorySegment.ofArray(value.bytes()), 0, address, value.bytes().length);
        return Ref.of(address, value.bytes().length);
    }

    public long insert(int bucket, List<?> values) {
        long row = table.allocate();
        try {
            for (int column = 0; column < values.size(); column++) {
                write(row, column, values.get(column));
            }
        } catch (RuntimeException e) {
            table.abandon(row);
            throw e;
        }
        table.insert(row, bucket);
        return row;
    }

    public void update(long row, long touched, int column, Object value) {
        int from = Math.min(layout.offset(column), RowLayout.HEADER);
        table.beginUpdate(row, from, layout.offset(column) + layout.width(column) - from, touched);
        write(row, column, value);
        table.endUpdate(row, touched);
    }

    public void write(long row, int column, Object value) {
        if (layout.nullByte(column) >= 0) {
            long at = row + layout.nullByte(column);
            int bits = memory.getByte(at) & ~layout.nullMask(column);
            memory.putByte(at, (byte) (value == null ? bits | layout.nullMask(column) : bits));
        }
        if (layout.kind(column).isString()) {
            table.writeString(row, column, value == null ? 0 : ref((Bytes) value));
        } else {
            layout.writeWord(memory, row, column, value == null ? 0 : (Long) value);
        }
    }

    public List<Object> read(long row) {
        List<Object> values = new ArrayList<>();
        for (Column column : table.table().columns()) {
            values.add(read(row, column.position(), column.type()));
        }
        return values;
    }

    private Object read(long row, int column, SqlType type) {
        if (layout.isNull(memory, row, column)) {
            return null;
        }
        if (!type.kind().isString()) {
            return layout.readWord(memory, row, column);
        }
        return bytes(table.readString(row, column));
    }

    /** The string at a reference. */
    public Bytes bytes(long ref) {
        byte[] bytes = new byte[Ref.length(ref)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = memory.getByte(Ref.address(ref) + i);
        }
        return new Bytes(bytes);
    }
}

package io.reprise.storage.image;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import java.util.List;

/**
 * Rows of one table as bytes: whole rows, some columns of a row, and the values of the primary key.
 *
 * <pre>
 * row      null bits of the nullable columns | values of the columns that are not NULL, in the order of the columns
 * columns  one bit for each column: it is among them | null bits of those which are nullable | values, in order
 * key      values of the primary key's columns, in the order of the key
 *
 * bits     bit i is bit i % 8 of byte i / 8; the last byte is filled up with zeros
 * value    BOOLEAN, TINYINT                 1 byte
 *          SMALLINT, INTEGER, BIGINT, DATE  signed {@link Varint}
 *          DECIMAL                          signed varint of the unscaled number
 *          TIMESTAMP                        signed varint of the microseconds since 1970
 *          TIME                             signed varint of the microseconds since midnight
 *          DOUBLE                           8 bytes, little endian
 *          VARCHAR, VARBINARY               varint of the length in bytes, then the bytes
 * </pre>
 *
 * <p>This is stored, so it must not change; {@code docs/reference/formats/rows.md} is its specification. It depends on the columns'
 * types, order and nullability, which the catalog gives, and on nothing else of the table.
 *
 * <p>Nothing is allocated. Owned by the partition's thread. It is made for a table as it is defined now: another
 * one is needed when that has changed.
 */
public final class RowImageCodec {
    /** The number of bytes behind an image that may be overwritten. */
    public static final int SLACK = 64;

    private final TableStore store;
    private final Memory memory;
    private final ColumnImages columns;
    private final int[] keyColumns;

    /** Null where there are too many columns for it. */
    private final RowWriter writer;

    /** Null where there are too many columns for it, or where some are never in the row. */
    private final RowReader reader;

    private final long readerReach;

    /** Null unless the primary key is nothing but whole numbers. */
    private final KeyReader keyReader;

    private final long keyReach;

    /** Null where there are more than 64 columns. */
    private final SetReader setReader;

    private final long setReach;
    private final int rowNullBytes;
    private final int rowSize;
    private final ColumnSets sets;
    private final PlainImages plain;
    private final ImageBounds bounds;
    private final RowChanges changes;

    /** Null where there are more than 64 columns. */
    private final UpdateWriters updates;

    /** For rows of this table of the partition. */
    public RowImageCodec(PartitionStore partition, TableStore store) {
        this.store = store;
        Table table = store.table();
        memory = partition.memory();
        columns = new ColumnImages(store, memory);
        keyColumns = table.primaryKey().map(Index::columns).orElse(List.of()).stream()
                .mapToInt(Integer::intValue)
                .toArray();
        writer = columns.count() > RowClasses.MOST_COLUMNS ? null : RowWriterFactory.of(columns, keyColumns);
        int[] uniqueColumns = ColumnSets.uniqueColumns(table);
        sets = new ColumnSets(table, columns, uniqueColumns);
        int nullables = 0;
        for (int column = 0; column < columns.count(); column++) {
            nullables += columns.isNullable(column) ? 1 : 0;
        }
        rowNullBytes = (nullables + 7) / 8;
        rowSize = store.layout().size();
        plain = new PlainImages(store, memory, columns, sets, rowNullBytes);
        boolean reads = columns.count() <= RowClasses.MOST_COLUMNS && columns.alwaysInRow();
        reader = reads ? RowReaderFactory.of(columns, rowNullBytes) : null;
        readerReach = RowReaderFactory.reach(columns, rowNullBytes);
        KeyLayout keys = table.primaryKey()
                .map(key -> store.rowIndex(key.position()).layout())
                .filter(KeyLayout::isOfIntegers)
                .orElse(null);
        keyReader = keys == null ? null : KeyReaderFactory.of(columns, keyColumns, keys);
        keyReach = KeyReaderFactory.reach(keyColumns.length);
        setReader = columns.count() > Long.SIZE ? null : SetReaderFactory.of(columns);
        setReach = SetReaderFactory.reach(columns);
        bounds = new ImageBounds(columns, store.layout(), sets.imageBytes() + rowNullBytes, keyColumns);
        changes = new RowChanges(columns, rowSize, uniqueColumns);
        updates = !isNarrow() ? null : new UpdateWriters(this);
    }

    ColumnImages columns() {
        return columns;
    }

    /** The same without generated code. */
    PlainImages plain() {
        return plain;
    }

    int[] keyColumns() {
        return keyColumns;
    }

    /** The number of null-bit bytes at the beginning of a row. */
    int rowNullBytes() {
        return rowNullBytes;
    }

    /** For images that are as nearly all are; null if the table is too wide for it, or has columns that are never in the row. */
    public QuickImages quickImages() {
        if (reader == null || setReader == null) {
            return null;
        }
        long reach = readerReach + keyReach + setReach + sets.imageBytes();
        return new QuickImages(reader, keyReader, setReader, sets, rowSize, columns.nullable(), reach);
    }

    /** Sets of columns. */
    public ColumnSets sets() {
        return sets;
    }

    /** The largest numbers of written bytes. */
    public ImageBounds bounds() {
        return bounds;
    }

    /** Finds what a transaction has changed in a row. */
    public RowChanges changes() {
        return changes;
    }

    /** Writes what a transaction has changed in a row, of a table with at most 64 columns. */
    public UpdateWriters updates() {
        return updates;
    }

    /** The table. */
    public TableStore store() {
        return store;
    }

    /** The number of a row's bytes in memory. */
    public int rowSize() {
        return rowSize;
    }

    /** The number of the table's columns. */
    public int columnCount() {
        return columns.count();
    }

    /** Whether the table has a primary key. */
    public boolean hasKey() {
        return keyColumns.length > 0;
    }

    /** The number of the primary key's columns. */
    public int keyColumnCount() {
        return keyColumns.length;
    }

    /** The position in the table of the primary key's i-th column. */
    public int keyColumn(int i) {
        return keyColumns[i];
    }

    /** Writes a row and returns the address behind it. */
    public long writeRow(long row, Memory target, long address) {
        return writer != null ? writer.row(memory, row, target, address) : plain.writeRow(row, target, address);
    }

    /** Whether copies of rows can be written as images: the table has not too many columns for generated code. */
    public boolean writesCopies() {
        return writer != null;
    }

    /**
     * Writes a row that a {@link io.reprise.storage.row.RowCarrier} has copied, wherever it is. Any thread. The image has at most
     * twice as many bytes as the copy, and {@link #SLACK} of them more may be written.
     */
    public long writeCopy(Memory source, long copy, Memory target, long address) {
        return writer.row(source, copy, target, address);
    }

    /** Reads a row into an allocated place. When it throws, the place has to be abandoned. */
    public void readRow(ImageCursor in, long row) {
        plain.readRow(in, row);
    }

    /**
     * Whether rows can be {@linkplain #unpackRow unpacked} at all: no column's values always lie outside the row. One that is
     * too long may still come.
     */
    public boolean unpacks() {
        return columns.alwaysInRow();
    }

    /**
     * Reads a row into any memory as it will lie in the table's, so that copying it makes the row: all of its bytes but for the
     * header, the first word, are written. Any thread may, with a codec of its own. Returns false if a string does not fit into the
     * row; then neither the target nor the cursor is where it was.
     */
    public boolean unpackRow(ImageCursor in, Memory target, long row) {
        target.zero(row + Long.BYTES, rowSize - Long.BYTES);
        if (reader != null && in.reaches(readerReach)) {
            long end = reader.row(in.memory(), in.at(), target, row);
            if (in.advanceTo(end)) {
                return true;
            }
            target.zero(row + Long.BYTES, rowSize - Long.BYTES);
        }
        return plain.unpackRow(in, target, row);
    }

    /**
     * Reads the columns of the set read before as {@link ColumnWrites}. Any thread may, with a codec of its own. Returns where they
     * end; or -1 if there is a string among them, and then the cursor is not where it was.
     */
    public long unpackColumns(ImageCursor in, long[] set, Memory target, long address) {
        if (setReader != null && in.reaches(setReach)) {
            long end = setReader.columns(in.memory(), in.at(), set[0], target, address);
            if (in.advanceTo(end)) {
                return address + (long) (Long.bitCount(set[0]) + sets.nullableIn(set)) * ColumnWrites.BYTES;
            }
        }
        return plain.unpackColumns(in, set, target, address);
    }

    /** Whether there are at most 64 columns, so that a set of them is one word. */
    public boolean isNarrow() {
        return columns.count() <= Long.SIZE;
    }

    /** Passes over a row. */
    public void skipRow(ImageCursor in) {
        plain.skipRow(in);
    }

    /** Writes the columns of a set and returns the address behind them. */
    public long writeColumns(long row, long[] set, Memory target, long address) {
        return plain.writeColumns(row, set, target, address);
    }

    /**
     * Reads the columns of the set read before into a row that is not live at the moment, so that strings which are
     * replaced are freed at once.
     */
    public void readColumns(ImageCursor in, long[] set, long row) {
        plain.readColumns(in, set, row);
    }

    /** Passes over the columns of the set read before. */
    public void skipColumns(ImageCursor in, long[] set) {
        plain.skipColumns(in, set);
    }

    /** Writes a row's primary key and returns the address behind it. */
    public long writeKey(long row, Memory target, long address) {
        if (writer != null) {
            return writer.key(memory, row, target, address);
        }
        long at = address;
        for (int column : keyColumns) {
            at = columns.write(column, row, target, at);
        }
        return at;
    }

    /**
     * Writes one column, which is not NULL, and returns the address behind it.
     *
     * @param row of a row, or an address from which the column's bytes lie as far as from a row's
     */
    public long writeValue(int column, long row, Memory target, long address) {
        return columns.write(column, row, target, address);
    }

    /** Reads one column of a type that is not a string as its word; a string as a reference to its bytes. */
    public long readValue(int column, ImageCursor in) {
        return columns.read(column, in);
    }

    /** Reads a primary key without strings, laid out like its index's. */
    public void readKey(ImageCursor in, KeyLayout layout, IndexKey key) {
        if (keyReader != null && in.reaches(keyReach)) {
            long end = keyReader.key(in.memory(), in.at(), key.words);
            if (in.advanceTo(end)) {
                return;
            }
        }
        readColumnByColumn(in, layout, key);
    }

    void readColumnByColumn(ImageCursor in, KeyLayout layout, IndexKey key) {
        layout.clear(key);
        for (int i = 0; i < keyColumns.length; i++) {
            layout.put(key, i, columns.read(keyColumns[i], in));
        }
    }

    /** The primary key of a row in any memory, laid out like its index's. */
    public void keyOfRow(Memory source, long row, KeyLayout layout, IndexKey key) {
        if (keyReader != null) {
            keyReader.ofRow(source, row, key.words);
        } else {
            layout.encode(source, row, key);
        }
    }

    /** Passes over a primary key. */
    public void skipKey(ImageCursor in) {
        for (int column : keyColumns) {
            columns.skip(column, in);
        }
    }
}

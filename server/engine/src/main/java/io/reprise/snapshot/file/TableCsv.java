package io.reprise.snapshot.file;

import io.reprise.catalog.ArrayText;
import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;

/**
 * Writes a table of a snapshot as CSV (RFC 4180, UTF-8): a line with the columns' names, then a line for each row, in the
 * order of the files. NULL is nothing at all between two commas, an empty string is two quotation marks; a TIMESTAMP is
 * {@code yyyy-MM-dd HH:mm:ss[.ffffff]} in UTC, a VARBINARY is hexadecimal, an array is its text. A table with one column whose value is NULL has an
 * empty line for it.
 */
public final class TableCsv {
    /** Memory for a row while it is printed; strings have at most a megabyte. */
    private static final long MEMORY_LIMIT = 1L << 31;

    private final FileStore files;
    private final Manifest manifest;
    private final Catalog catalog;

    /** For the tables of a snapshot. */
    public TableCsv(FileStore files, Manifest manifest) {
        this.files = files;
        this.manifest = manifest;
        this.catalog = CatalogScript.load(manifest.origin().ddl());
    }

    /** Writes a table; returns how many rows it has. */
    public long write(String tableName, OutputStream out) throws IOException {
        return write(tableName, out, () -> false);
    }

    /**
     * Writes a table as CSV while the output has a reader.
     *
     * @param gone asked after each block
     * @return the number of written rows
     */
    public long write(String tableName, OutputStream out, BooleanSupplier gone) throws IOException {
        Table table = catalog.table(tableName)
                .orElseThrow(() -> new IllegalArgumentException("the snapshot has no table " + tableName + "; it has "
                        + String.join(", ", catalog.tables().keySet())));
        Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        header(table, text);
        long count = 0;
        try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(
                        MEMORY_LIMIT, manifest.identity().database().buckets()));
                BlockReader reader = new BlockReader(files, manifest)) {
            RowPrinter printer = new RowPrinter(store, store.createTable(table));
            BlockRows rows = new BlockRows();
            int position = reader.positionOf(table.id());
            for (DataFileEntry file : manifest.files()) {
                if (table.replicated() && count > 0) {
                    // Others have the same rows, or none.
                    break;
                }
                reader.open(file);
                for (int block = 0; block < reader.blocks() && !gone.getAsBoolean(); block++) {
                    reader.read(block, rows);
                    long moved = reader.bringInto(store);
                    while (rows.next()) {
                        if (rows.table() == position) {
                            printer.print(rows, rows.image() + moved, text);
                            count++;
                        }
                    }
                }
            }
        }
        text.flush();
        return count;
    }

    private static void header(Table table, Writer out) throws IOException {
        for (Column column : table.columns()) {
            out.append(column.position() == 0 ? "" : ",").append(quoted(column.name()));
        }
        out.append("\r\n");
    }

    /** The text, in quotation marks if it would be read as something else without. */
    private static String quoted(String text) {
        boolean needed = text.isEmpty();
        for (int i = 0; i < text.length() && !needed; i++) {
            char c = text.charAt(i);
            needed = c == ',' || c == '"' || c == '\r' || c == '\n';
        }
        return needed ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** Prints rows by reading each into the same place of an otherwise empty table. */
    private static final class RowPrinter {
        private final TableStore table;
        private final Memory memory;
        private final RowLayout layout;
        private final RowImageCodec codec;
        private final ImageCursor image;

        RowPrinter(PartitionStore store, TableStore table) {
            this.table = table;
            memory = store.memory();
            layout = table.layout();
            codec = new RowImageCodec(store, table);
            image = new ImageCursor(memory);
        }

        void print(BlockRows rows, long address, Writer out) throws IOException {
            long row = table.allocate();
            try {
                image.over(address, rows.length());
                codec.readRow(image, row);
                for (Column column : table.table().columns()) {
                    if (column.position() > 0) {
                        out.append(',');
                    }
                    if (!layout.isNull(memory, row, column.position())) {
                        out.append(value(column.type(), row, column.position()));
                    }
                }
                out.append("\r\n");
            } catch (DamagedImageException e) {
                throw rows.damaged(e);
            } finally {
                table.abandon(row);
            }
        }

        private String value(SqlType type, long row, int column) {
            if (type.kind().isString()) {
                return string(type, table.readString(row, column));
            }
            long word = layout.readWord(memory, row, column);
            return switch (type.kind()) {
                case BOOLEAN -> word == 0 ? "false" : "true";
                case DOUBLE -> Double.toString(Double.longBitsToDouble(word));
                case DECIMAL -> BigDecimal.valueOf(word, type.scale()).toPlainString();
                case TIMESTAMP -> Timestamps.toString(word);
                case DATE -> Timestamps.dateToString(word);
                case TIME -> Timestamps.timeToString(word);
                default -> Long.toString(word);
            };
        }

        private String string(SqlType type, long ref) {
            byte[] bytes = new byte[Ref.length(ref)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = memory.getByte(Ref.address(ref) + i);
            }
            if (type.isWide()) {
                return DecimalBytes.text(type, bytes);
            }
            if (type.isArray()) {
                return quoted(ArrayText.of(type, bytes));
            }
            return type.kind() == SqlType.Kind.VARBINARY
                    ? quoted(HexFormat.of().formatHex(bytes))
                    : quoted(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}

package io.reprise.command;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import dev.hardwood.schema.SchemaNode;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/** A Parquet file whose columns are single values. It is told from CSV by its first four bytes. */
final class ParquetFile implements LoadFile, LoadSource {
    /** Kept, because a logger that nothing refers to loses its level: the library tells its features at its first use. */
    private static final Logger LIBRARY = Logger.getLogger("dev.hardwood");

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** The number of bytes that tell it from CSV. */
    static final int BEGINNING = MAGIC.length;

    /** A character for which a field of CSV needs quotation marks. */
    private static final Pattern SPECIAL = Pattern.compile("[\",\r\n]");

    private final ParquetFileReader file;
    private final RowReader rows;
    private final List<String> names;
    private final long size;
    private long number;

    private ParquetFile(ParquetFileReader file, RowReader rows, List<String> names) {
        this.file = file;
        this.rows = rows;
        this.names = names;
        size = file.getFileMetaData().numRows();
    }

    /** Whether a file begins like these. The bytes are pushed back. */
    static boolean begins(PushbackInputStream in) throws IOException {
        byte[] beginning = in.readNBytes(MAGIC.length);
        in.unread(beginning);
        return Arrays.equals(beginning, MAGIC);
    }

    static ParquetFile open(Path path) throws IOException {
        LIBRARY.setLevel(Level.WARNING);
        ParquetFileReader file = ParquetFileReader.open(InputFile.of(path));
        try {
            List<String> names = new ArrayList<>();
            for (SchemaNode column : file.getFileSchema().getRootNode().children()) {
                if (!(column instanceof SchemaNode.PrimitiveNode)) {
                    throw new IllegalArgumentException("nothing was loaded, because column " + column.name() + " of "
                            + path + " is a list, a map or a structure; a table has single values");
                }
                names.add(column.name());
            }
            return new ParquetFile(file, file.rowReader(), List.copyOf(names));
        } catch (RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public LoadSource records() {
        return this;
    }

    @Override
    public long position() {
        return number;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean read() throws IOException {
        try {
            if (!rows.hasNext()) {
                return false;
            }
            rows.next();
        } catch (RuntimeException damaged) {
            throw new IOException(
                    "record " + (number + 1) + " of the Parquet file can't be read: " + damaged.getMessage(), damaged);
        }
        number++;
        return true;
    }

    @Override
    public long line() {
        return number;
    }

    @Override
    public long nextLine() {
        return number + 1;
    }

    /** The values as a record of CSV, bytes as hexadecimal digits. */
    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            Object value = rows.getValue(i);
            text.append(i == 0 ? "" : ",");
            if (value instanceof byte[] bytes) {
                appendField(HexFormat.of().formatHex(bytes), text);
            } else if (value != null) {
                appendField(value.toString(), text);
            }
        }
        return text.toString();
    }

    private static void appendField(String plain, StringBuilder to) {
        boolean quoted = plain.isEmpty() || SPECIAL.matcher(plain).find();
        to.append(quoted ? '"' + plain.replace("\"", "\"\"") + '"' : plain);
    }

    @Override
    public boolean isBlank() {
        return false;
    }

    @Override
    public void values(List<ColumnText> columns, Object... into) {
        for (int i = 0; i < into.length; i++) {
            into[i] = columns.get(i).converted(rows.getValue(i));
        }
    }

    @Override
    public void close() throws IOException {
        rows.close();
        file.close();
    }
}

package io.reprise.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows as they were sent: values are null, Long, Double, String or byte[]; a DECIMAL is a Long in units of its scale, or the bytes of
 * that number if it does not fit 64 bits.
 *
 * @param columns the columns
 * @param rows each with a value for each column
 */
public record WireTable(List<Column> columns, List<Object[]> rows) {
    /**
     * A column.
     *
     * @param type as {@code Column.Type} of the protocol has it
     */
    public record Column(String name, int type, int precision, int scale) {}

    static WireTable read(MessageReader reader) {
        List<Column> columns = new ArrayList<>();
        List<Object[]> rows = new ArrayList<>();
        ValueReader value = new ValueReader();
        while (reader.hasMore()) {
            int tag = reader.tag();
            int outer;
            switch (tag) {
                case Wire.TABLE_COLUMN:
                    outer = reader.enter();
                    columns.add(column(reader));
                    reader.leave(outer);
                    break;
                case Wire.TABLE_ROW:
                    outer = reader.enter();
                    rows.add(row(reader, columns.size(), value));
                    reader.leave(outer);
                    break;
                default:
                    reader.skip(tag);
            }
        }
        return new WireTable(columns, rows);
    }

    private static Column column(MessageReader reader) {
        String name = "";
        long[] numbers = new long[3];
        while (reader.hasMore()) {
            int tag = reader.tag();
            switch (tag) {
                case Wire.COLUMN_NAME:
                    name = reader.text();
                    break;
                case Wire.COLUMN_TYPE:
                    numbers[0] = reader.varint();
                    break;
                case Wire.COLUMN_PRECISION:
                    numbers[1] = reader.varint();
                    break;
                case Wire.COLUMN_SCALE:
                    numbers[2] = reader.varint();
                    break;
                default:
                    reader.skip(tag);
            }
        }
        return new Column(name, (int) numbers[0], (int) numbers[1], (int) numbers[2]);
    }

    private static Object[] row(MessageReader reader, int columns, ValueReader value) {
        Object[] row = new Object[columns];
        int count = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag != Wire.ROW_VALUE) {
                reader.skip(tag);
                continue;
            }
            if (count == columns) {
                throw new MalformedMessageException("a row has more values than there are columns");
            }
            value.read(reader);
            row[count++] = value.object();
        }
        if (count < columns) {
            throw new MalformedMessageException("a row has fewer values than there are columns");
        }
        return row;
    }
}

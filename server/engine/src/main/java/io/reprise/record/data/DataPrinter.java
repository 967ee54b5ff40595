package io.reprise.record.data;

import io.reprise.catalog.Column;
import io.reprise.log.LogRecords;
import io.reprise.log.PayloadPrinter;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.ValueText;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;

/**
 * Data records as text: {@code ACCOUNT: INSERT row 3 (ID 7, OWNER 'plum'), UPDATE (ID 8) to BALANCE 10}. Needs a
 * partition whose tables are defined as they were when the record was written, and which are empty: rows are read into a
 * place of them, printed, and forgotten. One thread.
 */
public final class DataPrinter implements PayloadPrinter {
    private final PartitionStore store;
    private final PerTable<RowImageCodec> codecs;
    private final ImageCursor in;
    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];
    private RowImageCodec codec;
    private int bucket;
    private long number;

    /** A printer for the tables of a partition. */
    public DataPrinter(PartitionStore store) {
        this.store = store;
        codecs = PerTable.codecs(store);
        in = new ImageCursor(store.memory());
    }

    @Override
    public void print(LogRecords records, StringBuilder to) {
        codecs.forgetChanged();
        store.begin(records.transactionId());
        in.over(
                store.scratch().bringIn(records.memory().segment(), records.payload(), records.payloadBytes()),
                records.payloadBytes());
        bucket = -1;
        String separator = "";
        try {
            while (in.hasNext()) {
                int tableId = in.varintUpTo(Integer.MAX_VALUE, "a table's id");
                to.append(separator);
                separator = "; ";
                if (!store.hasTable(tableId)) {
                    to.append("table ").append(tableId).append(", whose columns are not known here");
                    return;
                }
                group(store.table(tableId), to);
            }
        } catch (DamagedImageException e) {
            to.append(" (not a data record: ").append(e.getMessage()).append(')');
        }
    }

    private void group(TableStore table, StringBuilder to) {
        codec = codecs.of(table.table().id());
        number = 0;
        to.append(table.table().name()).append(':');
        for (String separator = " "; ; separator = ", ") {
            int operation = in.unsignedByte();
            if (operation == DataFormat.END) {
                return;
            }
            to.append(separator);
            if ((operation & DataFormat.BUCKET) != 0) {
                bucket = in.varintUpTo(store.buckets().count() - 1, "a bucket");
                number = 0;
            }
            operation(operation & ~DataFormat.BUCKET, table, to);
        }
    }

    private void operation(int operation, TableStore table, StringBuilder to) {
        switch (operation) {
            case DataFormat.INSERT -> {
                to.append("INSERT ");
                number(table, to);
                to.append(' ');
                insertedRow(table, to);
            }
            case DataFormat.UPDATE -> {
                to.append("UPDATE ");
                keyOrNumber(table, to);
                to.append(" to ");
                changedColumns(table, to);
            }
            case DataFormat.DELETE -> {
                to.append("DELETE ");
                keyOrNumber(table, to);
            }
            case DataFormat.SPENT -> {
                to.append("SPENT ");
                number(table, to);
            }
            case DataFormat.TRUNCATE -> truncate(table, to);
            default -> throw in.damaged("there is no operation " + operation);
        }
    }

    private void number(TableStore table, StringBuilder to) {
        number += in.signedVarint();
        to.append("row ").append(number);
        if (!table.table().replicated()) {
            to.append(" of bucket ").append(bucket);
        }
    }

    private void keyOrNumber(TableStore table, StringBuilder to) {
        if (!codec.hasKey()) {
            number(table, to);
            return;
        }
        for (int i = 0; i < codec.keyColumnCount(); i++) {
            Column column = table.table().columns().get(codec.keyColumn(i));
            to.append(i == 0 ? "(" : ", ")
                    .append(column.name())
                    .append(' ')
                    .append(ValueText.of(store.memory(), column.type(), codec.readValue(column.position(), in)));
        }
        to.append(')');
    }

    private void insertedRow(TableStore table, StringBuilder to) {
        long row = table.allocate();
        try {
            codec.readRow(in, row);
            to.append('(');
            for (Column column : table.table().columns()) {
                value(table, row, column, column.position() == 0 ? "" : ", ", to);
            }
            to.append(')');
        } finally {
            table.abandon(row);
        }
    }

    private void changedColumns(TableStore table, StringBuilder to) {
        codec.sets().read(in, changed);
        long row = table.allocate();
        try {
            codec.readColumns(in, changed, row);
            String separator = "";
            for (Column column : table.table().columns()) {
                if ((changed[column.position() >> 6] >>> column.position() & 1) != 0) {
                    value(table, row, column, separator, to);
                    separator = ", ";
                }
            }
        } finally {
            table.abandon(row);
        }
    }

    private void value(TableStore table, long row, Column column, String separator, StringBuilder to) {
        String text = ValueText.of(store.memory(), table.layout(), column.type(), row, column.position());
        to.append(separator)
                .append(column.name())
                .append(' ')
                .append(text.replace('\n', ' ').replace('\r', ' '));
    }

    private void truncate(TableStore table, StringBuilder to) {
        to.append("TRUNCATE");
        if (!table.table().replicated()) {
            int buckets = 0;
            for (int i = 0; i < store.buckets().count() / 8; i++) {
                buckets += Integer.bitCount(in.unsignedByte());
            }
            to.append(" in ").append(buckets).append(" buckets");
        }
    }
}

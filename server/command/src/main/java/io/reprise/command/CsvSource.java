package io.reprise.command;

import java.io.IOException;
import java.util.List;

/** The records of a CSV file. */
final class CsvSource implements LoadSource {
    private final CsvReader csv;
    private final int columns;
    private List<String> fields = List.of();

    /** The records behind the ones that have been read. */
    CsvSource(CsvReader csv, int columns) {
        this.csv = csv;
        this.columns = columns;
    }

    @Override
    public boolean read() throws IOException {
        fields = csv.read();
        return fields != null;
    }

    @Override
    public long line() {
        return csv.line();
    }

    @Override
    public long nextLine() {
        return csv.nextLine();
    }

    @Override
    public String text() {
        return csv.text();
    }

    /** In a table with one column an empty line is a record with NULL. */
    @Override
    public boolean isBlank() {
        return columns > 1 && fields.size() == 1 && fields.getFirst() == null;
    }

    @Override
    public void values(List<ColumnText> types, Object... into) {
        if (csv.malformed()) {
            throw new IllegalArgumentException("something stands behind a field's closing quotation mark;"
                    + " a quotation mark within a field is written twice");
        }
        if (fields.size() != into.length) {
            throw new IllegalArgumentException(fields.size() + " fields, and there are " + into.length + " columns");
        }
        for (int i = 0; i < into.length; i++) {
            into[i] = types.get(i).value(fields.get(i));
        }
    }
}

package io.reprise.sql.compile.runtime;

import io.reprise.procedure.Rows;
import java.util.StringJoiner;

/** The text of rows for people, of bounded length. */
final class RowsText {
    private static final int ROWS_SHOWN = 20;
    private static final int LONGEST_SHOWN = 100;

    private RowsText() {}

    /** The columns' names and the first rows. Moves the cursor. */
    static String of(Rows rows) {
        StringJoiner names = new StringJoiner(", ");
        for (int i = 0; i < rows.columns(); i++) {
            names.add(rows.columnName(i));
        }
        StringBuilder text = new StringBuilder(names.toString());
        rows.rewind();
        for (int shown = 0; shown < ROWS_SHOWN && rows.next(); shown++) {
            StringJoiner row = new StringJoiner(", ", "\n", "");
            for (int i = 0; i < rows.columns(); i++) {
                row.add(shown(rows.valueAt(i)));
            }
            text.append(row);
        }
        return text.append(rows.count() > ROWS_SHOWN ? "\n... (" + rows.count() + " rows)" : "")
                .toString();
    }

    private static String shown(Object value) {
        if (value instanceof byte[] bytes) {
            return "a binary value of " + bytes.length + " bytes";
        }
        String text = String.valueOf(value);
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }
}

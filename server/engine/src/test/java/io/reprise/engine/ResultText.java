package io.reprise.engine;

import io.reprise.procedure.Rows;

/** Rows of a statement as text: values are parted by spaces, and each row ends with a semicolon. */
final class ResultText {
    private ResultText() {}

    static String of(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        StringBuilder text = new StringBuilder();
        while (rows.next()) {
            for (int i = 0; i < rows.columns(); i++) {
                text.append(rows.valueAt(i)).append(i + 1 == rows.columns() ? ";" : " ");
            }
        }
        return text.toString();
    }
}

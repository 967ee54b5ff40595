package io.reprise.command;

import io.reprise.client.ResultRows;
import io.reprise.node.http.Json;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Prints rows as somebody wants them. */
final class RowsPrinter {
    /** How rows are printed. */
    enum Format {
        /** Columns below each other, for people. */
        TABLE,
        /** As in RFC 4180, with a line of names; NULL is empty, an empty string is in quotation marks. */
        CSV,
        /** An array of objects. Numbers are text when JavaScript's have too few bits for them. */
        JSON
    }

    private static final int WIDEST = 60;
    private static final long EXACT = 1L << 53;

    private RowsPrinter() {}

    static void print(ResultRows rows, Format format, PrintWriter out) {
        switch (format) {
            case TABLE -> table(rows, out);
            case CSV -> csv(rows, out);
            case JSON -> json(rows, out);
        }
    }

    private static void table(ResultRows rows, PrintWriter out) {
        int columns = rows.columns();
        List<String[]> lines = new ArrayList<>();
        int[] widths = new int[columns];
        boolean[] right = new boolean[columns];
        String[] names = new String[columns];
        for (int column = 0; column < columns; column++) {
            names[column] = rows.columnName(column);
            widths[column] = names[column].length();
            String type = rows.columnType(column);
            right[column] = !type.startsWith("VAR") && !type.startsWith("DATE") && !type.startsWith("TIME");
        }
        while (rows.next()) {
            String[] line = new String[columns];
            for (int column = 0; column < columns; column++) {
                line[column] = visible(rows.isNull(column) ? "NULL" : text(rows.valueAt(column)));
                widths[column] = Math.max(widths[column], Math.min(WIDEST, line[column].length()));
            }
            lines.add(line);
        }
        printLine(out, names, widths, new boolean[columns]);
        StringBuilder rule = new StringBuilder();
        for (int column = 0; column < columns; column++) {
            rule.append(column == 0 ? "" : "  ").append("-".repeat(widths[column]));
        }
        out.println(rule);
        lines.forEach(line -> printLine(out, line, widths, right));
        out.println(lines.size() == 1 ? "(1 row)" : "(" + lines.size() + " rows)");
    }

    /** A value stays on its line, and can't move the cursor of a terminal. */
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                visible.append("\\n");
            } else if (Character.isISOControl(c)) {
                visible.append(String.format("\\x%02x", (int) c));
            } else {
                visible.append(c);
            }
        }
        return visible.toString();
    }

    private static void printLine(PrintWriter out, String[] values, int[] widths, boolean[] right) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < values.length; column++) {
            String padding = " ".repeat(Math.max(0, widths[column] - values[column].length()));
            line.append(column == 0 ? "" : "  ");
            line.append(right[column] ? padding + values[column] : values[column] + padding);
        }
        out.println(line.toString().stripTrailing());
    }

    private static void csv(ResultRows rows, PrintWriter out) {
        int columns = rows.columns();
        for (int column = 0; column < columns; column++) {
            out.print((column == 0 ? "" : ",") + quoted(rows.columnName(column)));
        }
        out.print("\r\n");
        while (rows.next()) {
            for (int column = 0; column < columns; column++) {
                out.print(column == 0 ? "" : ",");
                out.print(rows.isNull(column) ? "" : quoted(text(rows.valueAt(column))));
            }
            out.print("\r\n");
        }
    }

    private static String quoted(String text) {
        boolean plain = !text.isEmpty()
                && text.indexOf('"') < 0
                && text.indexOf(',') < 0
                && text.indexOf('\n') < 0
                && text.indexOf('\r') < 0;
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    private static void json(ResultRows rows, PrintWriter out) {
        out.print("[");
        String separator = "";
        while (rows.next()) {
            Json row = new Json().object();
            for (int column = 0; column < rows.columns(); column++) {
                put(row, rows.columnName(column), rows.valueAt(column));
            }
            out.print(separator + row.endObject());
            separator = ",\n";
        }
        out.println("]");
    }

    private static void put(Json row, String name, Object value) {
        switch (value) {
            case null -> row.putNull(name);
            case Long number when number >= -EXACT && number <= EXACT -> row.put(name, number.longValue());
            case Double number -> row.put(name, number.doubleValue());
            case Boolean bool -> row.put(name, bool.booleanValue());
            default -> row.put(name, text(value));
        }
    }

    static String text(Object value) {
        return switch (value) {
            case null -> "NULL";
            case BigDecimal decimal -> decimal.toPlainString();
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> value.toString();
        };
    }
}

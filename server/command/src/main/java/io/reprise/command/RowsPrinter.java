package io.reprise.command;

import io.reprise.client.Rows;
import io.reprise.node.http.Json;
import io.reprise.sql.compile.runtime.Timestamps;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jline.utils.WCWidth;

/** Prints rows as a table, as CSV or as JSON. Its text of a value is the one in SQL, so that timestamps are the same everywhere. */
final class RowsPrinter {
    /** The forms of printed rows. */
    enum Format {
        /** Columns below each other, for people. */
        TABLE,
        /** As in RFC 4180, with a line of names; NULL is empty, an empty string is in quotation marks. */
        CSV,
        /** An array of objects. Numbers are text when JavaScript's have too few bits for them. */
        JSON
    }

    private static final int WIDEST = 256;

    /** The width of an output that is no terminal. */
    static final int UNLIMITED = Integer.MAX_VALUE;

    private static final long EXACT = 1L << 53;

    private RowsPrinter() {}

    static void print(Rows rows, Format format, PrintWriter out) {
        print(rows, format, UNLIMITED, out);
    }

    /** A table that is wider than the terminal is printed a value a line. */
    static void print(Rows rows, Format format, int width, PrintWriter out) {
        switch (format) {
            case TABLE -> table(rows, width, out);
            case CSV -> csv(rows, out);
            case JSON -> json(rows, out);
        }
    }

    private static void table(Rows rows, int width, PrintWriter out) {
        int columns = rows.columns();
        List<String[]> lines = new ArrayList<>();
        int[] widths = new int[columns];
        boolean[] right = new boolean[columns];
        String[] names = new String[columns];
        for (int column = 0; column < columns; column++) {
            names[column] = rows.columnName(column);
            widths[column] = width(names[column]);
            String type = rows.columnType(column);
            right[column] = !type.startsWith("VAR") && !type.startsWith("DATE") && !type.startsWith("TIME");
        }
        while (rows.next()) {
            String[] line = new String[columns];
            for (int column = 0; column < columns; column++) {
                line[column] = visible(rows.isNull(column) ? "NULL" : text(rows.valueAt(column)));
                widths[column] = Math.max(widths[column], Math.min(WIDEST, width(line[column])));
            }
            lines.add(line);
        }
        if (IntStream.of(widths).sum() + 2 * (columns - 1) > width) {
            printValues(out, names, lines);
            return;
        }
        printLine(out, names, widths, new boolean[columns]);
        StringBuilder rule = new StringBuilder();
        for (int column = 0; column < columns; column++) {
            rule.append(column == 0 ? "" : "  ").append("-".repeat(widths[column]));
        }
        out.println(rule);
        lines.forEach(line -> printLine(out, line, widths, right));
        printCount(out, lines.size());
    }

    private static void printValues(PrintWriter out, String[] names, List<String[]> lines) {
        int longest = Stream.of(names).mapToInt(RowsPrinter::width).max().orElse(0);
        for (int row = 0; row < lines.size(); row++) {
            out.println("--- row " + (row + 1));
            for (int column = 0; column < names.length; column++) {
                out.println(names[column] + " ".repeat(longest - width(names[column]) + 2) + lines.get(row)[column]);
            }
        }
        printCount(out, lines.size());
    }

    private static void printCount(PrintWriter out, int rows) {
        out.println(rows == 1 ? "(1 row)" : "(" + rows + " rows)");
    }

    /** The columns that a text takes on a terminal: Chinese, Japanese and Korean characters take two. */
    static int width(String text) {
        return text.codePoints().map(each -> Math.max(0, WCWidth.wcwidth(each))).sum();
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
            String padding = " ".repeat(Math.max(0, widths[column] - width(values[column])));
            line.append(column == 0 ? "" : "  ");
            line.append(right[column] ? padding + values[column] : values[column] + padding);
        }
        out.println(line.toString().stripTrailing());
    }

    private static void csv(Rows rows, PrintWriter out) {
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

    private static void json(Rows rows, PrintWriter out) {
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
            case Instant time -> Timestamps.toString(ChronoUnit.MICROS.between(Instant.EPOCH, time));
            default -> value.toString();
        };
    }
}

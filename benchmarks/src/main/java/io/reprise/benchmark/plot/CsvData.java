package io.reprise.benchmark.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of a CSV file. */
public final class CsvData {
    private final List<String> lines = new ArrayList<>();

    /** A file with these columns. */
    public CsvData(String... columns) {
        lines.add(String.join(",", columns));
    }

    /** Adds a row; numbers are written with at most three digits behind the point. */
    public void add(Object... values) {
        List<String> cells = new ArrayList<>();
        for (Object value : values) {
            cells.add(
                    value instanceof Double number
                            ? String.format(Locale.ROOT, number >= 1000 ? "%.0f" : "%.3f", number)
                            : value.toString());
        }
        lines.add(String.join(",", cells));
    }

    /** The content of the file. */
    public String text() {
        return String.join("\n", lines) + "\n";
    }
}

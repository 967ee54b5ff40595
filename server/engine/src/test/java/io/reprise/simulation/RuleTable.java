package io.reprise.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of {@code docs/internals/rules.md}: by rule, the first seed of a simulation that notices it broken. */
public final class RuleTable {
    private static final Pattern ROW = Pattern.compile("\\| `([A-Z_]+)` \\| [PTS]\\d+ \\| (\\d+|none) \\|.*");
    private static final Path FILE = Path.of("../../docs/internals/rules.md");

    private RuleTable() {}

    /** All rows: the seed, or -1 for a rule that no build has time to notice. */
    public static SortedMap<String, Integer> rows() {
        SortedMap<String, Integer> rows = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(FILE)) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    rows.put(row.group(1), row.group(2).equals("none") ? -1 : Integer.parseInt(row.group(2)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    /** The seed at which the search for a rule begins; empty if there is none. */
    public static OptionalInt firstSeed(String rule) {
        int seed = rows().getOrDefault(rule, -1);
        return seed < 0 ? OptionalInt.empty() : OptionalInt.of(seed);
    }

    /** Tells a person of a seed that is not in the table. */
    public static void noticed(String rule, int seed, Throwable by) {
        if (firstSeed(rule).orElse(-1) != seed) {
            System.out.println(
                    "docs/internals/rules.md: " + rule + " is noticed at seed " + seed + ": " + by.getMessage());
        }
    }
}

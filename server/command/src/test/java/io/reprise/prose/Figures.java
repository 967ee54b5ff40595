package io.reprise.prose;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The measured figures that a document quotes. A mark behind the figure names its source and is invisible to readers:
 * {@code 0.97<!-- figure log-tpcc command -->}. A source is a result and a key ({@code max} or {@code min} may follow),
 * or a CSV file, a column and the first cells of a row. A second source, or a number, may divide the first.
 */
final class Figures {
    private static final Pattern MARK = Pattern.compile("([0-9][0-9,]*(?:\\.[0-9]+)?)<!-- figure ([^>]*?) -->");
    private static final Pattern ANY_MARK = Pattern.compile("<!-- figure ");
    private static final double ROUNDING_ERROR = 1e-9;

    private final Path results;

    Figures(Path results) {
        this.results = results;
    }

    /** Counts the marks of a document, also those without a figure in front of them. */
    static long count(String document) {
        return ANY_MARK.matcher(document).results().count();
    }

    /** Lists the figures that differ from their source by more than their last digit. */
    List<String> differences(String document) throws IOException {
        List<String> differences = new ArrayList<>();
        int marks = 0;
        for (Matcher mark = MARK.matcher(document); mark.find(); marks++) {
            String expected = rounded(value(mark.group(2)), mark.group(1));
            if (!expected.equals(mark.group(1))) {
                differences.add("%s is quoted, %s is measured (%s)".formatted(mark.group(1), expected, mark.group(2)));
            }
        }
        if (marks != count(document)) {
            differences.add("a mark has no figure in front of it, or is malformed");
        }
        return differences;
    }

    /** Puts the measured values in place of the quoted ones. */
    String refreshed(String document) throws IOException {
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (Matcher mark = MARK.matcher(document); mark.find(); from = mark.end(1)) {
            text.append(document, from, mark.start(1)).append(rounded(value(mark.group(2)), mark.group(1)));
        }
        return text.append(document.substring(from)).toString();
    }

    private double value(String expression) throws IOException {
        String[] terms = expression.split(" / ");
        return terms.length == 1 ? term(terms[0]) : term(terms[0]) / term(terms[1]);
    }

    private double term(String source) throws IOException {
        String[] words = source.strip().split(" ");
        if (words.length == 1) {
            return Double.parseDouble(words[0]);
        }
        return words[0].endsWith(".csv") ? cell(words[0], words[1], words[2]) : key(words);
    }

    private double key(String[] words) throws IOException {
        int column = words.length < 3 ? 2 : words[2].equals("min") ? 3 : 4;
        for (String line : Files.readAllLines(results.resolve(words[0] + ".md"))) {
            String[] cells = line.split("\\|");
            if (cells.length > 4 && cells[1].strip().equals(words[1])) {
                return Double.parseDouble(cells[column].strip());
            }
        }
        throw new IllegalArgumentException("no key " + words[1] + " in result " + words[0]);
    }

    private double cell(String file, String column, String row) throws IOException {
        List<String> lines = Files.readAllLines(results.resolve(file)).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        int index = List.of(lines.getFirst().split(",")).indexOf(column);
        return lines.stream()
                .filter(line -> line.startsWith(row + ","))
                .mapToDouble(line -> Double.parseDouble(line.split(",")[index]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no row " + row + " in " + file));
    }

    /** Rounds to the precision of {@code quoted}: trailing zeros of an integer are no digits of the measurement. */
    private static String rounded(double value, String quoted) {
        BigDecimal number = new BigDecimal(quoted.replace(",", ""));
        int scale = number.scale() > 0
                ? number.scale()
                : number.stripTrailingZeros().scale();
        BigDecimal rounded = BigDecimal.valueOf(value + Math.copySign(ROUNDING_ERROR, value))
                .setScale(Math.min(scale, number.scale()), RoundingMode.HALF_UP);
        String pattern = (quoted.contains(",") || rounded.compareTo(BigDecimal.valueOf(10_000)) >= 0 ? "%,." : "%.")
                + Math.max(0, number.scale()) + "f";
        return String.format(Locale.ROOT, pattern, rounded);
    }
}

package io.reprise.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Result lines of two programs, turn by turn.
 *
 * @param commit the other program
 * @param own this program's lines
 * @param other as many of the other's
 */
record ComparedTurns(Benchmark benchmark, String commit, List<String> own, List<String> other) {
    /** A difference within it counts as none. */
    private static final double TOLERANCE = 0.02;

    private static final List<String> HEAD =
            List.of("key", "this", "other", "this/other", "spread", "judgement", "meaning");

    /** This program's value over the other's, turn by turn; empty unless both measured the key in each turn. */
    private Optional<Samples> ratios(Key key) {
        Optional<Samples> ours = samples(own, key);
        Optional<Samples> theirs = samples(other, key);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return Optional.empty();
        }
        double[] numerators = ours.get().values();
        double[] denominators = theirs.get().values();
        for (int i = 0; i < numerators.length; i++) {
            // Nought of nought is no difference.
            numerators[i] = numerators[i] == denominators[i] ? 1 : numerators[i] / denominators[i];
        }
        return Optional.of(new Samples(numerators));
    }

    private static Optional<Samples> samples(List<String> lines, Key key) {
        double[] values = new double[lines.size()];
        for (int i = 0; i < values.length; i++) {
            Double value = BenchmarkProcess.numbers(lines.get(i)).get(key.name());
            if (value == null) {
                return Optional.empty();
            }
            values[i] = value;
        }
        return Optional.of(new Samples(values));
    }

    /** In words: whether the median ratio is within the tolerance, and whether every turn agrees. */
    private static String judgement(Key key, Samples ratios) {
        double median = ratios.median();
        if (Math.abs(median - 1) <= TOLERANCE) {
            return "within 2%";
        }
        if (ratios.count() == 1 || ratios.min() <= 1 && ratios.max() >= 1) {
            return "unclear";
        }
        return switch (key.goal().direction()) {
            case NONE -> median > 1 ? "higher" : "lower";
            case AT_LEAST -> median > 1 ? "better" : "worse";
            case AT_MOST -> median < 1 ? "better" : "worse";
        };
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (Key key : benchmark.keys()) {
            Optional<Samples> ratios = ratios(key);
            String ours =
                    samples(own, key).map(Samples::median).map(Numbers::format).orElse("-");
            String theirs = samples(other, key)
                    .map(Samples::median)
                    .map(Numbers::format)
                    .orElse("-");
            if (ratios.isEmpty()) {
                rows.add(List.of(key.name(), ours, theirs, "-", "-", "not measured by both", key.meaning()));
                continue;
            }
            Samples found = ratios.get();
            rows.add(List.of(
                    key.name(),
                    ours,
                    theirs,
                    Numbers.format(found.median()),
                    Numbers.format(found.min()) + " .. " + Numbers.format(found.max()),
                    judgement(key, found),
                    key.meaning()));
        }
        return rows;
    }

    /** A table for a terminal, without the meanings. */
    String table() {
        List<List<String>> rows = rows();
        int columns = HEAD.size() - 1;
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** One line for machines: {@code NAME against=COMMIT key=ratio ...}. */
    String line() {
        StringBuilder line =
                new StringBuilder(benchmark.name()).append(" against=").append(commit);
        for (Key key : benchmark.keys()) {
            ratios(key)
                    .ifPresent(ratios ->
                            line.append(' ').append(key.name()).append('=').append(Numbers.format(ratios.median())));
        }
        return line.toString();
    }

    /** The text of a result file. */
    String render(String command, Map<String, String> where) {
        StringBuilder text = new StringBuilder();
        text.append("# ")
                .append(benchmark.name())
                .append(" against ")
                .append(commit)
                .append("\n\n");
        text.append(benchmark.description()).append(". Both programs ran by turns, each turn in a new process: ");
        text.append("medians of ").append(own.size()).append(" turns, and the ratios within a turn.\n\n");
        text.append("    ").append(command).append("\n\n");
        List<List<String>> rows = new ArrayList<>(rows());
        rows.add(1, List.of("---", "---:", "---:", "---:", "---:", "---", "---"));
        rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
        text.append("\n## Turns\n\n");
        for (int i = 0; i < own.size(); i++) {
            text.append("    this   ").append(own.get(i)).append('\n');
            text.append("    other  ").append(other.get(i)).append('\n');
        }
        text.append("\n## Where\n\n");
        where.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        return text.toString();
    }
}

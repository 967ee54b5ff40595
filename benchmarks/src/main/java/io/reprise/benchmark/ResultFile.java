package io.reprise.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Writes {@code benchmarks/results/NAME.md}: the numbers with their spread, the command, and the machine. */
final class ResultFile {
    private ResultFile() {}

    /** Finds out before a long run, rather than after it, that its result could not be kept. */
    static void checkWritable(Path project) {
        Path folder = folder(project);
        try {
            Files.delete(Files.writeString(Files.createTempFile(Files.createDirectories(folder), "try-", ""), "x"));
        } catch (IOException e) {
            throw new UnwritableException("the result of a full run goes to " + folder, e);
        }
    }

    /** Writes beside the file and renames, so that an earlier result stays whole if this one can't be written. */
    static Path write(Path project, Benchmark benchmark, Context context, Result result) {
        Path file = folder(project).resolve(benchmark.name() + ".md");
        Path beside = file.resolveSibling(benchmark.name() + ".md.new");
        try {
            Files.writeString(beside, render(benchmark, context, result, Machine.facts(project)));
            return Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            remove(beside);
            throw new UnwritableException("the result, which is above, was to go to " + file, e);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Where nothing can be written, nothing may be left to remove either.
        }
    }

    private static Path folder(Path project) {
        return project.resolve("benchmarks/results");
    }

    static String render(Benchmark benchmark, Context context, Result result, Map<String, String> machine) {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(benchmark.name()).append("\n\n");
        text.append(benchmark.description()).append(".\n\n");
        text.append("    scripts/bench ").append(benchmark.name());
        context.options()
                .forEach((name, value) ->
                        text.append(" --").append(name).append('=').append(value));
        text.append("\n\n");
        row(text, List.of("key", "median", "min", "max", "samples", "goal", "meaning"));
        row(text, List.of("---", "---:", "---:", "---:", "---:", "---", "---"));
        for (Key key : benchmark.keys()) {
            Samples samples = result.measure(key.name());
            row(
                    text,
                    List.of(
                            key.name(),
                            Numbers.format(samples.median()),
                            Numbers.format(samples.min()),
                            Numbers.format(samples.max()),
                            Integer.toString(samples.count()),
                            goal(key.goal(), samples.median()),
                            key.meaning()));
        }
        result.facts()
                .forEach((name, value) ->
                        text.append("\n- ").append(name).append(": ").append(value));
        if (!result.facts().isEmpty()) {
            text.append('\n');
        }
        for (String remark : result.remarks()) {
            text.append('\n').append(remark).append('\n');
        }
        text.append("\n## Where\n\n");
        machine.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        text.append("- Date: ").append(LocalDate.now(ZoneOffset.UTC)).append('\n');
        return text.toString();
    }

    private static String goal(Key.Goal goal, double median) {
        return goal.exists() ? goal + (goal.metBy(median) ? ": met" : ": **missed**") : "";
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}

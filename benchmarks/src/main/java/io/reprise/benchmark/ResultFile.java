package io.reprise.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes {@code benchmarks/results/NAME.md}: the numbers with their spread, the command, and the machine; and the folder of the
 * result's other files. All of it is written beside what is there and renamed when it is whole, so that an earlier result stays whole if
 * this one can't be written, and no result is a mixture of two.
 */
final class ResultFile {
    private static final String DATE = "Date";

    private final Path folder;
    private final Benchmark benchmark;
    private final Context context;
    private final Result result;
    private final Map<String, String> where;

    /**
     * A file that is to be written.
     *
     * @param where the facts of machine and program
     */
    ResultFile(Path project, Benchmark benchmark, Context context, Result result, Map<String, String> where) {
        folder = folder(project);
        this.benchmark = benchmark;
        this.context = context;
        this.result = result;
        this.where = where;
    }

    /** Finds out before a long run, rather than after it, that its result could not be kept. */
    static void checkWritable(Path project) {
        Path folder = folder(project);
        try {
            Files.delete(Files.writeString(Files.createTempFile(Files.createDirectories(folder), "try-", ""), "x"));
        } catch (IOException e) {
            throw new UnwritableException("the result of a full run goes to " + folder, e);
        }
    }

    /** Replaces what an earlier run has written. Returns the file. */
    Path write() {
        Path file = folder.resolve(benchmark.name() + ".md");
        Path beside = beside(file);
        try {
            Files.writeString(beside, render());
            for (Map.Entry<String, Map<String, String>> files : result.files().entrySet()) {
                writeBeside(folder.resolve(files.getKey()), files.getValue());
            }
            for (String name : result.files().keySet()) {
                replace(folder.resolve(name));
            }
            return Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | UncheckedIOException e) {
            remove(beside);
            result.files().keySet().forEach(name -> remove(beside(folder.resolve(name))));
            IOException cause = e instanceof UncheckedIOException unchecked ? unchecked.getCause() : (IOException) e;
            throw new UnwritableException("the result, which is above, was to go to " + file, cause);
        }
    }

    /** Replaces the file of an earlier comparison, {@code benchmarks/results/against/NAME.md}. Returns the file. */
    static Path writeComparison(Path project, ComparedTurns compared, String command, Map<String, String> where) {
        Path file =
                folder(project).resolve("against").resolve(compared.benchmark().name() + ".md");
        Path beside = beside(file);
        try {
            Files.createDirectories(file.getParent());
            where.put(DATE, today());
            Files.writeString(beside, compared.render(command, where));
            return Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UnwritableException("the result, which is above, was to go to " + file, e);
        }
    }

    private static String today() {
        return LocalDate.now(ZoneOffset.UTC).toString();
    }

    private static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".new");
    }

    private void writeBeside(Path directory, Map<String, String> files) throws IOException {
        Path beside = beside(directory);
        remove(beside);
        Files.createDirectory(beside);
        for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
            String text = file.getValue();
            Files.writeString(
                    beside.resolve(file.getKey()),
                    file.getKey().endsWith(".csv") ? "# " + command(context) + "; " + program() + "\n" + text : text);
        }
    }

    /** Folders can't be replaced in one go; between the two renames there is none, but never half of one. */
    private static void replace(Path directory) throws IOException {
        Path old = directory.resolveSibling(directory.getFileName() + ".old");
        remove(old);
        if (Files.exists(directory)) {
            Files.move(directory, old);
        }
        Files.move(beside(directory), directory);
        remove(old);
    }

    private static void remove(Path file) {
        try {
            if (Files.exists(file)) {
                Folders.remove(file);
            }
        } catch (UncheckedIOException e) {
            // If nothing can be written, there may be nothing to remove either.
        }
    }

    private static Path folder(Path project) {
        return project.resolve("benchmarks/results");
    }

    /** The command line of a run. */
    static String command(Context context) {
        StringBuilder command =
                new StringBuilder("scripts/bench ").append(context.benchmark().name());
        context.options()
                .forEach((name, value) ->
                        command.append(" --").append(name).append('=').append(value));
        return command.toString();
    }

    private String program() {
        return "commit " + where.get(Machine.COMMIT);
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(benchmark.name()).append("\n\n");
        text.append(benchmark.description()).append(".\n\n");
        text.append("    ").append(command(context)).append("\n\n");
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
        where.forEach((name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
        text.append("- ").append(DATE).append(": ").append(today()).append('\n');
        return text.toString();
    }

    private static String goal(Key.Goal goal, double median) {
        return goal.exists() ? goal + (goal.metBy(median) ? ": met" : ": **missed**") : "";
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}

package io.reprise.benchmark.drive;

import io.reprise.benchmark.Machine;
import io.reprise.benchmark.plot.LinePlot;
import io.reprise.benchmark.plot.LinePlot.Axis;
import io.reprise.benchmark.plot.LinePlot.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The report of a run: a Markdown file with the numbers, and drawings of throughput and latency over time. A run with several rates also
 * has a drawing of latency against rate.
 *
 * @param title the workload and its size
 * @param command the command line that repeats the run
 * @param plan the rates, and the lengths of warm-up and measurement
 * @param trials one measurement for each rate
 * @param verdict the result of the checks, as a sentence
 */
record Report(String title, String command, Plan plan, List<Trial> trials, String verdict) {
    private static final double LEAST_MS = 0.001;
    private static final Axis SECONDS = new Axis("seconds", Scale.LINEAR);
    private static final Axis CALLS = new Axis("calls per second", Scale.LINEAR);
    private static final Axis LATENCY = new Axis("milliseconds", Scale.LOGARITHMIC);

    /** Writes NAME.md and the drawings into a folder. Returns the file. */
    Path write(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(name + ".md");
        boolean drawn = trials.stream().anyMatch(trial -> !trial.seconds().isEmpty());
        if (drawn) {
            throughput().write(folder.resolve(name + "-throughput.svg"));
            latency().write(folder.resolve(name + "-latency.svg"));
            if (trials.size() > 1) {
                rates().write(folder.resolve(name + "-rates.svg"));
            }
        }
        return Files.writeString(file, text(name, drawn));
    }

    private String text(String name, boolean drawn) {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(title).append("\n\n    ").append(command).append("\n\n");
        text.append("Each trial: ").append(plan.warmUpSeconds()).append(" s of warm-up");
        text.append(
                trials.size() > 1 ? " before the first, 1 s before each other, then measured. " : ", then measured. ");
        text.append(
                plan.callers() > 0 || plan.rates().equals(List.of(0))
                        ? "Times are from when a call was made to its reply.\n\n"
                        : "Times are from when a call was due to its reply, so a stall counts for every call it delayed.\n\n");
        row(
                text,
                "load",
                "seconds",
                "calls/s",
                "p50 ms",
                "p99 ms",
                "p99.9 ms",
                "longest ms",
                "rolled back",
                "refused",
                "errors");
        row(text, "---", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---:");
        for (Trial trial : trials) {
            Second all = trial.all();
            row(
                    text,
                    plan.describe(trial.rate()) + (trial.fellBehind() ? " (**not reached**)" : ""),
                    format("%.0f", all.at()),
                    format("%.0f", all.perSecond()),
                    format("%.3f", all.p50Ms()),
                    format("%.3f", all.p99Ms()),
                    format("%.3f", all.p999Ms()),
                    format("%.1f", all.longestMs()),
                    String.valueOf(all.rolledBack()),
                    String.valueOf(all.refused()),
                    String.valueOf(all.errors()));
        }
        text.append('\n').append(verdict).append('\n');
        for (Trial trial : trials) {
            if (!trial.byNode().isEmpty()) {
                text.append('\n').append(plan.describe(trial.rate())).append(": ");
                text.append(trial.byNode()).append(".\n");
            }
            if (trial.missed() > 0) {
                text.append('\n').append(plan.describe(trial.rate())).append(": ");
                text.append(trial.saysMissed()).append('\n');
            }
            if (trial.silent()) {
                text.append('\n').append(plan.describe(trial.rate())).append(": ");
                text.append(Trial.SAYS_SILENT).append('\n');
            }
            if (!trial.firstError().isEmpty()) {
                text.append("\nThe first error: ").append(trial.firstError()).append('\n');
            }
        }
        if (drawn) {
            image(text, name, "throughput");
            image(text, name, "latency");
            if (trials.size() > 1) {
                image(text, name, "rates");
            }
        }
        text.append("\n## The client's machine\n\n");
        Machine.facts()
                .forEach((fact, value) -> text.append("- ")
                        .append(fact)
                        .append(": ")
                        .append(value)
                        .append('\n'));
        return text.toString();
    }

    private static void row(StringBuilder text, String... cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static void image(StringBuilder text, String name, String kind) {
        text.append("\n![")
                .append(kind)
                .append("](")
                .append(name)
                .append('-')
                .append(kind)
                .append(".svg)\n");
    }

    private static String format(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }

    private LinePlot throughput() {
        LinePlot plot = new LinePlot(title + ": throughput", SECONDS, CALLS);
        double from = 0;
        for (Trial trial : trials) {
            for (Second second : trial.seconds()) {
                plot.add("answered", from + second.at(), second.perSecond());
                if (trial.rate() > 0) {
                    plot.add("wanted", from + second.at(), trial.rate());
                }
            }
            from += trial.all().at();
        }
        return plot;
    }

    private LinePlot latency() {
        LinePlot plot = new LinePlot(title + ": latency", SECONDS, LATENCY);
        double from = 0;
        for (Trial trial : trials) {
            for (Second second : trial.seconds()) {
                addTimes(plot, from + second.at(), second);
            }
            from += trial.all().at();
        }
        return plot;
    }

    private LinePlot rates() {
        LinePlot plot = new LinePlot(title + ": latency against rate", CALLS, LATENCY);
        trials.forEach(trial -> addTimes(plot, trial.all().perSecond(), trial.all()));
        return plot;
    }

    private static void addTimes(LinePlot plot, double x, Second times) {
        plot.add("p50", x, Math.max(LEAST_MS, times.p50Ms()));
        plot.add("p99", x, Math.max(LEAST_MS, times.p99Ms()));
        plot.add("p99.9", x, Math.max(LEAST_MS, times.p999Ms()));
    }
}

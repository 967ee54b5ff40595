package io.reprise.benchmark;

import io.reprise.benchmark.durable.DurableBenchmarks;
import io.reprise.benchmark.engine.EngineBenchmarks;
import io.reprise.benchmark.node.NodeBenchmarks;
import io.reprise.benchmark.tcp.TcpBenchmarks;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Main class of {@code scripts/bench}. Without arguments lists the benchmarks; otherwise runs one, or tells of it with {@code --help}. Exit code 0: measured;
 * 1: the benchmark failed; 2: the command line was wrong. A missed goal is reported and is no failure, because a busy
 * machine is not a bug.
 */
public final class BenchmarkRunner {
    private final List<Benchmark> benchmarks;
    private final Path project;
    private final PrintStream out;
    private final PrintStream err;

    BenchmarkRunner(List<Benchmark> benchmarks, Path project, PrintStream out, PrintStream err) {
        this.benchmarks = benchmarks;
        this.project = project;
        this.out = out;
        this.err = err;
    }

    /** Every benchmark there is, in the order of the list. */
    static List<Benchmark> all() {
        List<Benchmark> all = new ArrayList<>();
        all.add(new MachineBenchmark());
        all.addAll(EngineBenchmarks.all());
        all.addAll(DurableBenchmarks.all());
        all.addAll(TcpBenchmarks.all());
        all.addAll(NodeBenchmarks.all());
        return List.copyOf(all);
    }

    public static void main(String[] arguments) {
        Path project = Path.of(System.getProperty("reprise.project", "."));
        System.exit(new BenchmarkRunner(all(), project, System.out, System.err).run(arguments));
    }

    int run(String... arguments) {
        if (arguments.length == 0 || asksForHelp(arguments[0])) {
            benchmarks.forEach(this::list);
            return 0;
        }
        Optional<Benchmark> found =
                benchmarks.stream().filter(b -> b.name().equals(arguments[0])).findFirst();
        if (found.isEmpty()) {
            err.println("There is no benchmark '" + arguments[0] + "'. These are:");
            benchmarks.forEach(benchmark -> err.println("  " + benchmark.name()));
            return 2;
        }
        if (Arrays.stream(arguments).anyMatch(BenchmarkRunner::asksForHelp)) {
            list(found.get());
            found.get().keys().forEach(this::list);
            return 0;
        }
        try {
            measure(found.get(), Arrays.asList(arguments).subList(1, arguments.length));
            return 0;
        } catch (UnwritableException e) {
            err.println(arguments[0] + ": " + e.getMessage());
            return 1;
        } catch (UsageException e) {
            err.println(e.getMessage());
            return 2;
        } catch (Exception e) {
            err.println(arguments[0] + " failed:");
            e.printStackTrace(err);
            return 1;
        }
    }

    private static boolean asksForHelp(String argument) {
        return argument.equals("--help") || argument.equals("-h");
    }

    private void list(Benchmark benchmark) {
        int width = benchmarks.stream().mapToInt(b -> b.name().length()).max().orElse(0);
        out.println(benchmark.name() + " ".repeat(width + 3 - benchmark.name().length()) + benchmark.description());
        if (!benchmark.options().isEmpty()) {
            out.println(" ".repeat(width + 3) + Context.optionsOf(benchmark));
        }
    }

    private void list(Key key) {
        String goal = key.goal().exists() ? " (" + key.goal() + ")" : "";
        out.printf(Locale.ROOT, "  %-22s %s%s%n", key.name(), key.meaning(), goal);
    }

    private void measure(Benchmark benchmark, List<String> arguments) throws Exception {
        Context parsed = Context.parse(benchmark, arguments);
        // The class path was built just before: later the folder may have another program.
        Revision measured = Revision.of(project);
        Scratch scratch = Scratch.in(parsed.scratchParent(project.resolve("benchmarks/target")));
        try (scratch) {
            Context context = parsed.in(scratch.folder());
            if (!context.quick()) {
                ResultFile.checkWritable(project);
            }
            Result result = benchmark.run(context);
            result.check(benchmark);
            report(benchmark, result);
            out.println(result.line(benchmark));
            out.flush();
            keep(benchmark, context, result, measured);
        } catch (Exception e) {
            if (!scratch.endedEarly()) {
                throw e;
            }
            // It failed because its processes have been ended, and so is this one.
        }
    }

    private void keep(Benchmark benchmark, Context context, Result result, Revision measured) {
        String change = measured.change(Revision.of(project));
        if (!change.isEmpty()) {
            err.println("Measured: " + measured + "; " + change + ".");
        }
        if (!result.leftOut().isEmpty()) {
            err.println("Only a part was measured, as asked for by " + result.leftOut() + ": no result is written.");
        } else if (!context.quick()) {
            Map<String, String> where = Machine.facts();
            where.put(Machine.COMMIT, change.isEmpty() ? measured.toString() : measured + "; " + change);
            err.println("Written: " + new ResultFile(project, benchmark, context, result, where).write());
        }
    }

    private void report(Benchmark benchmark, Result result) {
        for (Key key : result.measured(benchmark)) {
            Samples samples = result.measure(key.name());
            String missed = key.goal().metBy(samples.median()) ? "" : "   missed: " + key.goal();
            err.printf(Locale.ROOT, "%-32s %s%s%n", key.name(), samples, missed);
        }
    }
}

package io.reprise.benchmark;

import io.reprise.benchmark.adaptive.AdaptiveBenchmarks;
import io.reprise.benchmark.cluster.ClusterBenchmarks;
import io.reprise.benchmark.durable.DurableBenchmarks;
import io.reprise.benchmark.engine.EngineBenchmarks;
import io.reprise.benchmark.node.NodeBenchmarks;
import io.reprise.benchmark.postgres.PostgresBenchmarks;
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
 * Main class of {@code scripts/bench}. It lists the benchmarks, describes one with {@code --help}, runs one, or compares this program
 * with another commit by {@code --against}. Exit code 0: measured; 1: the benchmark failed; 2: the command line was wrong. A missed
 * goal is reported and is no failure, because a busy machine is not a bug.
 */
public final class BenchmarkRunner {
    private static final int TURNS = 4;
    private static final int QUICK_TURNS = 1;

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

    /** Every benchmark in the order of the list. */
    static List<Benchmark> all() {
        List<Benchmark> all = new ArrayList<>();
        all.add(new MachineBenchmark());
        all.addAll(EngineBenchmarks.all());
        all.addAll(DurableBenchmarks.all());
        all.addAll(AdaptiveBenchmarks.all());
        all.addAll(TcpBenchmarks.all());
        all.addAll(PostgresBenchmarks.all());
        all.addAll(NodeBenchmarks.all());
        all.addAll(ClusterBenchmarks.all());
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
            runOrCompare(found.get(), Arrays.asList(arguments).subList(1, arguments.length));
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

    private void runOrCompare(Benchmark benchmark, List<String> arguments) throws Exception {
        List<String> own = new ArrayList<>(arguments);
        Optional<String> against = Context.take("against", own);
        if (against.isEmpty()) {
            measure(benchmark, own);
            return;
        }
        Optional<String> turns = Context.take("turns", own);
        turns.ifPresent(Option.number("turns", 1)::check);
        Context parsed = Context.parse(benchmark, own);
        compare(
                parsed,
                new Against(project, benchmark, own, Against.thisProgram(), err),
                against.get(),
                turns.map(Integer::parseInt).orElse(parsed.quickOr(QUICK_TURNS, TURNS)));
    }

    private void compare(Context context, Against against, String commit, int turns) throws Exception {
        Revision measured = Revision.of(project);
        boolean publish = publishes(context, measured);
        ComparedTurns compared = against.run(commit, turns);
        err.print(compared.table());
        out.println(compared.line());
        out.flush();
        if (publish) {
            Map<String, String> where = Against.where(commitOf(measured), compared);
            String command = ResultFile.command(context) + " --against=" + compared.commit() + " --turns=" + turns;
            err.println("Written: " + ResultFile.writeComparison(project, compared, command, where));
        }
    }

    /** Whether a run's result will be kept. Reasons against it are said before a long run. */
    private boolean publishes(Context context, Revision measured) {
        if (context.quick() || Boolean.getBoolean(Against.PART_OF_COMPARISON)) {
            return false;
        }
        String objection = measured.objection(project);
        if (!objection.isEmpty()) {
            err.println("No result will be written, because " + objection + ".");
            return false;
        }
        ResultFile.checkWritable(project);
        return true;
    }

    private void measure(Benchmark benchmark, List<String> arguments) throws Exception {
        Context parsed = Context.parse(benchmark, arguments);
        // The class path was built just before: later the folder may have another program.
        Revision measured = Revision.of(project);
        Scratch scratch = Scratch.in(parsed.scratchParent(project.resolve("benchmarks/target")));
        try (scratch) {
            Context context = parsed.in(scratch.folder());
            boolean publish = publishes(context, measured);
            Result result = benchmark.run(context);
            result.check(benchmark);
            report(benchmark, result);
            out.println(result.line(benchmark));
            out.flush();
            if (!result.leftOut().isEmpty()) {
                err.println(
                        "Only a part was measured, as asked for by " + result.leftOut() + ": no result is written.");
            } else if (publish) {
                Map<String, String> where = Machine.facts();
                where.put(Machine.COMMIT, commitOf(measured));
                err.println("Written: " + new ResultFile(project, benchmark, context, result, where).write());
            }
        } catch (Exception e) {
            if (!scratch.endedEarly()) {
                throw e;
            }
            // It failed because its processes have been ended, and so is this one.
        }
    }

    /** The commit that was measured, with a remark if the folder has changed since. */
    private String commitOf(Revision measured) {
        String change = measured.change(Revision.of(project));
        if (change.isEmpty()) {
            return measured.toString();
        }
        err.println("Measured: " + measured + "; " + change + ".");
        return measured + "; " + change;
    }

    private void report(Benchmark benchmark, Result result) {
        for (Key key : result.measured(benchmark)) {
            Samples samples = result.measure(key.name());
            String missed = key.goal().metBy(samples.median()) ? "" : "   missed: " + key.goal();
            err.printf(Locale.ROOT, "%-32s %s%s%n", key.name(), samples, missed);
        }
    }
}

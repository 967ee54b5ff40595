package io.reprise.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A comparison of this program with another commit: both run a whole benchmark by turns, each in a new process. Every second turn has
 * the opposite order. Ratios are those of one turn, which cancels slow drifts of the machine.
 */
final class Against {
    /** Set for a run within a comparison, whose result is not a result of its own. */
    static final String PART_OF_COMPARISON = "reprise.bench.turn";

    private final Path project;
    private final Benchmark benchmark;
    private final List<String> arguments;
    private final List<String> own;
    private final PrintStream err;

    /**
     * A comparison to be made.
     *
     * @param arguments the benchmark's options, for both
     * @param own the command that runs this program
     */
    Against(Path project, Benchmark benchmark, List<String> arguments, List<String> own, PrintStream err) {
        this.project = project;
        this.benchmark = benchmark;
        this.arguments = List.copyOf(arguments);
        this.own = List.copyOf(own);
        this.err = err;
    }

    /** Builds the other commit and runs both. */
    ComparedTurns run(String commit, int turns) throws IOException, InterruptedException {
        Checkout other = Checkout.of(project, commit);
        err.println("Building " + other.commit() + " ...");
        other.build(benchmark.name());
        List<String> run = BenchmarkProcess.joined(List.of(benchmark.name()), arguments);
        return run(
                new BenchmarkProcess("this program", BenchmarkProcess.joined(own, run)),
                new BenchmarkProcess("commit " + other.commit(), other.command(run)),
                other.commit(),
                turns);
    }

    private ComparedTurns run(BenchmarkProcess ours, BenchmarkProcess other, String commit, int turns)
            throws IOException, InterruptedException {
        List<String> ownLines = new ArrayList<>();
        List<String> otherLines = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            for (int half = 0; half < 2; half++) {
                boolean isOwn = half == turn % 2;
                BenchmarkProcess process = isOwn ? ours : other;
                err.println("Turn " + (turn + 1) + " of " + turns + ": " + process.name());
                (isOwn ? ownLines : otherLines).add(process.resultLine());
            }
        }
        return new ComparedTurns(benchmark, commit, ownLines, otherLines);
    }

    /** This JVM's own command: a change of the sources after the build does not change the program of later turns. */
    static List<String> thisProgram() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-D" + PART_OF_COMPARISON + "=true");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BenchmarkRunner.class.getName()));
        return command;
    }

    /** Facts of the machine, with both commits. */
    static Map<String, String> where(String own, ComparedTurns compared) {
        Map<String, String> where = Machine.facts();
        where.put(Machine.COMMIT, own);
        where.put("Compared with", compared.commit());
        return where;
    }
}

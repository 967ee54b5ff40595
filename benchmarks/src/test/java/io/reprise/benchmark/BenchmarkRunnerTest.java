package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchmarkRunnerTest {
    private static final Function<Context, Result> MEASURES = context -> new Result()
            .put("tps", new Samples(3000, 1000, 2000))
            .put("p99_us", context.option("p99", 12))
            .fact("consistent", "true");

    private static Function<Context, Result> refusing(String why) {
        return context -> {
            throw new AssertionError(why);
        };
    }

    @TempDir
    private Path project;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldListEachBenchmarkOnALineWhenNothingIsNamed() {
        int code = run(MEASURES);

        assertThat(code).isZero();
        assertThat(text(out)).isEqualTo("sample   Measures nothing\n         --quick --scratch --p99 --mode\n");
    }

    @Test
    void shouldListThemWhenAskedForHelp() {
        int code = run(MEASURES, "--help");

        assertThat(code).isZero();
        assertThat(text(out)).startsWith("sample   Measures nothing\n");
    }

    @Test
    void shouldTellOfOneBenchmarkAndItsGoalsWhenAskedForHelpWithIt() {
        int code = run(refusing("measured when asked for help"), "sample", "--help");

        assertThat(code).isZero();
        assertThat(text(out))
                .startsWith("sample   Measures nothing\n")
                .containsPattern("\n  tps +transactions per second \\(at least 5000\\)\n");
    }

    @Test
    void shouldPrintKeysAndFactsOnTheLastLine() {
        int code = run(MEASURES, "sample", "--quick", "--p99=7");

        assertThat(code).isZero();
        assertThat(text(out)).isEqualTo("sample tps=2000 p99_us=7 consistent=true\n");
        assertThat(project.resolve("benchmarks/results")).doesNotExist();
    }

    @Test
    void shouldWriteSpreadGoalsCommandAndMachineWhenTheRunIsFull() throws IOException {
        run(MEASURES, "sample", "--p99", "12");

        assertThat(Files.readString(project.resolve("benchmarks/results/sample.md")))
                .contains("| tps | 2000 | 1000 | 3000 | 3 | at least 5000: **missed** | transactions per second |")
                .contains("| p99_us | 12 | 12 | 12 | 1 | at most 20: met | latency |")
                .contains("    scripts/bench sample --p99=12\n")
                .contains("- JDK: " + Runtime.version());
        assertThat(text(err)).contains("missed: at least 5000");
    }

    @Test
    void shouldNameTheBenchmarksThereAreWhenTheNameIsUnknown() {
        int code = run(MEASURES, "smaple");

        assertThat(code).isEqualTo(2);
        assertThat(text(err)).contains("no benchmark 'smaple'", "sample");
    }

    @Test
    void shouldRefuseAnOptionThatTheBenchmarkDoesNotHave() {
        int code = run(refusing("measured with an option that is not its own"), "sample", "--quick", "--warehouses=4");

        assertThat(code).isEqualTo(2);
        assertThat(text(err)).isEqualTo("sample has no option --warehouses; it has --quick --scratch --p99 --mode\n");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void shouldRefuseAnOptionValueThatIsNoNumber() {
        int code = run(MEASURES, "sample", "--p99=many");

        assertThat(code).isEqualTo(2);
        assertThat(text(err)).contains("--p99 needs a whole number, not 'many'");
    }

    @Test
    void shouldRefuseAnOptionValueThatIsNoneOfTheChoices() {
        int code = run(context -> MEASURES.apply(choose(context)), "sample", "--mode=SLOW");

        assertThat(code).isEqualTo(2);
        assertThat(text(err)).isEqualTo("--mode is one of [FAST, CAREFUL], not 'SLOW'\n");
    }

    private static Context choose(Context context) {
        context.choice("mode", Mode.FAST);
        return context;
    }

    @Test
    void shouldSayBeforeTheRunThatItsResultCantBeWritten() throws IOException {
        Path inTheWay = Files.createDirectories(project.resolve("benchmarks")).resolve("results");
        writeTo(inTheWay);

        int code = run(refusing("measured although the result can't be kept"), "sample");

        assertThat(code).isEqualTo(1);
        assertThat(text(err))
                .isEqualTo("sample: the result of a full run goes to " + inTheWay + ", which can't be written: "
                        + inTheWay + "; free some space or make the folder writable, and run it again\n");
    }

    @Test
    void shouldPrintTheResultAndKeepTheEarlierOneWhenTheFileCantBeWritten() throws IOException {
        run(MEASURES, "sample");
        Path folder = project.resolve("benchmarks/results");
        String earlier = Files.readString(folder.resolve("sample.md"));

        int code = run(
                context -> {
                    createFolder(folder.resolve("sample.md.new"));
                    return MEASURES.apply(context);
                },
                "sample",
                "--p99=13");

        assertThat(code).isEqualTo(1);
        assertThat(text(out)).endsWith("sample tps=2000 p99_us=13 consistent=true\n");
        assertThat(text(err))
                .contains("sample: the result, which is above, was to go to " + folder.resolve("sample.md"));
        assertThat(Files.readString(folder.resolve("sample.md"))).isEqualTo(earlier);
    }

    private static void createFolder(Path folder) {
        try {
            Files.createDirectory(folder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldFailWhenTheKeysAreNotTheDeclaredOnes() {
        int code = run(context -> new Result().put("tps", 1), "sample", "--quick");

        assertThat(code).isEqualTo(1);
        assertThat(text(err)).contains("[tps, p99_us]");
    }

    @Test
    void shouldRemoveTheScratchFolderWhenTheBenchmarkFails() throws IOException {
        int code = run(
                context -> {
                    writeTo(context.scratch().resolve("file"));
                    throw new IllegalStateException("broken on purpose");
                },
                "sample");

        assertThat(code).isEqualTo(1);
        try (Stream<Path> left = Files.list(project.resolve("benchmarks/target"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldMakeTheScratchFolderWhereItIsTold() throws IOException {
        Path elsewhere = project.resolve("elsewhere");

        int code = run(
                context -> {
                    assertThat(context.scratch()).isDirectory().hasParent(elsewhere);
                    return MEASURES.apply(context);
                },
                "sample",
                "--quick",
                "--scratch=" + elsewhere);

        assertThat(code).isZero();
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void shouldGiveEveryRegisteredBenchmarkADistinctNameAndADescription() {
        assertThat(BenchmarkRunner.all())
                .doesNotHaveDuplicates()
                .extracting(Benchmark::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9]+(-[a-z0-9]+)*"));
        assertThat(BenchmarkRunner.all())
                .allSatisfy(benchmark -> assertThat(benchmark.description()).isNotBlank());
    }

    private int run(Function<Context, Result> body, String... arguments) {
        return new BenchmarkRunner(List.of(new Sample(body)), project, stream(out), stream(err)).run(arguments);
    }

    private static void writeTo(Path file) {
        try {
            Files.writeString(file, "x");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    private enum Mode {
        FAST,
        CAREFUL
    }

    private record Sample(Function<Context, Result> body) implements Benchmark {
        @Override
        public String name() {
            return "sample";
        }

        @Override
        public String description() {
            return "Measures nothing";
        }

        @Override
        public List<Key> keys() {
            return List.of(
                    Key.of("tps", "transactions per second").atLeast(5000),
                    Key.of("p99_us", "latency").atMost(20));
        }

        @Override
        public List<String> options() {
            return List.of("p99", "mode");
        }

        @Override
        public Result run(Context context) {
            return body.apply(context);
        }
    }
}

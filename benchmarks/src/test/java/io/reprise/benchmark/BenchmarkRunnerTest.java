package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "tcp-voter --sites 3; --sites is one of [1, 2], not '3'",
                "tcp-closed --callers 5; --callers is one of [1, 8, 40], not '5'",
                "tcp-voter --rounds 0; --rounds is at least 1, not 0",
                "engine-voter --rounds=-1; --rounds is at least 1, not -1",
                "tcp-connections --idle 0; --idle is at least 1, not 0",
                "soak --load 101; --load is between 1 and 100, not 101",
                "engine-voter --seconds 3000000000; --seconds is between 1 and 2147483647, not 3000000000",
                "log-reuse --logging NONE; --logging is one of [COMMAND, PHYSIOLOGICAL, PHYSIOLOGICAL_FULL], not 'NONE'"
            })
    void shouldRefuseAnOptionValueThatMeansNothingBeforeAnythingIsMeasured(String command, String message) {
        int code = new BenchmarkRunner(BenchmarkRunner.all(), project, stream(out), stream(err))
                .run((command + " --quick").split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(text(err)).isEqualTo(message + "\n");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void shouldTakeTheRowsThatASnapshotIsToHave() {
        int code = new BenchmarkRunner(BenchmarkRunner.all(), project, stream(out), stream(err))
                .run("engine-snapshot", "--quick", "--rows=100");

        assertThat(code).as(text(err)).isZero();
        assertThat(text(out)).contains(" voter_rows=400 ");
    }

    @Test
    void shouldNotLetABenchmarkReadAnOptionThatItDoesNotDeclare() {
        int code = run(
                context -> new Result().put("tps", context.option("speed", 1)).put("p99_us", 1), "sample", "--quick");

        assertThat(code).isEqualTo(1);
        assertThat(text(err)).contains("sample reads the option --speed, which it doesn't declare");
    }

    /** A benchmark declares its options beside the code that reads them; common ones are constants. */
    @Test
    void shouldDeclareEachOptionThatIsRead() throws IOException {
        Map<String, Option> shared =
                Map.of("SECONDS", Option.SECONDS, "ROUNDS", Option.ROUNDS, "WARM_UP", Option.WARM_UP);
        List<Path> files;
        try (Stream<Path> all = Files.walk(Path.of("src/main/java"))) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }

        assertThat(files).hasSizeGreaterThan(50);
        for (Path file : files) {
            String text = Files.readString(file);
            Set<String> read = found("context\\.(?:option|choice)\\(\\s*\"([^\"]+)\"", text);
            Set<String> declared = found("Option\\.\\w+\\(\\s*\"([^\"]+)\"", text);
            shared.forEach((name, option) -> {
                if (text.contains("Option." + name)) {
                    declared.add(option.name());
                }
            });
            assertThat(declared).as(file.toString()).containsAll(read);
        }
    }

    private static Set<String> found(String pattern, String text) {
        Set<String> found = new TreeSet<>();
        Pattern.compile(pattern).matcher(text).results().forEach(match -> found.add(match.group(1)));
        return found;
    }

    @Test
    void shouldTellOnlyWhatWasMeasuredAndKeepTheFileWhenAPartIsAskedFor() throws IOException {
        run(MEASURES, "sample");
        Path file = project.resolve("benchmarks/results/sample.md");
        String earlier = Files.readString(file);

        int code = run(context -> new Result().put("tps", 7).ofPart("--mode FAST"), "sample", "--mode=FAST");

        assertThat(code).isZero();
        assertThat(text(out)).endsWith("sample tps=7\n");
        assertThat(text(err))
                .endsWith("Only a part was measured, as asked for by --mode FAST: no result is written.\n");
        assertThat(Files.readString(file)).isEqualTo(earlier);
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

    @Test
    void shouldNameTheProgramThatWasThereWhenTheRunBegan() throws IOException {
        Path program = Files.writeString(project.resolve("program"), "first");
        git("init", "-q");
        git("add", ".");
        git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "x");

        run(
                context -> {
                    rewrite(program);
                    return MEASURES.apply(context);
                },
                "sample");

        assertThat(text(err)).containsPattern("Measured: [0-9a-f]{12}; the folder was changed during the run");
        assertThat(Files.readString(project.resolve("benchmarks/results/sample.md")))
                .containsPattern("- Commit: [0-9a-f]{12}; the folder was changed during the run");
    }

    @Test
    void shouldSayBeforeTheRunThatNoResultOfUncommittedChangesIsWritten() throws IOException {
        Path program = Files.writeString(project.resolve("program"), "first");
        git("init", "-q");
        git("add", ".");
        git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "x");
        rewrite(program);

        int code = run(
                context -> {
                    assertThat(text(err))
                            .isEqualTo("No result will be written, because the folder has uncommitted changes.\n");
                    return MEASURES.apply(context);
                },
                "sample");

        assertThat(code).as(text(err)).isZero();
        assertThat(text(out)).contains("sample tps=2000");
        assertThat(project.resolve("benchmarks/results")).doesNotExist();
    }

    @Test
    void shouldRefuseAComparisonWithoutACommit() {
        assertThat(run(refusing("measured without the other commit"), "sample", "--against"))
                .isEqualTo(2);
        assertThat(text(err)).isEqualTo("--against needs a value\n");
    }

    private static void rewrite(Path file) {
        try {
            Files.writeString(file, "second");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void git(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(project.toFile())
                .inheritIO()
                .start();
        assertThat(process.onExit().join().exitValue()).isZero();
    }

    private static Result withFiles(Context context, String text) {
        return MEASURES.apply(context)
                .file("drawn", "a.csv", "x,y\n" + text + "\n")
                .file("drawn", "a.svg", text);
    }

    @Test
    void shouldReplaceAllFilesOfAnEarlierRunAndSayInTheDataWhatTheyAreOf() throws IOException {
        Path drawn = project.resolve("benchmarks/results/drawn");
        run(context -> withFiles(context, "1").file("drawn", "b.csv", "gone"), "sample");

        run(context -> withFiles(context, "2"), "sample", "--p99=13");

        assertThat(drawn.toFile().list()).containsExactlyInAnyOrder("a.csv", "a.svg");
        assertThat(Files.readString(drawn.resolve("a.csv")))
                .isEqualTo("# scripts/bench sample --p99=13; commit unknown\nx,y\n2\n");
        assertThat(Files.readString(drawn.resolve("a.svg"))).isEqualTo("2");
        assertThat(drawn.getParent().toFile().list()).containsExactlyInAnyOrder("drawn", "sample.md");
    }

    @Test
    void shouldKeepAllOfTheEarlierRunWhenAFileCantBeWritten() throws IOException {
        run(context -> withFiles(context, "1"), "sample");
        Path results = project.resolve("benchmarks/results");
        String earlier = Files.readString(results.resolve("sample.md"));

        int code =
                run(context -> withFiles(context, "2").file("drawn", "no/such/folder.csv", ""), "sample", "--p99=13");

        assertThat(code).isEqualTo(1);
        assertThat(Files.readString(results.resolve("drawn/a.svg"))).isEqualTo("1");
        assertThat(Files.readString(results.resolve("sample.md"))).isEqualTo(earlier);
        assertThat(results.toFile().list()).containsExactlyInAnyOrder("drawn", "sample.md");
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
        public List<Option> options() {
            return List.of(Option.number("p99", 1, 50), Option.oneOf("mode", Mode.values()));
        }

        @Override
        public Result run(Context context) {
            return body.apply(context);
        }
    }
}

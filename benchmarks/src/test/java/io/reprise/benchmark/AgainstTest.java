package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons of two commits of a repository whose benchmark is a shell script. */
final class AgainstTest {
    private static final Benchmark SAMPLE = new Benchmark() {
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
                    Key.of("tps", "transactions per second").atLeast(1),
                    Key.of("ms", "time"),
                    Key.of("news", "only here"));
        }

        @Override
        public Result run(Context context) {
            throw new AssertionError("measured in this process");
        }
    };

    @TempDir
    Path folder;

    private Path project;
    private Path log;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void makeProject() throws Exception {
        project = Files.createDirectory(folder.resolve("project"));
        log = folder.resolve("log");
        git("init", "-q", "-b", "main");
        Files.writeString(project.resolve(".gitignore"), "target/\n");
        bench(200, 10);
        commit("first");
        git("tag", "before");
        bench(100, 10.1);
        commit("second");
    }

    /** A script that lists its benchmark, or notes its run and prints a result. */
    private void bench(double tps, double ms) throws IOException {
        Path script = Files.createDirectories(project.resolve("scripts")).resolve("bench");
        Files.writeString(
                script,
                "#!/usr/bin/env bash\nif [ $# -eq 0 ]; then echo 'sample   Measures'; exit 0; fi\n" + "echo \"" + tps
                        + " $*\" >> '" + log + "'\nif [ -e '" + folder.resolve("fail") + "' ]; then exit 3; fi\n"
                        + "echo sample tps=" + tps + " ms=" + ms + " consistent=true\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void commit(String message) throws Exception {
        git("add", ".");
        git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--no-verify", "-m", message);
    }

    private void git(String... arguments) throws Exception {
        assertThat(new Git(project).output(arguments))
                .as(List.of(arguments).toString())
                .isPresent();
    }

    private Against against(String... options) {
        return new Against(
                project,
                SAMPLE,
                List.of(options),
                List.of(project.resolve("scripts/bench").toString()),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void shouldRunBothByTurnsAndEverySecondTurnTheOtherWayRound() throws Exception {
        against("--quick", "--rows=5").run("before", 3);

        assertThat(Files.readAllLines(log))
                .extracting(line -> line.substring(0, 5))
                .containsExactly("100.0", "200.0", "200.0", "100.0", "100.0", "200.0");
        assertThat(Files.readAllLines(log)).allMatch(line -> line.endsWith(" sample --quick --rows=5"));
    }

    @Test
    void shouldDivideKeyByKeyAndSayWhatOneOfThemDoesNotMeasure() throws Exception {
        ComparedTurns compared = against().run("before", 3);

        Map<String, Double> ratios = BenchmarkProcess.numbers(compared.line());
        assertThat(compared.line()).startsWith("sample against=" + compared.commit() + " tps=0.5 ms=1.01");
        assertThat(ratios).doesNotContainKey("news");
        assertThat(ratios.get("tps")).isEqualTo(0.5);
        assertThat(ratios.get("ms")).isCloseTo(1.01, within(0.0001));
        assertThat(compared.table())
                .containsPattern("tps +100 +200 +0.5 +0.5 .. 0.5 +worse\n")
                .containsPattern("ms +10.1 +10 +1.01 +1.01 .. 1.01 +within 2%\n")
                .containsPattern("news +- +- +- +- +not measured by both\n");
    }

    @Test
    void shouldNotJudgeADifferenceThatNotEveryTurnShows() {
        ComparedTurns compared = new ComparedTurns(
                SAMPLE,
                "abc",
                List.of("sample tps=90 ms=0", "sample tps=120 ms=0", "sample tps=130 ms=0"),
                List.of("sample tps=100 ms=0", "sample tps=100 ms=0", "sample tps=100 ms=0"));

        assertThat(compared.table())
                .containsPattern("tps +120 +100 +1.2 +0.9 .. 1.3 +unclear\n")
                .containsPattern("ms +0 +0 +1 +1 .. 1 +within 2%\n");
    }

    @Test
    void shouldUseTheWorktreeAgainAndMakeItAnewWhenItWasRemoved() throws Exception {
        against().run("before", 1);
        String commit =
                new Git(project).output("rev-parse", "--short=12", "before").orElseThrow();
        Path worktree = project.resolve("benchmarks/target/against").resolve(commit);
        Files.writeString(worktree.resolve("mark"), "x");

        against().run("before", 1);

        assertThat(worktree.resolve("mark")).exists();
        Folders.remove(project.resolve("benchmarks/target"));
        assertThat(against().run("before", 1).other()).containsExactly("sample tps=200.0 ms=10.0 consistent=true");
    }

    @Test
    void shouldRefuseACommitThatGitDoesNotKnow() {
        assertThatThrownBy(() -> against().run("nowhere", 1))
                .isInstanceOf(UsageException.class)
                .hasMessage("--against needs a commit; git knows no 'nowhere'");
    }

    @Test
    void shouldSayWhichRunFailed() throws Exception {
        Files.writeString(folder.resolve("fail"), "");

        assertThatThrownBy(() -> against().run("before", 1))
                .hasMessageStartingWith("the run of this program ended with exit code 3: ");
    }

    @Test
    void shouldWriteBothCommitsTheCommandAndEachTurn() throws Exception {
        ComparedTurns compared = against().run("before", 2);
        Revision revision = Revision.of(project);

        Path file = ResultFile.writeComparison(
                project,
                compared,
                "scripts/bench sample --against=before",
                new LinkedHashMap<>(Against.where(revision.toString(), compared)));

        assertThat(file).isEqualTo(project.resolve("benchmarks/results/against/sample.md"));
        assertThat(Files.readString(file))
                .contains("    scripts/bench sample --against=before\n")
                .contains("| tps | 100 | 200 | 0.5 | 0.5 .. 0.5 | worse | transactions per second |")
                .contains("    this   sample tps=100.0 ms=10.1 consistent=true\n")
                .contains("- Commit: " + revision + "\n")
                .contains("- Compared with: " + compared.commit() + "\n")
                .containsPattern("- Date: \\d{4}-\\d\\d-\\d\\d\n");
    }
}

package io.reprise.prose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Documents quote results as they are, and results come from clean commits of this history unless the list of exceptions
 * names them. {@code -Dreprise.figures=write} puts today's results into the documents.
 */
final class FiguresTest {
    private static final Path RESULTS = ProseTest.ROOT.resolve("benchmarks/results");
    private static final Path EXCEPTIONS = ProseTest.ROOT.resolve("docs/performance/results.md");
    private static final Pattern COMMIT = Pattern.compile("(?m)^- Commit: (\\S+)( with uncommitted changes)?$");
    private static final Pattern AGAINST = Pattern.compile("^# \\S+ against (\\S+)");
    private static final Pattern EXCEPTION = Pattern.compile("(?m)^\\| `([a-z0-9/-]+)` \\| exception");

    @TempDir
    Path folder;

    @Test
    void shouldQuoteFiguresAsMeasured() throws IOException {
        Figures figures = new Figures(RESULTS);
        long marks = 0;
        for (Path document : documents()) {
            String text = Files.readString(document);
            if ("write".equals(System.getProperty("reprise.figures"))) {
                text = figures.refreshed(text);
                Files.writeString(document, text);
            }
            marks += Figures.count(text);
            assertThat(figures.differences(text)).as(document.toString()).isEmpty();
        }

        assertThat(marks).isGreaterThan(50);
    }

    @Test
    void shouldListResultsThatAreNotOfACleanCommit() throws Exception {
        assumeTrue(git("rev-parse", "--is-shallow-repository").equals("false"), "needs the history of the project");
        Set<String> found = new TreeSet<>();
        for (Path file : results()) {
            if (!isOfACleanCommit(Files.readString(file))) {
                found.add(RESULTS.relativize(file).toString().replace(".md", ""));
            }
        }

        Set<String> listed = new TreeSet<>();
        EXCEPTION.matcher(Files.readString(EXCEPTIONS)).results().forEach(name -> listed.add(name.group(1)));
        assertThat(found).isEqualTo(listed);
    }

    @Test
    void shouldNoticeAResultOfAnotherCommit() throws Exception {
        assumeTrue(git("rev-parse", "--is-shallow-repository").equals("false"), "needs the history of the project");
        String commit = git("rev-parse", "HEAD");

        assertThat(isOfACleanCommit("# engine-x\n\n- Commit: " + commit + "\n")).isTrue();
        assertThat(isOfACleanCommit("# engine-x\n\n- Commit: " + commit + " with uncommitted changes\n"))
                .isFalse();
        assertThat(isOfACleanCommit("# engine-x\n\n- Commit: 0123456789ab\n")).isFalse();
        assertThat(isOfACleanCommit("# engine-x against 0123456789ab\n\n- Commit: " + commit + "\n"))
                .isFalse();
        assertThat(isOfACleanCommit("# engine-x\n")).isFalse();
    }

    @Test
    void shouldFindAFigureThatDiffers() throws IOException {
        Files.writeString(folder.resolve("run.md"), """
                | key | median | min | max | samples |
                | --- | ---: | ---: | ---: | ---: |
                | tps | 553353 | 550000 | 560000 | 3 |
                | base | 1106706 | 1 | 2 | 3 |
                """);
        Files.writeString(folder.resolve("run.csv"), "# by hand\nlog,rate,tps\nnone,1.000,1340934\nnone,2.000,7\n");
        Figures figures = new Figures(folder);

        assertThat(figures.differences("553,000<!-- figure run tps --> 553,400<!-- figure run tps -->"))
                .isEmpty();
        assertThat(figures.differences("0.50<!-- figure run tps / run base --> 560<!-- figure run tps max / 1000 -->"))
                .isEmpty();
        assertThat(figures.differences("7<!-- figure run.csv tps none,2.000 -->"))
                .isEmpty();
        assertThat(figures.differences("554,000<!-- figure run tps -->")).hasSize(1);
        assertThat(figures.differences("no figure<!-- figure run tps -->")).hasSize(1);
        assertThat(figures.refreshed("a 0.61<!-- figure run tps / run base --> b"))
                .isEqualTo("a 0.50<!-- figure run tps / run base --> b");
        assertThatThrownBy(() -> figures.differences("1<!-- figure run none -->"))
                .hasMessageContaining("no key none");
    }

    /** The results of benchmarks, and of comparisons with earlier commits. */
    private static List<Path> results() throws IOException {
        try (Stream<Path> files = Files.walk(RESULTS, 2)) {
            return files.filter(file ->
                            file.getParent().equals(RESULTS) || file.getParent().endsWith("against"))
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static boolean isOfACleanCommit(String result) throws IOException, InterruptedException {
        Matcher commit = COMMIT.matcher(result);
        Matcher other = AGAINST.matcher(result);
        return commit.find()
                && commit.group(2) == null
                && isAncestor(commit.group(1))
                && (!other.find() || isAncestor(other.group(1)));
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        documents.add(ProseTest.ROOT.resolve("README.md"));
        documents.add(ProseTest.ROOT.resolve("ARCHITECTURE.md"));
        try (Stream<Path> files = Files.walk(ProseTest.ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
        }
        return documents;
    }

    private static boolean isAncestor(String commit) throws IOException, InterruptedException {
        return run("merge-base", "--is-ancestor", commit, "HEAD").waitFor() == 0;
    }

    private static String git(String... arguments) throws IOException, InterruptedException {
        Process git = run(arguments);
        String printed = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? printed : "failed";
    }

    private static Process run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(ProseTest.ROOT.toFile())
                .redirectErrorStream(true)
                .start();
    }
}

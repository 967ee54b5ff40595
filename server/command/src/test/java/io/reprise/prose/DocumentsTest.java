package io.reprise.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents name existing tests, link to existing files and headings, and number decisions without gaps. */
final class DocumentsTest {
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+Test)(?:#(should[A-Za-z]+))?`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Path ROOT = ProseTest.ROOT;
    private static final Path DOCUMENTS = ROOT.resolve("docs");

    @Test
    void shouldNameTestsThatThereAre() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (Path module : List.of(ROOT.resolve("server"), ROOT.resolve("client"), ROOT.resolve("procedures"))) {
            for (Path file : files(module, "Test.java")) {
                tests.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
            }
        }

        for (String name : List.of("guarantees.md", "fault-model.md", "durability.md")) {
            String text = Files.readString(files(DOCUMENTS, "/" + name).getFirst());
            assertThat(TEST.matcher(text).results().count()).as(name).isGreaterThan(15);
            for (Matcher named = TEST.matcher(text); named.find(); ) {
                assertThat(tests).as(name).containsKey(named.group(1));
                if (named.group(2) != null) {
                    assertThat(tests.get(named.group(1)))
                            .as("%s: %s", name, named.group())
                            .contains("void " + named.group(2) + "(");
                }
            }
        }
    }

    @Test
    void shouldLinkToFilesAndHeadingsThatThereAre() throws IOException {
        for (Path document : documents()) {
            for (Matcher link = LINK.matcher(Files.readString(document)); link.find(); ) {
                Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                assertThat(target).as("a link in %s", document).exists();
                if (link.group(2) != null) {
                    assertThat(headings(target)).as("a link in %s", document).contains(link.group(2));
                }
            }
        }
    }

    @Test
    void shouldLeadToEveryDocument() throws IOException {
        Set<Path> linked = new HashSet<>();
        for (Path document : documents()) {
            for (Matcher link = LINK.matcher(Files.readString(document)); link.find(); ) {
                linked.add(document.resolveSibling(link.group(1)).normalize());
            }
        }

        assertThat(files(DOCUMENTS, ".md").stream().map(Path::normalize)).isSubsetOf(linked);
    }

    @Test
    void shouldNumberDecisionsWithoutGaps() throws IOException {
        List<Path> decisions = files(DOCUMENTS.resolve("adr"), ".md").stream()
                .filter(file -> !file.endsWith("README.md"))
                .sorted()
                .toList();

        assertThat(decisions.stream().map(file -> file.getFileName().toString().substring(0, 4)))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, decisions.size())
                        .mapToObj("%04d"::formatted)
                        .toList());
        for (Path decision : decisions) {
            assertThat(Files.readString(decision))
                    .as(decision.toString())
                    .containsPattern("^# "
                            + Integer.parseInt(decision.getFileName().toString().substring(0, 4)) + "\\. ")
                    .containsPattern("\nStatus: (accepted|superseded)");
        }
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>(files(DOCUMENTS, ".md"));
        for (String name : List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
            documents.add(ROOT.resolve(name));
        }
        documents.addAll(files(ROOT.resolve("benchmarks/results"), ".md"));
        return documents;
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private static List<String> headings(Path document) throws IOException {
        return HEADING.matcher(Files.readString(document))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .toList();
    }
}

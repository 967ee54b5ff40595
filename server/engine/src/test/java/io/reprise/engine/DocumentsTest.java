package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents that say what tests show name tests that there are, and link to files that there are. */
final class DocumentsTest {
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+Test)(?:#(should[A-Za-z]+))?`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    private static final Path DOCUMENTS = Path.of("..", "..", "docs");

    @Test
    void shouldNameTestsThatThereAre() throws IOException {
        Map<String, String> tests = new HashMap<>();
        for (String module : List.of(
                "client", "procedures/api", "procedures/workloads", "server/engine", "server/node", "server/command")) {
            try (Stream<Path> files = Files.walk(Path.of("..", "..", module, "src/test/java"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
                    tests.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                }
            }
        }

        for (String name : List.of("guarantees.md", "fault-model.md", "durability.md")) {
            String text = Files.readString(DOCUMENTS.resolve(name));
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
    void shouldLinkToFilesThatThereAre() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String name : List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")) {
            documents.add(Path.of("..", "..", name));
        }
        try (Stream<Path> files = Files.walk(DOCUMENTS)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
        }
        for (Path document : documents) {
            for (Matcher link = LINK.matcher(Files.readString(document)); link.find(); ) {
                assertThat(document.resolveSibling(link.group(1)))
                        .as("a link in %s", document)
                        .exists();
            }
        }
    }
}

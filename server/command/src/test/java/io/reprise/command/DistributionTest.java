package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents of an unpacked distribution. */
final class DistributionTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

    @TempDir
    Path root;

    @Test
    void shouldHaveEveryFileThatItsDocumentsLinkTo() throws Exception {
        copyDocuments();

        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path document : documents()) {
            for (Matcher link = LINK.matcher(Files.readString(document)); link.find(); links++) {
                if (!Files.exists(document.resolveSibling(link.group(1)))) {
                    dead.add(root.relativize(document) + ": " + link.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(links).isGreaterThan(100);
        assertThat(root.resolve("samples/node.yaml")).exists();
    }

    private List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".md")).toList();
        }
    }

    private void copyDocuments() throws Exception {
        Process copy = new ProcessBuilder("../../scripts/packaging/documents", root.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(copy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(copy.waitFor()).as(said).isZero();
    }
}

package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The commands in documents have subcommands, options and values that the program takes. They are read here, and not run. */
final class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("../..");

    /** A line of an example: behind a pipe, or at its beginning. */
    private static final Pattern EXAMPLE =
            Pattern.compile("(?m)^ {4}(?:[^\\n|]*\\| )?(?:scripts/|bin/)?reprise ([a-z][^\\n]*)$");

    /** The end of an example's command: a remark behind spaces, a pipe, a redirection. */
    private static final Pattern END = Pattern.compile(" {2,}.*| [|>&] ?.*| #.*");

    private static final Pattern ARGUMENT = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private final List<String> wrong = new ArrayList<>();
    private int read;

    @Test
    void shouldTakeTheCommandsOfAllDocuments() throws IOException {
        for (Path document : documents()) {
            for (Matcher example = EXAMPLE.matcher(Files.readString(document)); example.find(); ) {
                // The benchmarks are another module's, which this one does not know.
                if (!example.group(1).startsWith("bench ")) {
                    take(document, example.group(1));
                }
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(read).isGreaterThan(50);
    }

    private void take(Path document, String text) {
        List<String> arguments = new ArrayList<>();
        for (Matcher each = ARGUMENT.matcher(END.matcher(text).replaceFirst("")); each.find(); ) {
            arguments.add(each.group().replaceAll("^['\"]|['\"]$", ""));
        }
        read++;
        try {
            line().parseArgs(arguments.toArray(String[]::new));
        } catch (ParameterException e) {
            wrong.add(document + ": reprise " + text + ": " + e.getMessage());
        }
    }

    private static CommandLine line() {
        return RepriseCommand.line();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            List<Path> documents = new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(".md")).toList());
            documents.add(ROOT.resolve("README.md"));
            return documents;
        }
    }
}

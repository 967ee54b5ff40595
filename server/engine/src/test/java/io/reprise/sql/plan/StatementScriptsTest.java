package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scripts in {@code resources/io/reprise/sql/statements}: each statement gives the rows, or the error, that stands
 * behind it, in one partition and in three. {@link StatementScript} describes the notation.
 */
final class StatementScriptsTest {
    private static final Path SCRIPTS = Path.of("src/test/resources/io/reprise/sql/statements");

    static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.list(SCRIPTS)) {
            List<Path> scripts = files.sorted().toList();
            assertThat(scripts).hasSizeGreaterThan(10);
            return scripts;
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void shouldGiveWhatTheScriptSays(Path file) throws IOException {
        StatementScript script = StatementScript.of(Files.readString(file));

        String actual = script.run(1);

        assertThat(actual).isEqualTo(script.text());
        assertThat(script.run(3)).as("in three partitions").isEqualTo(script.text());
    }
}

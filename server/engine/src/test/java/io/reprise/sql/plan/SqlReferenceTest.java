package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples in {@code docs/reference/sql} about expressions and plans: those of a page are one script, see {@link StatementScript}. */
final class SqlReferenceTest {
    private static final Path PAGES = Path.of("../../docs/reference/sql");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```sql\\n(.*?)```");

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            List<Path> pages = files.filter(Files::isRegularFile).sorted().toList();
            assertThat(pages).hasSizeGreaterThan(4);
            return pages;
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldGiveWhatThePageSays(Path page) throws IOException {
        String examples = EXAMPLE.matcher(Files.readString(page))
                .results()
                .map((MatchResult example) -> example.group(1))
                .collect(Collectors.joining());
        assertThat(examples).isNotEmpty();
        StatementScript script = StatementScript.of(examples);

        assertThat(script.run(1)).isEqualTo(script.text());
        assertThat(script.run(3)).as("in three partitions").isEqualTo(script.text());
    }
}

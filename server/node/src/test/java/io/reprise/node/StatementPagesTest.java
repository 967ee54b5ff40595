package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Ddl;
import io.reprise.client.ErrorCode;
import io.reprise.session.ClientStatement;
import io.reprise.sql.parse.SqlScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages in {@code docs/reference/sql/statements}: each statement has one, and their examples give what the pages say. */
final class StatementPagesTest {
    private static final Path REFERENCE = Path.of("../../docs/reference/sql");
    private static final Path PAGES = REFERENCE.resolve("statements");
    private static final Pattern SYNOPSIS = Pattern.compile("(?s)```\\n(.*?)```");
    private static final Pattern ERROR = Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]*)\\| ([^|]*)\\|$");
    private static final Pattern CODE = Pattern.compile("\\b[A-Z]{3}[A-Z_]+\\b");
    private static final Pattern STATE =
            Pattern.compile("[0-9A-Z]{5}(, [0-9A-Z]{5})*|that of the (query|statement)|SQLSTATE");

    /** Words that begin no statement that works. */
    private static final Set<String> REFUSED = Set.of("MERGE");

    /** Changes that are actions of ALTER TABLE. */
    private static final Set<Class<?>> OF_ALTER_TABLE = Set.of(
            Ddl.AddCheck.class,
            Ddl.AddColumn.class,
            Ddl.AddForeignKey.class,
            Ddl.AddKey.class,
            Ddl.DropColumn.class,
            Ddl.DropConstraint.class,
            Ddl.RenameColumn.class,
            Ddl.RenameTable.class,
            Ddl.SetDefault.class,
            Ddl.SetLogging.class,
            Ddl.SetNotNull.class,
            Ddl.SetType.class);

    @TempDir
    private Path folder;

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldGiveWhatThePageSays(Path document) throws Exception {
        StatementPage page = StatementPage.read(document);

        assertThat(page.size()).isPositive();
        assertThat(page.run(1, folder.resolve("one"))).isEqualTo(page.text());
        assertThat(page.run(3, folder.resolve("three")))
                .as("in three partitions")
                .isEqualTo(page.text());
    }

    @Test
    void shouldDescribeEachStatement() throws IOException {
        Set<String> described = new TreeSet<>(REFUSED);
        for (Path page : pages()) {
            synopsis(page).lines().flatMap(StatementPagesTest::firstWords).forEach(described::add);
        }

        assertThat(described).containsAll(SqlScript.beginnings());
        assertThat(described).containsAll(ClientStatement.beginnings());
    }

    @Test
    void shouldDescribeEachChangeOfTheSchema() {
        for (Class<?> change : Ddl.class.getPermittedSubclasses()) {
            if (!OF_ALTER_TABLE.contains(change) && change != Ddl.Several.class) {
                String name = change.getSimpleName()
                        .replaceAll("([a-z])([A-Z])", "$1-$2")
                        .toLowerCase(Locale.ROOT);
                assertThat(PAGES.resolve(name + ".md")).exists();
            }
        }
    }

    @Test
    void shouldListEachPageInTheOverview() throws IOException {
        String overview = Files.readString(REFERENCE.resolve("README.md"));

        for (Path page : pages()) {
            assertThat(overview).contains("](statements/" + page.getFileName() + ")");
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldHaveTheSamePartsInEachPage(Path page) throws IOException {
        String text = Files.readString(page);

        assertThat(text).startsWith("# ").contains("\n## Errors\n").contains("\nSee also: ");
        assertThat(synopsis(page)).isNotBlank();
        Set<String> codes = new TreeSet<>();
        Arrays.stream(ErrorCode.values()).map(Enum::name).forEach(codes::add);
        for (Matcher error = ERROR.matcher(errors(text)); error.find(); ) {
            assertThat(codes)
                    .containsAll(CODE.matcher(error.group(1))
                            .results()
                            .map(code -> code.group())
                            .toList());
            assertThat(error.group(2).strip()).matches(STATE);
        }
    }

    private static String errors(String text) {
        return text.substring(text.indexOf("\n## Errors\n"));
    }

    private static String synopsis(Path page) throws IOException {
        Matcher synopsis = SYNOPSIS.matcher(Files.readString(page));
        return synopsis.find() ? synopsis.group(1) : "";
    }

    /** The words that a line of a synopsis begins with: several in braces, and one without. */
    private static Stream<String> firstWords(String line) {
        String[] heads =
                line.startsWith("{") ? line.substring(1, line.indexOf('}')).split("\\|") : new String[] {line};
        return Arrays.stream(heads)
                .filter(head -> !line.startsWith(" "))
                .map(head -> head.strip().replaceFirst("^\\[", "").split("[^A-Z]")[0]);
    }
}

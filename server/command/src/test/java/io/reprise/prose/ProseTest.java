package io.reprise.prose;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.prose.Passage.Clause;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bounds the clauses that open with What, Who, Whoever, Where, That, Which or How, the sentences of more than 25 words, and
 * the words for nobody in particular. A bound is a share in percent; of messages it is a count. A change may lower a bound
 * and never raise it.
 */
final class ProseTest {
    private static final double RIDDLES_IN_COMMENTS = 0.02;
    private static final double RIDDLES_IN_TEST_COMMENTS = 0.06;
    private static final double RIDDLES_IN_DOCUMENTS = 0.4;
    private static final int RIDDLES_IN_MESSAGES = 2;
    private static final int SENTENCES_WITHOUT_NOUN = 2;
    private static final double LONG_IN_COMMENTS = 4.8;
    private static final double LONG_IN_DOCUMENTS = 3.6;

    private static final int SHOWN_FILES = 15;
    private static final int SHOWN_CLAUSES = 30;
    private static final Pattern RIDDLE_IN_MESSAGE =
            Pattern.compile("(?:^|[.!?;:]\\s)(?:What|Who|Whoever|Where|That|Which|How)\\b");
    private static final Pattern NO_NOUN =
            Pattern.compile("\\b(?:nobody|somebody|anybody|everybody|whoever)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern RIDDLE_AS_NAME =
            Pattern.compile("void (?:what|who|whoever|where|that|which|how)[A-Z]");
    static final Path ROOT = root();

    private static final List<Passage> COMMENTS = new ArrayList<>();
    private static final List<Passage> TEST_COMMENTS = new ArrayList<>();
    private static final List<Passage> MESSAGES = new ArrayList<>();
    private static final List<Passage> DOCUMENTS = new ArrayList<>();
    private static final List<Clause> TEST_NAMES = new ArrayList<>();

    @BeforeAll
    static void read() throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skipped = !folder.equals(ROOT) && (name.startsWith(".") || name.equals("target"));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                read(file, ROOT.relativize(file));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void read(Path file, Path shown) throws IOException {
        String name = shown.toString();
        if (name.endsWith(".md") && !name.startsWith("benchmarks/results")) {
            DOCUMENTS.add(MarkdownText.read(file, shown));
        } else if (name.endsWith(".java") && name.contains("src/main/java")) {
            JavaText text = JavaText.read(file, shown);
            COMMENTS.addAll(text.comments());
            MESSAGES.addAll(text.strings());
        } else if (name.endsWith(".java") && name.contains("src/test/java")) {
            TEST_COMMENTS.addAll(JavaText.read(file, shown).comments());
            Matcher names = RIDDLE_AS_NAME.matcher(Files.readString(file));
            while (names.find()) {
                TEST_NAMES.add(new Clause(shown, 1, names.group()));
            }
        }
    }

    @Test
    void shouldOpenClausesOfCommentsWithASubject() {
        assertShare(
                COMMENTS.stream().flatMap(text -> text.clauses().stream()).toList(),
                Clause::isRiddle,
                RIDDLES_IN_COMMENTS);
    }

    @Test
    void shouldOpenClausesOfTestCommentsWithASubject() {
        assertShare(
                TEST_COMMENTS.stream().flatMap(text -> text.clauses().stream()).toList(),
                Clause::isRiddle,
                RIDDLES_IN_TEST_COMMENTS);
    }

    @Test
    void shouldOpenClausesOfDocumentsWithASubject() {
        assertShare(
                DOCUMENTS.stream().flatMap(text -> text.clauses().stream()).toList(),
                Clause::isRiddle,
                RIDDLES_IN_DOCUMENTS);
    }

    @Test
    void shouldKeepSentencesOfCommentsShort() {
        assertShare(
                COMMENTS.stream().flatMap(text -> text.sentences().stream()).toList(),
                Clause::isLong,
                LONG_IN_COMMENTS);
    }

    @Test
    void shouldKeepSentencesOfDocumentsShort() {
        assertShare(
                DOCUMENTS.stream().flatMap(text -> text.sentences().stream()).toList(),
                Clause::isLong,
                LONG_IN_DOCUMENTS);
    }

    @Test
    void shouldOpenMessagesWithASubject() {
        List<Clause> found = MESSAGES.stream()
                .filter(text -> RIDDLE_IN_MESSAGE.matcher(text.text()).find())
                .map(text -> new Clause(text.file(), text.line(), text.text()))
                .toList();

        assertThat(found.size()).as(report(found)).isLessThanOrEqualTo(RIDDLES_IN_MESSAGES);
    }

    /** Comments name the client, thread or node that they mean. */
    @Test
    void shouldNameActorsInComments() {
        List<Clause> found = COMMENTS.stream()
                .flatMap(text -> text.sentences().stream())
                .filter(sentence -> NO_NOUN.matcher(sentence.text()).find())
                .toList();

        assertThat(found.size()).as(report(found)).isLessThanOrEqualTo(SENTENCES_WITHOUT_NOUN);
    }

    @Test
    void shouldNameTestsByWhatShouldHappen() {
        assertThat(TEST_NAMES).isEmpty();
    }

    private static void assertShare(List<Clause> clauses, Predicate<Clause> broken, double bound) {
        List<Clause> found = clauses.stream().filter(broken).toList();
        double share = 100.0 * found.size() / clauses.size();

        assertThat(clauses).hasSizeGreaterThan(1000);
        assertThat(share)
                .as("%d of %d, %.2f%%%n%s", found.size(), clauses.size(), share, report(found))
                .isLessThanOrEqualTo(bound);
    }

    private static String report(List<Clause> found) {
        StringBuilder report = new StringBuilder("files with most of them:\n");
        Map<Path, Long> byFile = found.stream().map(Clause::file).collect(groupingBy(identity(), counting()));
        List<Path> worst = byFile.entrySet().stream()
                .sorted(Map.Entry.<Path, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(SHOWN_FILES)
                .map(Map.Entry::getKey)
                .toList();
        worst.forEach(file -> report.append("%5d  %s%n".formatted(byFile.get(file), file)));
        found.stream()
                .filter(clause -> worst.contains(clause.file()))
                .limit(SHOWN_CLAUSES)
                .forEach(clause -> report.append(clause).append('\n'));
        return report.toString();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}

package io.reprise.prose;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.prose.Passage.Clause;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentences are found with their lines, and each rule tells a good sentence from a bad one. */
final class PassageTest {
    private static final Path FILE = Path.of("A.java");

    @Test
    void shouldFindARiddleInEachKindOfComment() {
        JavaText text = JavaText.of(FILE, """
                /** What a log holds. The agent flushes it: who waits is told. */
                class A {
                    // Where it ends
                    // nobody knows.
                    /* Whoever comes. */
                    int a; // How much
                    /**
                     * The size.
                     *
                     * @param a that many
                     * @return which one
                     */
                }
                """);

        List<Clause> riddles = text.comments().stream()
                .flatMap(passage -> passage.clauses().stream())
                .filter(Clause::isRiddle)
                .toList();

        assertThat(riddles).extracting(Clause::line).containsExactly(1, 1, 3, 5, 6, 10, 11);
    }

    @Test
    void shouldAcceptASentenceWithASubject() {
        JavaText text = JavaText.of(FILE, """
                /**
                 * The log, which an agent flushes. {@code where} is a word of SQL. {@link How}
                 * <pre>
                 * What is drawn.
                 * </pre>
                 */
                class A {
                    String a = "// What is this";
                    char b = '"'; // The end.
                }
                """);

        assertThat(text.comments()).hasSize(2);
        assertThat(text.comments().stream()
                        .flatMap(passage -> passage.clauses().stream())
                        .filter(Clause::isRiddle))
                .isEmpty();
        assertThat(text.strings()).extracting(Passage::text).containsExactly("// What is this");
    }

    @Test
    void shouldFindRiddlesOfDocumentsOutsideCode() {
        Passage text = MarkdownText.of(FILE, """
                # What it is

                The log `where` is kept. [How](x.md) it grows
                is a question.

                - that too
                | which | cell |

                ```
                What is code
                ```

                    What is code too

                An end.
                """);

        assertThat(text.clauses().stream().filter(Clause::isRiddle))
                .extracting(Clause::line)
                .containsExactly(1, 3, 6, 7);
    }

    @Test
    void shouldCountTheWordsOfASentence() {
        Clause longest =
                new Passage(FILE, 1, "word ".repeat(25) + ".").sentences().getFirst();
        Clause tooLong =
                new Passage(FILE, 1, "word ".repeat(26) + ".").sentences().getFirst();

        assertThat(longest.isLong()).isFalse();
        assertThat(tooLong.isLong()).isTrue();
    }
}

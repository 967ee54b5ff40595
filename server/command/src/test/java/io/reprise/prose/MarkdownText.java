package io.reprise.prose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The sentences of a Markdown document, without code, addresses and the marks of headings, lists and tables. */
final class MarkdownText {
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("!?\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
    private static final Pattern NEW_SENTENCE = Pattern.compile("(?:[#>*-]|\\d+\\.)\\s.*");

    private MarkdownText() {}

    /** Reads a file; {@code shown} is the path that failures name. */
    static Passage read(Path path, Path shown) throws IOException {
        return of(shown, Files.readString(path));
    }

    /** Strips a document of its markup. */
    static Passage of(Path file, String document) {
        StringBuilder text = new StringBuilder();
        boolean fenced = false;
        boolean afterBlank = true;
        String withoutComments = COMMENT.matcher(document)
                .replaceAll(found -> "\n".repeat((int)
                        found.group().chars().filter(c -> c == '\n').count()));
        for (String line : CODE.matcher(withoutComments.replace("```", "~~~"))
                .replaceAll(found -> "Code"
                        + "\n".repeat((int)
                                found.group().chars().filter(c -> c == '\n').count()))
                .split("\n", -1)) {
            String words = line.strip();
            boolean fence = words.startsWith("~~~");
            boolean code = fenced || fence || afterBlank && line.startsWith("    ");
            if (fence) {
                fenced = !fenced;
            }
            if (code || words.isEmpty()) {
                text.append(". ");
            } else {
                text.append(NEW_SENTENCE.matcher(words).matches() ? ". " : "").append(prose(words));
            }
            text.append('\n');
            afterBlank = words.isEmpty() || code;
        }
        return new Passage(file, 1, text.toString());
    }

    private static String prose(String line) {
        String text =
                LINK.matcher(line).replaceAll("$1").replace("**", "").replaceAll("^(?:#+|>|[*-]|\\d+\\.)\\s+", "");
        return text.startsWith("|") ? text.replace("|", " . ") : text;
    }
}

package io.reprise.prose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The comments and string literals of one Java source file, found by a scan over its characters. */
final class JavaText {
    private static final Pattern COMMENT_MARGIN = Pattern.compile("(?m)^[ \\t]*\\*[ \\t]?");
    private static final Pattern PREFORMATTED = Pattern.compile("<pre>.*?</pre>", Pattern.DOTALL);
    private static final Pattern INLINE_TAG = Pattern.compile("\\{@\\w+\\s[^}]*}");
    private static final Pattern BLOCK_TAG =
            Pattern.compile("(?m)^@(?:param\\s+(?:<\\w+>|\\w+)|throws\\s+\\S+|return|see.*)");
    private static final Pattern MARKUP = Pattern.compile("</?[A-Za-z][^<>]*>");

    private final Path file;
    private final String source;
    private final List<Passage> comments = new ArrayList<>();
    private final List<Passage> strings = new ArrayList<>();
    private final StringBuilder lineComment = new StringBuilder();
    private int lineCommentAt;
    private int line = 1;
    private int at;

    private JavaText(Path file, String source) {
        this.file = file;
        this.source = source;
    }

    /** Reads a file; {@code shown} is the path that failures name. */
    static JavaText read(Path path, Path shown) throws IOException {
        return of(shown, Files.readString(path));
    }

    /** Scans a source text. */
    static JavaText of(Path file, String source) {
        JavaText text = new JavaText(file, source);
        text.scan();
        return text;
    }

    /** Returns Javadoc and other comments; line comments below each other are one. */
    List<Passage> comments() {
        return comments;
    }

    /** Returns the contents of string literals and text blocks. */
    List<Passage> strings() {
        return strings;
    }

    private void scan() {
        while (at < source.length()) {
            if (source.startsWith("//", at)) {
                addToLineComment(take("//", "\n", false));
                continue;
            }
            if (!Character.isWhitespace(source.charAt(at))) {
                endLineComment();
            }
            if (source.startsWith("/*", at)) {
                int from = line;
                comments.add(new Passage(file, from, withoutMarks(take("/*", "*/", false))));
            } else if (source.startsWith("\"\"\"", at)) {
                int from = line;
                strings.add(new Passage(file, from, take("\"\"\"", "\"\"\"", true)));
            } else if (source.charAt(at) == '"') {
                strings.add(new Passage(file, line, take("\"", "\"", true)));
            } else if (source.charAt(at) == '\'') {
                take("'", "'", true);
            } else {
                advance();
            }
        }
        endLineComment();
    }

    /** Moves past a delimited token and returns its content. The end of a line comment stays to be read. */
    private String take(String begin, String end, boolean escapes) {
        int from = at + begin.length();
        for (int i = 0; i < begin.length(); i++) {
            advance();
        }
        while (at < source.length() && !source.startsWith(end, at)) {
            if (escapes && source.charAt(at) == '\\') {
                advance();
            }
            advance();
        }
        String content = source.substring(from, Math.min(at, source.length()));
        if (!end.equals("\n")) {
            for (int i = 0; i < end.length(); i++) {
                advance();
            }
        }
        return content;
    }

    private void advance() {
        if (at < source.length() && source.charAt(at) == '\n') {
            line++;
        }
        at++;
    }

    private void addToLineComment(String words) {
        if (lineComment.isEmpty()) {
            lineCommentAt = line;
        }
        lineComment.append(words.strip()).append('\n');
    }

    private void endLineComment() {
        if (!lineComment.isEmpty()) {
            comments.add(new Passage(file, lineCommentAt, lineComment.toString()));
            lineComment.setLength(0);
        }
    }

    private static String withoutMarks(String comment) {
        String text = COMMENT_MARGIN.matcher(comment).replaceAll("");
        text = PREFORMATTED.matcher(text).replaceAll(found -> ". " + breaksOf(found.group()));
        text = INLINE_TAG.matcher(text).replaceAll(found -> "Code" + breaksOf(found.group()));
        text = BLOCK_TAG.matcher(text).replaceAll(". ");
        return MARKUP.matcher(text).replaceAll(". ");
    }

    private static String breaksOf(String text) {
        return "\n".repeat((int) text.chars().filter(c -> c == '\n').count());
    }
}

package io.reprise.prose;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of plain text from one file: a comment, a string literal or a document. Line breaks are kept, so that each
 * clause has its line. A full stop ends a clause; so do {@code ? ! ; :} before a space.
 *
 * @param file the file that holds the text
 * @param line the line on which the text begins, counted from 1
 * @param text the words, without comment marks and markup
 */
record Passage(Path file, int line, String text) {
    private static final int CASE_AND_LINES = Pattern.CASE_INSENSITIVE | Pattern.DOTALL;
    private static final Pattern CLAUSE_END = Pattern.compile("[.!?;:]+[)\"*_]*\\s+");
    private static final Pattern SENTENCE_END = Pattern.compile("[.!?]+[)\"*_]*\\s+");
    private static final Pattern RIDDLE =
            Pattern.compile("[\\s(*_\"]*(?:what|who|whoever|where|that|which|how)\\b.*", CASE_AND_LINES);
    private static final int LONGEST_SENTENCE = 25;

    /** One clause or sentence with its place. */
    record Clause(Path file, int line, String text) {
        /** Tells whether a relative pronoun stands in place of the subject. */
        boolean isRiddle() {
            return RIDDLE.matcher(text).matches();
        }

        /** Tells whether the text has more words than a reader keeps in mind. */
        boolean isLong() {
            return text.split("\\s+").length > LONGEST_SENTENCE;
        }

        @Override
        public String toString() {
            String flat = text.replaceAll("\\s+", " ");
            return "%s:%d: %s".formatted(file, line, flat.length() > 100 ? flat.substring(0, 100) + "..." : flat);
        }
    }

    /** Returns the parts between full stops, colons and semicolons. */
    List<Clause> clauses() {
        return split(CLAUSE_END);
    }

    /** Returns the parts between full stops. */
    List<Clause> sentences() {
        return split(SENTENCE_END);
    }

    private List<Clause> split(Pattern end) {
        List<Clause> parts = new ArrayList<>();
        String all = text + " ";
        int from = 0;
        for (Matcher ends = end.matcher(all); ends.find(); from = ends.end()) {
            add(parts, all.substring(from, ends.start()), from);
        }
        add(parts, all.substring(from), from);
        return parts;
    }

    private void add(List<Clause> parts, String part, int from) {
        String words = part.strip();
        if (words.codePoints().anyMatch(Character::isLetter)) {
            int start = from + part.indexOf(words);
            int breaks = (int) text.chars().limit(start).filter(c -> c == '\n').count();
            parts.add(new Clause(file, line + breaks, words));
        }
    }
}

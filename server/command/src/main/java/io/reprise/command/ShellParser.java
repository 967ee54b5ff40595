package io.reprise.command;

import io.reprise.sql.parse.SqlScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Tells the terminal's reader when a statement is complete, and which word the cursor is in. */
final class ShellParser implements Parser {
    /** Commands that also work without a backslash, because new users try them so. */
    static final Set<String> PLAIN_COMMANDS = Set.of("quit", "exit", "help");

    private static final Pattern WORD = Pattern.compile("\\\\?[\\p{Alnum}_$]+|\\\\");

    /** The typed line in words, without the signs between them. */
    private record Line(String line, int cursor, List<String> words, int wordIndex, String word, int wordCursor)
            implements CompletingParsedLine {
        /** Names need no escapes. */
        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return wordCursor;
        }

        @Override
        public int rawWordLength() {
            return word.length();
        }
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE && !isComplete(line)) {
            throw new EOFError(-1, cursor, "the statement goes on until a semicolon", ";");
        }
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find() && matcher.start() < cursor) {
            if (matcher.end() >= cursor) {
                String word = matcher.group();
                words.add(word);
                return new Line(line, cursor, words, words.size() - 1, word, cursor - matcher.start());
            }
            words.add(matcher.group());
        }
        words.add("");
        return new Line(line, cursor, words, words.size() - 1, "", 0);
    }

    /** A command has one line, a statement goes on until its semicolon. */
    static boolean isComplete(String text) {
        return text.isBlank() || isCommand(text) || SqlScript.isEnded(text);
    }

    static boolean isCommand(String text) {
        return text.startsWith("\\") || PLAIN_COMMANDS.contains(text.strip().toLowerCase(Locale.ROOT));
    }

    @Override
    public boolean isEscapeChar(char ch) {
        return false;
    }
}

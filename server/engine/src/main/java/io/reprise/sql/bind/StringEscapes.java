package io.reprise.sql.bind;

import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.SqlParserUtil;

/** Strings with escapes or a character set, as plain strings in quotes. */
final class StringEscapes {
    private static final Set<String> UNICODE = Set.of("UTF8", "UTF-8", "UTF16", "UTF-16");
    private static final int SHORT_ESCAPE = 4;
    private static final int LONG_ESCAPE = 6;

    private StringEscapes() {}

    /** {@code E'a\n'} with the escapes of C. */
    static String ofC(String image, SqlParserPos position) {
        try {
            String text = SqlParserUtil.parseCString(image.substring(1));
            return checkSurrogates('\'' + text.replace("'", "''") + '\'', position);
        } catch (SqlParserUtil.MalformedUnicodeEscape | IllegalArgumentException e) {
            throw refused(position, "E'..' has \\u with four hexadecimal digits, or \\U with eight, for a character");
        }
    }

    /** {@code N'a'} and {@code _UTF8'a'}. */
    static String withoutCharacterSet(String image, SqlParserPos position) {
        int quote = image.indexOf('\'');
        String set = image.substring(0, quote).toUpperCase(Locale.ROOT);
        if (!set.equals("N") && !UNICODE.contains(set.substring(1))) {
            throw PlanningErrors.at(
                    position,
                    "the character set " + set.substring(1) + " is not supported: strings are UTF-8; leave " + set
                            + " out");
        }
        return checkSurrogates(image.substring(quote), position);
    }

    /**
     * The content of {@code U&'..'} or {@code U&".."}: an escape character with four hexadecimal digits, with a plus sign
     * and six, or twice.
     *
     * @param quoted the string or name with its quotes
     * @param escape the escape character, as a string in quotes
     */
    static String ofUnicode(String quoted, String escape, SqlParserPos position) {
        if (escape.length() != 3 || !isEscape(escape.charAt(1))) {
            throw refused(
                    position, "UESCAPE gives one character that is no digit from 0 to F, plus sign, quote or blank");
        }
        char mark = escape.charAt(1);
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < quoted.length()) {
            char next = quoted.charAt(at++);
            if (next != mark) {
                text.append(next);
            } else if (at < quoted.length() && quoted.charAt(at) == mark) {
                text.append(mark);
                at++;
            } else {
                boolean plus = at < quoted.length() && quoted.charAt(at) == '+';
                int start = plus ? at + 1 : at;
                at = start + (plus ? LONG_ESCAPE : SHORT_ESCAPE);
                append(text, codePoint(quoted, start, at, mark, position), quoted.charAt(0));
            }
        }
        return checkSurrogates(text.toString(), position);
    }

    private static boolean isEscape(char mark) {
        return Character.digit(mark, 16) < 0
                && mark != '+'
                && mark != '\''
                && mark != '"'
                && !Character.isWhitespace(mark);
    }

    private static int codePoint(String text, int start, int end, char mark, SqlParserPos position) {
        boolean digits = end < text.length();
        for (int i = start; digits && i < end; i++) {
            digits = Character.digit(text.charAt(i), 16) >= 0;
        }
        int codePoint = digits ? Integer.parseInt(text.substring(start, end), 16) : -1;
        if (!Character.isValidCodePoint(codePoint)) {
            throw refused(
                    position,
                    "U& has " + mark + " with four hexadecimal digits, or " + mark + "+ with six, for a character, and "
                            + mark + mark + " for itself");
        }
        return codePoint;
    }

    private static void append(StringBuilder text, int codePoint, char quote) {
        text.appendCodePoint(codePoint);
        if (codePoint == quote) {
            text.append(quote);
        }
    }

    /** Refuses a half of a character, which UTF-8 can't hold; returns the string. */
    static String checkSurrogates(String text, SqlParserPos position) {
        int at = 0;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw refused(
                        position,
                        "a string has the surrogate " + String.format("U+%04X", codePoint)
                                + " without its other half, which is no character");
            }
            at += Character.charCount(codePoint);
        }
        return text;
    }

    private static SqlPlanningException refused(SqlParserPos position, String message) {
        return PlanningErrors.at(position, "syntax error: " + message);
    }
}

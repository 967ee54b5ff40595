package io.reprise.node.trace;

/** The beginning of a statement's text, behind blanks and comments. Comments of both forms are passed over, as PostgreSQL does. */
final class StatementText {
    private StatementText() {}

    /** The place of the first character that is no blank and in no comment; the text's length if there is none. */
    static int begin(String text) {
        int at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                at = behindComment(text, at);
            } else {
                return at;
            }
        }
        return text.length();
    }

    /** Comments between slashes may stand in one another. */
    private static int behindComment(String text, int begin) {
        int depth = 0;
        int at = begin;
        do {
            if (text.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (text.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < text.length());
        return Math.min(at, text.length());
    }

    static boolean isLetter(char c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
    }
}

package io.reprise.sql.parse;

import io.reprise.catalog.Position;

/**
 * A word, literal or sign of SQL text.
 *
 * @param kind its kind
 * @param text as written; of a quoted name the inside of the quotes
 * @param start offset of its first character in the text
 * @param end offset behind its last one
 * @param at its position
 */
record Token(Kind kind, String text, int start, int end, Position at) {
    enum Kind {
        /** A keyword or a name without quotes. */
        WORD,
        /** A name in double quotes. */
        QUOTED_NAME,
        /** {@code 'text'} */
        STRING,
        /** {@code x'00ff'} */
        BINARY,
        NUMBER,
        /** One character of anything else. */
        SIGN,
        /** The end of the text. */
        END
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    boolean isSign(char sign) {
        return kind == Kind.SIGN && text.length() == 1 && text.charAt(0) == sign;
    }

    /** Describes it for messages. */
    String describe() {
        return switch (kind) {
            case END -> "the end of the statement";
            case QUOTED_NAME -> '"' + shorten(text) + '"';
            case STRING, BINARY -> shorten(text);
            case WORD, NUMBER -> "'" + shorten(text) + "'";
            case SIGN -> {
                int character = text.codePointAt(0);
                yield character > ' ' && character < 127
                        ? "'" + text + "'"
                        : String.format("the character U+%04X", character);
            }
        };
    }

    private static String shorten(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}

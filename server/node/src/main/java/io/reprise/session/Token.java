package io.reprise.session;

/**
 * A token of a statement in PostgreSQL's SQL.
 *
 * @param kind its kind
 * @param text a word or sign as it stands; the content of a string or quoted name; the number of a parameter
 * @param start its first character in the text
 * @param end the character behind it
 */
record Token(Kind kind, String text, int start, int end) {
    /** The kinds of tokens. */
    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        PARAMETER,
        SIGN,
        END
    }

    /** Whether it is this keyword, in any case of letters. */
    boolean isWord(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    /** Whether it is this name of PostgreSQL's, which is in lower case, with or without quotes. */
    boolean isName(String name) {
        return isWord(name) || kind == Kind.QUOTED_NAME && text.equals(name);
    }

    /** Whether it is this sign. */
    boolean isSign(char sign) {
        return kind == Kind.SIGN && text.length() == 1 && text.charAt(0) == sign;
    }
}

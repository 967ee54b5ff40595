package io.reprise.session;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits PostgreSQL's SQL into tokens: escape strings, dollar quotes, nested comments, {@code $n} parameters. Each sign is a token of
 * its own, so operators pass through unchanged. Knows no grammar.
 */
final class Lexer {
    private final String text;
    private int at;

    private Lexer(String text) {
        this.text = text;
    }

    /** All tokens of a text; the last one is END. */
    static List<Token> tokens(String text) {
        Lexer lexer = new Lexer(text);
        List<Token> tokens = new ArrayList<>();
        Token token;
        do {
            token = lexer.next();
            tokens.add(token);
        } while (token.kind() != Token.Kind.END);
        return tokens;
    }

    private Token next() {
        skipBlanks();
        int start = at;
        char first = peek(0);
        if (at >= text.length()) {
            return new Token(Token.Kind.END, "", start, start);
        }
        if (first == '\'') {
            return quoted(start, '\'', Token.Kind.STRING);
        }
        if (first == '"') {
            return quoted(start, '"', Token.Kind.QUOTED_NAME);
        }
        if ((first == 'e' || first == 'E') && peek(1) == '\'') {
            at++;
            return escaped(start);
        }
        if ((first == 'x' || first == 'X') && peek(1) == '\'') {
            at++;
            quoted(start, '\'', Token.Kind.STRING);
            return new Token(Token.Kind.WORD, text.substring(start, at), start, at);
        }
        if (first == '$' && isDigit(peek(1))) {
            at++;
            while (isDigit(peek(0))) {
                at++;
            }
            return new Token(Token.Kind.PARAMETER, text.substring(start + 1, at), start, at);
        }
        if (first == '$') {
            Token dollar = dollarQuoted(start);
            if (dollar != null) {
                return dollar;
            }
        }
        if (isDigit(first) || first == '.' && isDigit(peek(1))) {
            return number(start);
        }
        if (isWordStart(first)) {
            while (isWordStart(peek(0)) || isDigit(peek(0)) || peek(0) == '$') {
                at++;
            }
            return new Token(Token.Kind.WORD, text.substring(start, at), start, at);
        }
        at++;
        return new Token(Token.Kind.SIGN, text.substring(start, at), start, at);
    }

    private void skipBlanks() {
        while (at < text.length()) {
            if (Character.isWhitespace(peek(0))) {
                at++;
            } else if (peek(0) == '-' && peek(1) == '-') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (peek(0) == '/' && peek(1) == '*') {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void skipComment() {
        int start = at;
        int depth = 0;
        do {
            if (at >= text.length()) {
                throw SessionException.syntax("unterminated /* comment", start);
            }
            if (peek(0) == '/' && peek(1) == '*') {
                depth++;
                at += 2;
            } else if (peek(0) == '*' && peek(1) == '/') {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0);
    }

    private Token quoted(int start, char quote, Token.Kind kind) {
        StringBuilder content = new StringBuilder();
        at++;
        while (true) {
            if (at >= text.length()) {
                throw SessionException.syntax(
                        quote == '"' ? "unterminated quoted name" : "unterminated quoted string", start);
            }
            if (peek(0) == quote && peek(1) == quote) {
                content.append(quote);
                at += 2;
            } else if (peek(0) == quote) {
                at++;
                return new Token(kind, content.toString(), start, at);
            } else {
                content.append(peek(0));
                at++;
            }
        }
    }

    private Token escaped(int start) {
        StringBuilder content = new StringBuilder();
        at++;
        while (true) {
            if (at >= text.length()) {
                throw SessionException.syntax("unterminated quoted string", start);
            }
            char c = text.charAt(at++);
            if (c == '\'' && peek(0) == '\'') {
                content.append('\'');
                at++;
            } else if (c == '\'') {
                return new Token(Token.Kind.STRING, content.toString(), start, at);
            } else if (c == '\\' && at < text.length()) {
                escape(content, start);
            } else {
                content.append(c);
            }
        }
    }

    private void escape(StringBuilder content, int start) {
        char c = text.charAt(at++);
        switch (c) {
            case 'n' -> content.append('\n');
            case 't' -> content.append('\t');
            case 'r' -> content.append('\r');
            case 'b' -> content.append('\b');
            case 'f' -> content.append('\f');
            case 'u' -> content.appendCodePoint(hex(4, start));
            case 'U' -> content.appendCodePoint(hex(8, start));
            case 'x' -> content.append((char) hex(2, start));
            default -> content.append(c);
        }
    }

    private int hex(int digits, int start) {
        int end = Math.min(text.length(), at + digits);
        try {
            int value = Integer.parseInt(text, at, end, 16);
            at = end;
            if (!Character.isValidCodePoint(value)) {
                throw SessionException.syntax("invalid Unicode escape value", start);
            }
            return value;
        } catch (NumberFormatException e) {
            throw SessionException.syntax("invalid hexadecimal escape", start);
        }
    }

    /** A string in dollar quotes; null if there is no opening tag here. */
    private Token dollarQuoted(int start) {
        int end = start + 1;
        while (end < text.length() && (isWordStart(text.charAt(end)) || isDigit(text.charAt(end)))) {
            end++;
        }
        if (end >= text.length() || text.charAt(end) != '$') {
            return null;
        }
        String tag = text.substring(start, end + 1);
        int close = text.indexOf(tag, end + 1);
        if (close < 0) {
            throw SessionException.syntax("unterminated dollar-quoted string", start);
        }
        at = close + tag.length();
        return new Token(Token.Kind.STRING, text.substring(end + 1, close), start, at);
    }

    private Token number(int start) {
        while (isDigit(peek(0)) || peek(0) == '.') {
            at++;
        }
        if ((peek(0) == 'e' || peek(0) == 'E')
                && (isDigit(peek(1)) || (peek(1) == '-' || peek(1) == '+') && isDigit(peek(2)))) {
            at += 2;
            while (isDigit(peek(0))) {
                at++;
            }
        }
        return new Token(Token.Kind.NUMBER, text.substring(start, at), start, at);
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return c == '_' || Character.isLetter(c) || Character.isSurrogate(c);
    }
}

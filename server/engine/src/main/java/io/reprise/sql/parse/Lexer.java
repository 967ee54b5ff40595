package io.reprise.sql.parse;

import io.reprise.catalog.DdlException;
import io.reprise.catalog.Position;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts SQL text into tokens, leaving out white space and comments ({@code -- to the end of the line}, and
 * {@code /* ... *}{@code /}). It knows no grammar and takes every character, so that it serves queries as well as DDL;
 * only what is never closed is an error.
 */
final class Lexer {
    private static final int END = -1;

    private final String text;
    private int at;
    private int line;
    private int column;

    private Lexer(String text, Position start) {
        this.text = text;
        this.line = start.line();
        this.column = start.column();
    }

    /** All tokens of the text, which begins at this position of a script; the last one is END. */
    static List<Token> tokens(String text, Position start) {
        Lexer lexer = new Lexer(text, start);
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
        Position position = position();
        int first = peek(0);
        if (first == END) {
            return new Token(Token.Kind.END, "", start, start, position);
        }
        if (first == '\'') {
            quoted('\'', position, "string");
            return token(Token.Kind.STRING, start, position);
        }
        if (first == '"') {
            quoted('"', position, "quoted name");
            String inner = text.substring(start + 1, at - 1).replace("\"\"", "\"");
            return new Token(Token.Kind.QUOTED_NAME, inner, start, at, position);
        }
        if ((first == 'x' || first == 'X') && peek(1) == '\'') {
            advance();
            quoted('\'', position, "binary literal");
            return token(Token.Kind.BINARY, start, position);
        }
        if (isDigit(first) || first == '.' && isDigit(peek(1))) {
            number();
            return token(Token.Kind.NUMBER, start, position);
        }
        if (isWordStart(first)) {
            while (isWordPart(current())) {
                advance();
            }
            return token(Token.Kind.WORD, start, position);
        }
        advance();
        return token(Token.Kind.SIGN, start, position);
    }

    private Token token(Token.Kind kind, int start, Position position) {
        return new Token(kind, text.substring(start, at), start, at, position);
    }

    private void skipBlanks() {
        while (true) {
            if (at < text.length() && (Character.isWhitespace(current()) || current() == 0xFEFF)) {
                advance();
            } else if (peek(0) == '-' && peek(1) == '-') {
                while (at < text.length() && peek(0) != '\n') {
                    advance();
                }
            } else if (peek(0) == '/' && peek(1) == '*') {
                comment();
            } else {
                return;
            }
        }
    }

    private void comment() {
        Position start = position();
        advance();
        advance();
        while (peek(0) != '*' || peek(1) != '/') {
            if (at >= text.length()) {
                throw new DdlException(start, "a comment begins here and is never closed by */");
            }
            advance();
        }
        advance();
        advance();
    }

    private void quoted(char quote, Position start, String what) {
        advance();
        while (true) {
            if (at >= text.length()) {
                throw new DdlException(
                        start,
                        "a " + what + " begins here and is never closed by " + quote + "; inside it, " + quote
                                + " is written twice");
            }
            if (peek(0) == quote) {
                advance();
                if (peek(0) != quote) {
                    return;
                }
            }
            advance();
        }
    }

    private void number() {
        digits();
        if (peek(0) == '.') {
            advance();
            digits();
        }
        int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
        if ((peek(0) == 'e' || peek(0) == 'E') && isDigit(peek(1 + sign))) {
            for (int i = 0; i <= sign; i++) {
                advance();
            }
            digits();
        }
    }

    private void digits() {
        while (isDigit(peek(0))) {
            advance();
        }
    }

    private Position position() {
        return new Position(line, column);
    }

    private int peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : END;
    }

    private int current() {
        return at < text.length() ? text.codePointAt(at) : END;
    }

    private void advance() {
        int character = text.codePointAt(at);
        at += Character.charCount(character);
        if (character == '\n') {
            line++;
            column = 1;
        } else {
            column++;
        }
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isWordStart(int character) {
        return character == '_' || character == '$' || Character.isLetter(character);
    }

    private static boolean isWordPart(int character) {
        return character == '_' || character == '$' || Character.isLetterOrDigit(character);
    }
}

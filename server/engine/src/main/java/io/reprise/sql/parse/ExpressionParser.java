package io.reprise.sql.parse;

import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Finds the ends of expressions within DDL, whose text is kept: conditions of CHECK, and defaults. */
final class ExpressionParser {
    /** The words that can stand behind a default. */
    private static final Set<String> BEHIND_DEFAULT = Set.of(
            "NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "REFERENCES", "CHECK", "CONSTRAINT", "COLLATE", "GENERATED");

    /** The words of a literal, which begin no other expression. */
    private static final Set<String> LITERALS = Set.of("TRUE", "FALSE", "NULL", "NOW", "NOT", "DEFAULT");

    private ExpressionParser() {}

    /** CHECK (condition). */
    static Ddl.CheckDefinition check(TokenCursor tokens, Optional<Ddl.Name> name) {
        Token at = tokens.expect("CHECK");
        tokens.expectSign('(');
        Token first = tokens.peek();
        if (first.isSign(')')) {
            throw tokens.expected("a condition");
        }
        Set<String> mentioned = new LinkedHashSet<>();
        Token last = balanced(tokens, mentioned, false);
        tokens.expectSign(')');
        return new Ddl.CheckDefinition(name, tokens.text(first, last), List.copyOf(mentioned), at.at());
    }

    /** Whether a default may end in front of a token. */
    static boolean endsDefault(Token token) {
        return token.kind() == Token.Kind.END
                || token.isSign(',')
                || token.isSign(')')
                || token.isSign(';')
                || token.kind() == Token.Kind.WORD
                        && BEHIND_DEFAULT.contains(token.text().toUpperCase(Locale.ROOT));
    }

    /** Whether an expression begins here that is no literal: in parentheses, by a function, or by a literal with an operator. */
    static boolean mayBeExpression(TokenCursor tokens) {
        Token first = tokens.peek();
        if (first.isSign('(')) {
            return true;
        }
        boolean signed = first.isSign('-') || first.isSign('+');
        Token second = tokens.peek(1);
        return switch (first.kind()) {
            case WORD ->
                !LITERALS.contains(first.text().toUpperCase(Locale.ROOT))
                        && (second.isSign('(')
                                || second.isSign(':')
                                || second.kind() == Token.Kind.STRING
                                || first.isWord("CURRENT_DATE")
                                || first.isWord("CURRENT_TIMESTAMP"));
            case STRING, NUMBER, BINARY -> second.kind() == Token.Kind.SIGN && !endsDefault(second);
            default -> signed && tokens.peek(2).kind() == Token.Kind.SIGN && !endsDefault(tokens.peek(2));
        };
    }

    /** The text of an expression up to what can stand behind a default. */
    static String defaultExpression(TokenCursor tokens) {
        Token first = tokens.peek();
        if (first.isSign('(')) {
            // The parentheses around all of it are those that the catalog writes.
            int mark = tokens.mark();
            tokens.next();
            Token inner = tokens.peek();
            Token last = balanced(tokens, new LinkedHashSet<>(), false);
            tokens.expectSign(')');
            if (endsDefault(tokens.peek())) {
                return tokens.text(inner, last);
            }
            tokens.reset(mark);
        }
        return tokens.text(first, balanced(tokens, new LinkedHashSet<>(), true));
    }

    /** Passes over tokens up to the parenthesis that closes them, or to what can stand behind a default; returns the last one. */
    private static Token balanced(TokenCursor tokens, Set<String> mentioned, boolean ofDefault) {
        int depth = 0;
        Token last = tokens.peek();
        while (true) {
            Token token = tokens.peek();
            boolean ends = token.kind() == Token.Kind.END || token.isSign(';');
            if (ends && depth > 0 || ends && !ofDefault) {
                throw tokens.expected("')'");
            }
            if (depth == 0 && (ofDefault ? endsDefault(token) : token.isSign(')'))) {
                return last;
            }
            if (token.isSign('(')) {
                depth++;
            } else if (token.isSign(')')) {
                depth--;
            } else if (token.isSign('?')) {
                throw new DdlException(token.at(), "an expression of a table can't have parameters");
            } else if (token.kind() == Token.Kind.WORD) {
                mentioned.add(token.text().toUpperCase(Locale.ROOT));
            } else if (token.kind() == Token.Kind.QUOTED_NAME) {
                mentioned.add(token.text());
            }
            last = tokens.next();
        }
    }
}

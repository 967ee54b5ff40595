package io.reprise.sql.parse;

import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.QualifiedName;
import io.reprise.catalog.SearchPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the rest of CREATE VIEW. */
final class ViewParser {
    private final String text;
    private final TokenCursor tokens;

    ViewParser(String text, TokenCursor tokens) {
        this.text = text;
        this.tokens = tokens;
    }

    Ddl create(boolean replace) {
        Ddl.Name name = tokens.newRelation("the name of the view");
        List<Ddl.Name> columns = new ArrayList<>();
        if (tokens.acceptSign('(')) {
            do {
                columns.add(tokens.name("the name of a column"));
            } while (tokens.acceptSign(','));
            tokens.expectSign(')');
        }
        tokens.expect("AS");
        SearchPath path = tokens.acceptPath();
        Token first = tokens.peek();
        if (first.kind() == Token.Kind.END || SqlScript.kind(first) != StatementKind.QUERY) {
            throw tokens.expected("a query");
        }
        Set<String> mentioned = new LinkedHashSet<>();
        int end = first.end();
        while (tokens.peek().kind() != Token.Kind.END && !tokens.peek().isSign(';')) {
            Token token = tokens.next();
            end = token.end();
            if (token.isSign('?')) {
                throw new DdlException(token.at(), "a view's query can't have parameters");
            } else if (isName(token)) {
                String word = word(token);
                path.schemas().forEach(schema -> mentioned.add(QualifiedName.of(schema, word)));
                if (tokens.peek().isSign('.') && isName(tokens.peek(1))) {
                    mentioned.add(QualifiedName.of(word, word(tokens.peek(1))));
                }
                while (tokens.peek().isSign('.') && isName(tokens.peek(1))) {
                    tokens.next();
                    end = tokens.next().end();
                }
            }
        }
        tokens.expectEnd();
        return new Ddl.CreateView(
                name,
                replace,
                List.copyOf(columns),
                path.clause() + text.substring(first.start(), end),
                List.copyOf(mentioned));
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }

    private static String word(Token token) {
        return token.kind() == Token.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : token.text();
    }

    /** CASCADE, or RESTRICT, which is what happens without either. */
    static boolean cascade(TokenCursor tokens) {
        boolean cascade = tokens.accept("CASCADE");
        if (!cascade) {
            tokens.accept("RESTRICT");
        }
        return cascade;
    }
}

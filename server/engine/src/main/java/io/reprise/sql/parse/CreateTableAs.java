package io.reprise.sql.parse;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Position;
import io.reprise.catalog.SearchPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * CREATE TABLE ... AS: a table made from the rows of a query.
 *
 * @param path the search path of the statement
 * @param table the catalog's name of the table
 * @param ifNotExists whether a table of that name is left as it is
 * @param columns the names of its columns; none: those of the query
 * @param query the query
 * @param withData whether the rows are inserted
 */
public record CreateTableAs(
        SearchPath path, String table, boolean ifNotExists, List<String> columns, String query, boolean withData) {
    /** The statement that a script consists of; empty if it is another one. */
    public static Optional<CreateTableAs> of(String script, Catalog catalog) {
        try {
            return of(script, new TokenCursor(script, Position.START, true, catalog));
        } catch (DdlException e) {
            // A string or comment without an end, which is reported when the script is carried out.
            return Optional.empty();
        }
    }

    private static Optional<CreateTableAs> of(String script, TokenCursor tokens) {
        SearchPath path = tokens.acceptPath();
        if (!tokens.accept("CREATE", "TABLE")) {
            return Optional.empty();
        }
        boolean ifNotExists = tokens.accept("IF", "NOT", "EXISTS");
        if (!isName(tokens.peek())) {
            return Optional.empty();
        }
        String table = tokens.newRelation("the name of the table").text();
        List<String> columns = new ArrayList<>();
        if (tokens.acceptSign('(')) {
            do {
                if (!isName(tokens.peek())) {
                    return Optional.empty();
                }
                columns.add(name(tokens.next()));
            } while (tokens.acceptSign(','));
            if (!tokens.acceptSign(')')) {
                return Optional.empty();
            }
        }
        return tokens.accept("AS") ? query(script, tokens, path, table, ifNotExists, columns) : Optional.empty();
    }

    private static Optional<CreateTableAs> query(
            String script,
            TokenCursor tokens,
            SearchPath path,
            String table,
            boolean ifNotExists,
            List<String> columns) {
        List<Token> rest = new ArrayList<>();
        while (tokens.peek().kind() != Token.Kind.END) {
            rest.add(tokens.next());
        }
        if (!rest.isEmpty() && rest.getLast().isSign(';')) {
            rest.removeLast();
        }
        boolean without = endsWith(rest, "WITH", "NO", "DATA");
        int words = without ? 3 : endsWith(rest, "WITH", "DATA") ? 2 : 0;
        List<Token> query = rest.subList(0, rest.size() - words);
        boolean single = query.stream().noneMatch(token -> token.isSign(';'));
        if (query.isEmpty() || !single) {
            return Optional.empty();
        }
        String text = script.substring(query.getFirst().start(), query.getLast().end());
        return Optional.of(new CreateTableAs(path, table, ifNotExists, List.copyOf(columns), text, !without));
    }

    private static boolean endsWith(List<Token> tokens, String... words) {
        int from = tokens.size() - words.length;
        for (int i = 0; i < words.length; i++) {
            if (from < 0 || !tokens.get(from + i).isWord(words[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }

    private static String name(Token token) {
        return token.kind() == Token.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : token.text();
    }
}

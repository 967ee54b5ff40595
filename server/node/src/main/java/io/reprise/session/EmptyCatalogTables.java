package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Queries of catalogue tables about things that this server does not have, such as publications. They have no rows whatever their
 * expressions are, so they are answered without being run.
 */
final class EmptyCatalogTables {
    private static final Set<String> NAMES = Set.of(
            "pg_policy", "pg_statistic_ext", "pg_publication", "pg_event_trigger", "pg_auth_members", "pg_trigger");

    private EmptyCatalogTables() {}

    /** Whether a query asks for all keywords, as pgjdbc does to know which words beside SQL's it has to quote: none. */
    static boolean isOfKeywords(ClientStatement statement) {
        return statement.tokens().stream().anyMatch(token -> token.isWord("pg_get_keywords"))
                && statement.tokens().stream().anyMatch(token -> token.isWord("string_agg"));
    }

    /** The columns of a query whose first table is one of them; empty: the query has to run. */
    static Optional<List<ResultColumn>> columns(ClientStatement statement) {
        List<ResultColumn> columns = new ArrayList<>();
        List<Token> tokens = statement.tokens();
        int depth = 0;
        boolean aggregates = false;
        for (int i = 1; i < tokens.size() - 1; i++) {
            Token token = tokens.get(i);
            depth += token.isSign('(') ? 1 : token.isSign(')') ? -1 : 0;
            aggregates |= depth == 0 && (token.isWord("count") || token.isWord("sum") || token.isWord("max"));
            boolean from = depth == 0 && token.isWord("FROM");
            if (depth == 0 && token.isSign(',') || from) {
                columns.add(new ResultColumn(label(tokens, i - 1), PgType.TEXT));
            }
            if (from) {
                int name = tokens.get(i + 2).isSign('.') ? i + 3 : i + 1;
                boolean none = NAMES.contains(
                        tokens.get(Math.min(name, tokens.size() - 1)).text().toLowerCase(Locale.ROOT));
                return none && !aggregates ? Optional.of(List.copyOf(columns)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static String label(List<Token> tokens, int last) {
        Token token = tokens.get(last);
        boolean named = token.kind() == Token.Kind.QUOTED_NAME || token.kind() == Token.Kind.WORD;
        return named && !token.isWord("END") && !token.isWord("NULL") ? token.text() : "?column?";
    }
}

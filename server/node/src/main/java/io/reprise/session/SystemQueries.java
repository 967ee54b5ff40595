package io.reprise.session;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The recognition of queries of the system catalogue. */
final class SystemQueries {
    private static final Set<String> CATALOG_FUNCTIONS = Set.of(
            "pg_cancel_backend",
            "pg_terminate_backend",
            "pg_get_viewdef",
            "pg_get_indexdef",
            "pg_get_constraintdef",
            "pg_get_userbyid",
            "pg_table_is_visible",
            "pg_database_size",
            "pg_relation_size",
            "pg_table_size",
            "pg_total_relation_size",
            "pg_size_pretty",
            "pg_encoding_to_char",
            "format_type",
            "obj_description",
            "col_description",
            "to_regclass",
            "has_schema_privilege",
            "has_table_privilege",
            "has_database_privilege");

    private SystemQueries() {}

    /** Whether a statement asks for the system catalogue: it names one of its schemas, or reads a table whose name begins so. */
    static boolean isSystemQuery(ClientStatement statement) {
        if (statement.kind() != ClientStatement.Kind.QUERY) {
            return false;
        }
        List<Token> tokens = statement.tokens();
        for (int i = 1; i < tokens.size() - 1; i++) {
            Token token = tokens.get(i);
            if (isRegistered(tokens, i) && !isOfEngine(tokens)) {
                return true;
            }
            if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.QUOTED_NAME) {
                continue;
            }
            boolean schema =
                    (token.text().equalsIgnoreCase("pg_catalog") || token.text().equalsIgnoreCase("information_schema"))
                            && tokens.get(i + 1).isSign('.');
            boolean table = token.text().toLowerCase(Locale.ROOT).startsWith("pg_")
                    && (tokens.get(i - 1).isWord("FROM") || tokens.get(i - 1).isWord("JOIN"));
            if (schema && i + 3 < tokens.size() && !tokens.get(i + 3).isSign('(') || table) {
                return true;
            }
        }
        return false;
    }

    /** Whether a cast to a registered name, or a function about the catalogue, stands here. */
    private static boolean isRegistered(List<Token> tokens, int index) {
        Token token = tokens.get(index);
        if (token.isWord("regclass") || token.isWord("regtype")) {
            return tokens.get(index - 1).isSign(':');
        }
        boolean quoted = token.kind() == Token.Kind.QUOTED_NAME;
        return (quoted || token.kind() == Token.Kind.WORD)
                && tokens.get(index + 1).isSign('(')
                && CATALOG_FUNCTIONS.contains(
                        quoted ? token.text() : token.text().toLowerCase(Locale.ROOT));
    }

    /** Whether a query that names no schema is the engine's: it reads tables, or draws from a sequence. */
    private static boolean isOfEngine(List<Token> tokens) {
        return tokens.stream()
                .anyMatch(token -> token.isWord("FROM")
                        || token.isWord("nextval")
                        || token.isWord("currval")
                        || token.isWord("setval"));
    }
}

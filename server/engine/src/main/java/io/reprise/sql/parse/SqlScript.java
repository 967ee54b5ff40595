package io.reprise.sql.parse;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Position;
import io.reprise.catalog.SearchPath;
import io.reprise.catalog.Suggestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Cuts a script into its statements at the semicolons outside of strings, quoted names and comments. */
public final class SqlScript {
    private static final Map<String, StatementKind> KINDS = kinds();

    /** The refusal of BEGIN, and of the END that is left when a script is cut at its semicolons. */
    static final String COMPOUND =
            "BEGIN ... END is not supported: a procedure AS has a single statement; write a class for more than one";

    private SqlScript() {}

    /** The words that begin statements. Each statement has a page in {@code docs/reference/sql/statements}. */
    public static Set<String> beginnings() {
        return KINDS.keySet();
    }

    /** The statements of a script; empty ones are left out. */
    public static List<ScriptStatement> split(String script) {
        List<ScriptStatement> statements = new ArrayList<>();
        Token first = null;
        Token last = null;
        for (Token token : Lexer.tokens(script, Position.START)) {
            if (token.kind() == Token.Kind.END || token.isSign(';')) {
                if (first != null) {
                    String text = script.substring(first.start(), last.end());
                    statements.add(new ScriptStatement(text, first.at(), kind(text, first)));
                }
                first = null;
            } else {
                first = first == null ? token : first;
                last = token;
            }
        }
        return statements;
    }

    /** Whether a semicolon ends the last statement, so that a typed script may be complete. */
    public static boolean isEnded(String script) {
        try {
            List<Token> tokens = Lexer.tokens(script, Position.START);
            return tokens.size() > 1 && tokens.get(tokens.size() - 2).isSign(';');
        } catch (DdlException e) {
            // A string, a quoted name or a comment goes on.
            return false;
        }
    }

    /** The position of the first {@code //} outside of strings, names and comments. SQL has no such comment. */
    public static Optional<Position> doubleSlash(String statement) {
        if (!statement.contains("//")) {
            return Optional.empty();
        }
        Token before = null;
        for (Token token : Lexer.tokens(statement, Position.START)) {
            if (before != null && before.isSign('/') && token.isSign('/') && before.end() == token.start()) {
                return Optional.of(before.at());
            }
            before = token;
        }
        return Optional.empty();
    }

    /** The kind of a single statement; throws {@link DdlException} where its first word says nothing. */
    public static StatementKind kind(String statement) {
        return kind(statement, Lexer.tokens(statement, Position.START).getFirst());
    }

    /** The kind of a statement, which may have its search path in front. */
    private static StatementKind kind(String statement, Token first) {
        if (!first.isWord("IN")) {
            return kind(first);
        }
        TokenCursor tokens = new TokenCursor(statement, first.at(), true, Catalog.empty());
        tokens.acceptPath();
        return kind(tokens.peek());
    }

    /**
     * The search path in front of a statement, and the statement's beginning.
     *
     * @param path the path
     * @param begin the index behind the clause; 0 without one
     */
    public record Path(SearchPath path, int begin) {}

    /** The search path of a single statement. */
    public static Path path(String statement) {
        TokenCursor tokens = new TokenCursor(statement, Position.START, true, Catalog.empty());
        SearchPath path = tokens.acceptPath();
        return new Path(path, tokens.peek().start());
    }

    static StatementKind kind(Token first) {
        if (first.isSign('(')) {
            return StatementKind.QUERY;
        }
        if (first.isWord("END")) {
            throw new DdlException(first.at(), COMPOUND);
        }
        StatementKind kind =
                first.kind() == Token.Kind.WORD ? KINDS.get(first.text().toUpperCase(Locale.ROOT)) : null;
        if (kind == null) {
            throw new DdlException(
                    first.at(),
                    "a statement can't begin with " + first.describe() + "; expected one of "
                            + String.join(", ", KINDS.keySet())
                            + Suggestions.didYouMean(first.text(), KINDS.keySet()));
        }
        return kind;
    }

    private static Map<String, StatementKind> kinds() {
        Map<String, StatementKind> kinds = new LinkedHashMap<>();
        for (String word : List.of("CREATE", "DROP", "ALTER", "PARTITION")) {
            kinds.put(word, StatementKind.DDL);
        }
        for (String word : List.of("SELECT", "VALUES", "WITH")) {
            kinds.put(word, StatementKind.QUERY);
        }
        for (String word : List.of("INSERT", "UPSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE")) {
            kinds.put(word, StatementKind.DML);
        }
        kinds.put("EXPLAIN", StatementKind.EXPLAIN);
        return kinds;
    }
}

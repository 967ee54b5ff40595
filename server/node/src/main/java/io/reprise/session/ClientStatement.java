package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One statement of a client's text.
 *
 * @param text the statement without the semicolon
 * @param tokens its tokens, with offsets in {@code text}; the last one is END
 * @param offset its place in the client's text
 */
public record ClientStatement(String text, List<Token> tokens, int offset) {
    /** The role of a statement. */
    public enum Kind {
        /** Handled by the session itself. */
        SESSION,
        /** Changes the schema. */
        DDL,
        /** A query. */
        QUERY,
        /** INSERT, UPDATE, DELETE, MERGE, TRUNCATE of a table. */
        WRITE,
        /** TRUNCATE of several tables, or with options. */
        TRUNCATE,
        /** A query of the system catalogue. */
        SYSTEM,
        /** CALL. */
        CALL,
        /** EXPLAIN. */
        EXPLAIN,
        /** COPY. */
        COPY,
        /** DECLARE of a cursor. */
        DECLARE,
        /** PREPARE of a statement. */
        PREPARE,
        /** EXECUTE of a prepared statement. */
        EXECUTE,
        /** A query that does nothing but to take or free an advisory lock. */
        ADVISORY,
        /** A query that does nothing but to change a setting. */
        SET_CONFIG
    }

    /** Texts that come with each transaction. */
    private static final Map<String, List<ClientStatement>> FREQUENT = Stream.of("BEGIN", "COMMIT", "ROLLBACK")
            .flatMap(word -> Stream.of(word, word.toLowerCase(Locale.ROOT)))
            .flatMap(word -> Stream.of(word, word + ";"))
            .collect(Collectors.toUnmodifiableMap(text -> text, text -> List.copyOf(parse(text))));

    private static final int LONGEST_FREQUENT =
            FREQUENT.keySet().stream().mapToInt(String::length).max().orElseThrow();

    /** Splits a text at its semicolons; empty statements are left out. */
    public static List<ClientStatement> split(String text) {
        List<ClientStatement> known = text.length() <= LONGEST_FREQUENT ? FREQUENT.get(text) : null;
        return known == null ? parse(text) : known;
    }

    private static List<ClientStatement> parse(String text) {
        List<ClientStatement> statements = new ArrayList<>();
        List<Token> current = new ArrayList<>();
        for (Token token : Lexer.tokens(text)) {
            if (token.kind() != Token.Kind.END && !token.isSign(';')) {
                current.add(token);
                continue;
            }
            if (!current.isEmpty()) {
                statements.add(of(text, current));
                current.clear();
            }
        }
        return statements;
    }

    private static ClientStatement of(String text, List<Token> tokens) {
        int from = tokens.getFirst().start();
        int to = tokens.getLast().end();
        List<Token> moved = new ArrayList<>();
        for (Token token : tokens) {
            moved.add(new Token(token.kind(), token.text(), token.start() - from, token.end() - from));
        }
        moved.add(new Token(Token.Kind.END, "", to - from, to - from));
        return new ClientStatement(text.substring(from, to), List.copyOf(moved), from);
    }

    /** The word at a place, in upper case; empty if there is none. */
    String word(int index) {
        Token token = tokens.get(Math.min(index, tokens.size() - 1));
        return token.kind() == Token.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : "";
    }

    /** Whether a PREPARE is of a statement, and not of a transaction. */
    private boolean statementPrepared() {
        return !word(1).equals("TRANSACTION");
    }

    /** Whether an ALTER names an owner, which things here don't have. */
    private boolean givesAway() {
        int end = tokens.size() - 1;
        return end > 3 && word(end - 3).equals("OWNER") && word(end - 2).equals("TO")
                || word(1).equals("DEFAULT") && word(2).equals("PRIVILEGES");
    }

    /** Its role, by its first word. */
    public Kind kind() {
        if (tokens.getFirst().isSign('(')) {
            return Kind.QUERY;
        }
        return switch (word(0)) {
            case "SELECT", "VALUES", "WITH", "TABLE" -> Kind.QUERY;
            case "INSERT", "UPSERT", "UPDATE", "DELETE", "MERGE" -> Kind.WRITE;
            case "TRUNCATE" -> Truncation.isOne(this) ? Kind.TRUNCATE : Kind.WRITE;
            case "ALTER" -> givesAway() ? Kind.SESSION : Kind.DDL;
            case "CREATE", "DROP", "PARTITION" -> Kind.DDL;
            case "CALL" -> Kind.CALL;
            case "EXPLAIN" -> Kind.EXPLAIN;
            case "COPY" -> Kind.COPY;
            case "DECLARE" -> Kind.DECLARE;
            case "PREPARE" -> statementPrepared() ? Kind.PREPARE : Kind.SESSION;
            case "EXECUTE" -> Kind.EXECUTE;
            default -> Kind.SESSION;
        };
    }
}

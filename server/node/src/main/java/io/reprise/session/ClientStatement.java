package io.reprise.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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

    /** The words that begin statements, with the role that the word alone tells. */
    private static final Map<String, Kind> BEGINNINGS = beginningWords();

    /** Texts that come with each transaction. */
    private static final Map<String, List<ClientStatement>> FREQUENT = Stream.of("BEGIN", "COMMIT", "ROLLBACK")
            .flatMap(word -> Stream.of(word, word.toLowerCase(Locale.ROOT)))
            .flatMap(word -> Stream.of(word, word + ";"))
            .collect(Collectors.toUnmodifiableMap(text -> text, text -> List.copyOf(parse(text))));

    private static final int LONGEST_FREQUENT =
            FREQUENT.keySet().stream().mapToInt(String::length).max().orElseThrow();

    /** The words that begin the statements that a session takes. Each statement has a page in {@code docs/reference/sql/statements}. */
    public static Set<String> beginnings() {
        return BEGINNINGS.keySet();
    }

    private static Map<String, Kind> beginningWords() {
        Map<String, Kind> words = new HashMap<>();
        Map<Kind, String> byKind = Map.ofEntries(
                Map.entry(Kind.QUERY, "SELECT VALUES WITH TABLE"),
                Map.entry(Kind.WRITE, "INSERT UPSERT UPDATE DELETE MERGE TRUNCATE"),
                Map.entry(Kind.DDL, "CREATE DROP ALTER PARTITION"),
                Map.entry(Kind.CALL, "CALL"),
                Map.entry(Kind.EXPLAIN, "EXPLAIN"),
                Map.entry(Kind.COPY, "COPY"),
                Map.entry(Kind.DECLARE, "DECLARE"),
                Map.entry(Kind.PREPARE, "PREPARE"),
                Map.entry(Kind.EXECUTE, "EXECUTE"),
                Map.entry(
                        Kind.SESSION,
                        "BEGIN START COMMIT END ROLLBACK ABORT SAVEPOINT RELEASE LOCK SET SHOW RESET FETCH MOVE CLOSE DEALLOCATE"
                                + " DISCARD ANALYZE CHECKPOINT CLUSTER COMMENT GRANT REINDEX REVOKE UNLISTEN VACUUM"));
        byKind.forEach((kind, list) -> List.of(list.split(" ")).forEach(word -> words.put(word, kind)));
        return Map.copyOf(words);
    }

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
        int owner = tokens.size() - 4;
        return owner > 2 && word(owner).equals("OWNER") && word(owner + 1).equals("TO") && !isRenamed(owner)
                || word(1).equals("DEFAULT") && word(2).equals("PRIVILEGES");
    }

    /** Whether a word of an ALTER TABLE is the old name of a column: RENAME or RENAME COLUMN stands behind the table's name. */
    private boolean isRenamed(int at) {
        int rename = word(at - 1).equals("COLUMN") ? at - 2 : at - 1;
        boolean names = Set.of("TABLE", "EXISTS", "ONLY").contains(word(rename - 1))
                || tokens.get(rename - 1).isSign('.');
        return word(rename).equals("RENAME") && !names;
    }

    /** Its role, by its first word. */
    public Kind kind() {
        if (tokens.getFirst().isSign('(')) {
            return Kind.QUERY;
        }
        String word = word(0);
        boolean ofSession = word.equals("ALTER") && givesAway() || word.equals("PREPARE") && !statementPrepared();
        if (ofSession) {
            return Kind.SESSION;
        }
        boolean truncates = word.equals("TRUNCATE") && Truncation.isOne(this);
        return truncates ? Kind.TRUNCATE : BEGINNINGS.getOrDefault(word, Kind.SESSION);
    }
}

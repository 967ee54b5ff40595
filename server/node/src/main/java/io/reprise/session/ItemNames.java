package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The names that PostgreSQL gives to columns of a result without names: the function, {@code case}, or the type of a cast.
 * Read from the items of the first SELECT, or of RETURNING.
 */
final class ItemNames {
    private static final String UNNAMED = "?column?";

    private static final Set<String> ENDS = Set.of(
            "FROM",
            "WHERE",
            "GROUP",
            "HAVING",
            "WINDOW",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "FOR");
    private static final Set<String> BEHIND_CALLS = Set.of("OVER", "FILTER", "WITHIN", "GROUP");
    private static final Set<String> BARE =
            Set.of("CURRENT_DATE", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_USER", "SESSION_USER");

    private final List<Token> tokens;

    private ItemNames(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** The name of a column without one, from 0, of a result with so many columns. */
    static String of(ClientStatement statement, int column, int columns) {
        ItemNames names = new ItemNames(statement.tokens());
        if (names.isValues()) {
            return "column" + (column + 1);
        }
        List<int[]> items = names.items(0, statement.tokens().size() - 1);
        List<Integer> stars = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            if (names.isStar(items.get(i))) {
                stars.add(i);
            }
        }
        int item = column;
        if (stars.size() == 1 && column > stars.getFirst()) {
            item = column - (columns - items.size());
        }
        boolean known = stars.isEmpty() && items.size() == columns || stars.size() == 1;
        return known && item >= 0 && item < items.size() ? names.name(items.get(item)[0], items.get(item)[1]) : UNNAMED;
    }

    private boolean isValues() {
        return tokens.getFirst().isWord("VALUES");
    }

    private boolean isStar(int[] item) {
        return tokens.get(item[1] - 1).isSign('*')
                && (item[1] - item[0] == 1 || tokens.get(item[1] - 2).isSign('.'));
    }

    /** The first and the last index, which is left out, of each item between two indexes. */
    private List<int[]> items(int from, int to) {
        List<int[]> items = new ArrayList<>();
        int at = from;
        while (at < to && !tokens.get(at).isWord("SELECT") && !tokens.get(at).isWord("RETURNING")) {
            at = behind(at);
        }
        int start = at + 1;
        if (start < to
                && (tokens.get(start).isWord("DISTINCT") || tokens.get(start).isWord("ALL"))) {
            start++;
        }
        at = start;
        while (at <= to) {
            boolean ends = at == to
                    || tokens.get(at).kind() == Token.Kind.WORD
                            && ENDS.contains(tokens.get(at).text().toUpperCase(Locale.ROOT))
                            && !isWithinGroup(at);
            if (ends || tokens.get(at).isSign(',')) {
                if (at > start) {
                    items.add(new int[] {start, at});
                }
                if (ends) {
                    break;
                }
                start = at + 1;
            }
            at = behind(at);
        }
        return items;
    }

    private boolean isWithinGroup(int at) {
        return tokens.get(at).isWord("GROUP") && tokens.get(at - 1).isWord("WITHIN");
    }

    /** The index behind a token, or behind the parentheses that it opens. */
    private int behind(int at) {
        if (!tokens.get(at).isSign('(') && !tokens.get(at).isSign('[')) {
            return at + 1;
        }
        int depth = 0;
        for (int i = at; i < tokens.size() - 1; i++) {
            Token token = tokens.get(i);
            depth += token.isSign('(') || token.isSign('[') ? 1 : token.isSign(')') || token.isSign(']') ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return tokens.size() - 1;
    }

    private String name(int from, int to) {
        Token first = tokens.get(from);
        int cast = lastCast(from, to);
        if (cast > 0) {
            String inner = name(from, cast);
            return inner.equals(UNNAMED) ? typeName(tokens.get(cast + 2).text()) : inner;
        }
        if (first.isSign('(') && behind(from) == to) {
            return inParentheses(from, to);
        }
        boolean plain = first.kind() == Token.Kind.WORD || first.kind() == Token.Kind.QUOTED_NAME;
        if (!plain) {
            return UNNAMED;
        }
        if (to - from > 1 && tokens.get(to - 2).isWord("AS")) {
            return tokens.get(to - 1).text();
        }
        if (first.isWord("CASE") && tokens.get(to - 1).isWord("END")) {
            return "case";
        }
        int at = from;
        while (at + 2 < to && tokens.get(at + 1).isSign('.')) {
            at += 2;
        }
        String word = tokens.get(at).kind() == Token.Kind.WORD
                ? tokens.get(at).text().toLowerCase(Locale.ROOT)
                : tokens.get(at).text();
        if (at + 1 == to) {
            return first.kind() == Token.Kind.WORD && isConstant(word) ? constant(word) : word;
        }
        if (!tokens.get(at + 1).isSign('(') || behindCall(behind(at + 1), to) != to) {
            return UNNAMED;
        }
        if (word.equals("cast")) {
            return cast(at + 2, to - 1);
        }
        return word.equals("trim") ? trim(tokens.get(at + 2)) : word;
    }

    private String inParentheses(int from, int to) {
        if (!tokens.get(from + 1).isWord("SELECT")) {
            return name(from + 1, to - 1);
        }
        List<int[]> inner = items(from + 1, to - 1);
        return inner.isEmpty() ? UNNAMED : name(inner.getFirst()[0], inner.getFirst()[1]);
    }

    private static boolean isConstant(String word) {
        return word.equals("true")
                || word.equals("false")
                || word.equals("null")
                || BARE.contains(word.toUpperCase(Locale.ROOT));
    }

    private static String constant(String word) {
        return switch (word) {
            case "true", "false" -> "bool";
            case "null" -> UNNAMED;
            default -> word;
        };
    }

    private static String trim(Token side) {
        return side.isWord("LEADING") ? "ltrim" : side.isWord("TRAILING") ? "rtrim" : "btrim";
    }

    /** The index behind FILTER, WITHIN GROUP and OVER. */
    private int behindCall(int from, int to) {
        int at = from;
        while (at < to
                && tokens.get(at).kind() == Token.Kind.WORD
                && BEHIND_CALLS.contains(tokens.get(at).text().toUpperCase(Locale.ROOT))) {
            at = behind(at + 1);
        }
        return at;
    }

    /** The index of the last {@code ::} that casts a whole item, or 0. */
    private int lastCast(int from, int to) {
        int found = 0;
        for (int at = from; at < to; at = behind(at)) {
            boolean cast = at + 2 < to
                    && tokens.get(at).isSign(':')
                    && tokens.get(at + 1).isSign(':');
            if (cast && at > from && isTypeOnly(at + 2, to)) {
                found = at;
            }
        }
        return found;
    }

    private boolean isTypeOnly(int from, int to) {
        for (int at = from; at < to; at = behind(at)) {
            Token token = tokens.get(at);
            if (token.kind() != Token.Kind.WORD && !token.isSign('(') && !token.isSign('[')) {
                return false;
            }
        }
        return true;
    }

    /** The name of what stands between the parentheses of CAST. */
    private String cast(int from, int to) {
        for (int at = from; at < to; at = behind(at)) {
            if (tokens.get(at).isWord("AS") && at + 1 < to) {
                String inner = name(from, at);
                return inner.equals(UNNAMED) ? typeName(tokens.get(at + 1).text()) : inner;
            }
        }
        return UNNAMED;
    }

    private static String typeName(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        return switch (name) {
            case "int", "integer" -> "int4";
            case "bigint" -> "int8";
            case "smallint" -> "int2";
            case "boolean" -> "bool";
            case "decimal" -> "numeric";
            case "double", "float" -> "float8";
            case "real" -> "float4";
            case "char", "character" -> "bpchar";
            default -> name;
        };
    }
}

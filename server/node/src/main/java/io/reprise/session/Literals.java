package io.reprise.session;

import io.reprise.catalog.SqlType;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The literals of a statement that may become parameters of the engine, so that statements that differ in them only share one plan.
 * Drivers that bind on their side, and people, write such statements. A literal is lifted only where a parameter means the same:
 * compared with a column, assigned to one, in a list of IN, between the bounds of BETWEEN, and in the rows of an INSERT.
 */
final class Literals {
    /** More parameters than this make plans long, and such statements rarely return. */
    private static final int MOST = 256;

    private static final int DATE_LENGTH = 10;

    private final List<Token> tokens;
    private final BitSet lifted = new BitSet();

    private Literals(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** The indexes of the tokens of a query or a write that can be lifted; a negative number begins at its sign. */
    static BitSet of(ClientStatement statement) {
        Literals literals = new Literals(statement.tokens());
        boolean inserts =
                statement.word(0).equals("INSERT") || statement.word(0).equals("UPSERT");
        literals.find(inserts);
        return literals.lifted;
    }

    private Token token(int index) {
        return tokens.get(Math.min(index, tokens.size() - 1));
    }

    private void find(boolean inserts) {
        boolean rows = inserts;
        for (int i = 1; i < tokens.size() - 1 && lifted.cardinality() < MOST; i++) {
            Token token = token(i);
            if (token.isWord("SELECT") || token.isWord("RETURNING") || token.isWord("CONFLICT")) {
                rows = false;
            }
            if (rows && token.isWord("VALUES") && token(i + 1).isSign('(')) {
                i = rows(i + 1);
            } else if (token.isWord("IN") && token(i + 1).isSign('(')) {
                list(i + 2);
            } else if (token.isWord("BETWEEN")) {
                between(i + 1);
            } else if (isLiteral(i) && isCompared(i) && isEnd(behind(i))) {
                lifted.set(i);
            }
        }
    }

    /** A literal begins here: a string, or a number with or without a sign. */
    private boolean isLiteral(int index) {
        Token token = token(index);
        return token.kind() == Token.Kind.STRING && !isTyped(index)
                || token.kind() == Token.Kind.NUMBER && isPlain(token)
                || token.isSign('-') && token(index + 1).kind() == Token.Kind.NUMBER && isPlain(token(index + 1));
    }

    private static boolean isPlain(Token number) {
        return number.text().matches("[0-9]{1,18}|[0-9]{1,15}\\.[0-9]{1,15}");
    }

    /** Whether a word before a string makes a literal of another type, such as DATE. */
    private boolean isTyped(int index) {
        return token(index - 1).kind() == Token.Kind.WORD && !token(index - 1).isWord("AND");
    }

    private int behind(int literal) {
        return token(literal).isSign('-') ? literal + 2 : literal + 1;
    }

    /** Whether the tokens before are a column and a comparison, or an assignment. */
    private boolean isCompared(int index) {
        int at = index - 1;
        if (!isComparison(token(at))) {
            return false;
        }
        at--;
        if (at > 0
                && isComparison(token(at))
                && token(at).end() == token(at + 1).start()) {
            at--;
        }
        Token column = token(Math.max(0, at));
        return column.kind() == Token.Kind.QUOTED_NAME
                || column.kind() == Token.Kind.WORD && !column.isWord("NULL") && !column.isWord("END");
    }

    private static boolean isComparison(Token token) {
        return token.isSign('=') || token.isSign('<') || token.isSign('>') || token.isSign('!');
    }

    /** Whether nothing more belongs to the literal's expression. */
    private boolean isEnd(int index) {
        Token token = token(index);
        if (token.kind() != Token.Kind.WORD) {
            return token.kind() == Token.Kind.END || token.isSign(')') || token.isSign(',');
        }
        return switch (token.text().toUpperCase(java.util.Locale.ROOT)) {
            case "AND", "OR", "WHERE", "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET", "FETCH", "FOR", "RETURNING" ->
                true;
            default -> false;
        };
    }

    private void list(int from) {
        int at = from;
        while (isLiteral(at)) {
            int next = behind(at);
            if (token(next).isSign(')')) {
                set(from, next);
                return;
            }
            if (!token(next).isSign(',')) {
                return;
            }
            at = next + 1;
        }
    }

    /** Lifts each literal of a list of literals. */
    private void set(int from, int end) {
        for (int at = from; at < end; at = behind(at) + 1) {
            lifted.set(at);
        }
    }

    private void between(int from) {
        int and = behind(from);
        if (isLiteral(from) && token(and).isWord("AND") && isLiteral(and + 1) && isEnd(behind(and + 1))) {
            lifted.set(from);
            lifted.set(and + 1);
        }
    }

    /** The rows of an INSERT. Returns the index of the last token. */
    private int rows(int from) {
        int at = from;
        while (token(at).isSign('(') || token(at).isSign(',') && token(at + 1).isSign('(')) {
            at += token(at).isSign(',') ? 2 : 1;
            int depth = 1;
            while (depth > 0 && token(at).kind() != Token.Kind.END) {
                Token before = token(at - 1);
                boolean first = before.isSign('(') || before.isSign(',');
                int next = behind(at);
                if (depth == 1
                        && first
                        && isLiteral(at)
                        && (token(next).isSign(',') || token(next).isSign(')'))) {
                    lifted.set(at);
                    at = next;
                    continue;
                }
                depth += token(at).isSign('(') ? 1 : token(at).isSign(')') ? -1 : 0;
                at++;
            }
        }
        return at - 1;
    }

    /**
     * The value of a lifted literal for the type of its parameter; empty: it might mean something else than the literal does.
     *
     * @param text the number with its sign, or the string behind a quotation mark
     */
    static Optional<Object> value(String text, SqlType type) {
        boolean string = text.startsWith("'");
        String content = string ? text.substring(1) : text;
        boolean fits = switch (ParameterValues.kind(type)) {
            case "TINYINT" -> isWithin(content, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case "SMALLINT" -> isWithin(content, Short.MIN_VALUE, Short.MAX_VALUE);
            case "INTEGER" -> isWithin(content, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "BIGINT" -> isWithin(content, Long.MIN_VALUE, Long.MAX_VALUE);
            case "DECIMAL" -> !string && isDecimal(content, type);
            case "DOUBLE" -> !string;
            case "DATE" -> string && content.length() == DATE_LENGTH;
            case "TIME" -> string && content.matches("[0-9]{2}:[0-9:.]+");
            case "TIMESTAMP" -> string && content.matches("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]+");
            case "VARCHAR" -> string && isShort(content, type);
            case "VARBINARY" -> string && type.isArray();
            default -> false;
        };
        if (!fits) {
            return Optional.empty();
        }
        RawParameter raw = new RawParameter(content.getBytes(StandardCharsets.UTF_8), false);
        try {
            return Optional.ofNullable(ParameterValues.of(raw, 0, type));
        } catch (RuntimeException invalid) {
            return Optional.empty();
        }
    }

    private static boolean isWithin(String number, long least, long most) {
        if (!number.matches("-?[0-9]{1,18}")) {
            return false;
        }
        long value = Long.parseLong(number);
        return value >= least && value <= most;
    }

    private static boolean isDecimal(String number, SqlType type) {
        int point = number.indexOf('.');
        int behind = point < 0 ? 0 : number.length() - point - 1;
        int before = (point < 0 ? number.length() : point) - (number.startsWith("-") ? 1 : 0);
        return behind <= type.decimals() && before <= type.precision() - type.decimals();
    }

    /** A longer string fails in an assignment and is unequal in a comparison. */
    private static boolean isShort(String text, SqlType type) {
        return type.precision() <= 0 || text.length() <= type.precision();
    }
}

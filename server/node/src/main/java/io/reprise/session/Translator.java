package io.reprise.session;

import io.reprise.catalog.SearchPath;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The translation of a statement from PostgreSQL's spelling to the engine's, token by token: names, strings, parameters, the schema
 * {@code public}, row locks, and functions of the session, which become literals.
 */
final class Translator {
    private static final int MOST_PARAMETER_DIGITS = 5;

    private final List<Token> tokens;
    private final String text;
    private final Function<String, String> functions;
    private final Map<Integer, String> casts;
    private final StringBuilder sql = new StringBuilder();
    private final List<Integer> parameters = new ArrayList<>();
    private final List<Integer> elements = new ArrayList<>();
    private final Map<Integer, Integer> places;
    private final List<Integer> outOffsets = new ArrayList<>();
    private final List<Integer> inOffsets = new ArrayList<>();
    private final BitSet lifted;
    private final SearchPath path;
    private final List<String> literals = new ArrayList<>();
    private int clientParameters;
    private int written;

    private Translator(
            ClientStatement statement,
            SearchPath path,
            Function<String, String> functions,
            Map<Integer, String> casts,
            Map<Integer, Integer> places,
            boolean lifts) {
        this.path = path;
        lifted = lifts ? Literals.of(statement) : new BitSet();
        tokens = statement.tokens();
        text = statement.text();
        this.functions = functions;
        this.casts = casts;
        this.places = places;
    }

    /**
     * Translates a statement.
     *
     * @param path the schemas in which names are looked up
     * @param functions the SQL literal for a function of the session such as {@code VERSION}, or null
     * @param casts types of parameters, from 0, that have to be written out
     */
    static Translation translate(
            ClientStatement statement,
            SearchPath path,
            Function<String, String> functions,
            Map<Integer, String> casts) {
        return translate(statement, path, functions, casts, Map.of(), false);
    }

    /**
     * The same for arrays of known lengths.
     *
     * @param places the number of places for the elements of each parameter, from 0, that is an array; usually 1
     * @param lifts whether literals become parameters where they mean the same
     */
    static Translation translate(
            ClientStatement statement,
            SearchPath path,
            Function<String, String> functions,
            Map<Integer, String> casts,
            Map<Integer, Integer> places,
            boolean lifts) {
        return new Translator(statement, path, functions, casts, places, lifts).run();
    }

    private Translation run() {
        sql.append(path.clause());
        int index = 0;
        int end = endWithoutLocks();
        boolean createsTable = (token(0).isWord("CREATE") || token(0).isWord("ALTER")) && token(1).isWord("TABLE");
        while (index < end) {
            index = translate(index);
            if (createsTable && endsPrimaryKey(index)) {
                sql.append(" USING ORDERED");
            }
        }
        return new Translation(
                sql.toString(),
                ints(parameters),
                ints(elements),
                List.copyOf(literals),
                clientParameters,
                ints(outOffsets),
                ints(inOffsets));
    }

    /** Whether a primary key of one column ends in front of an index. It is ordered, as PostgreSQL's are. */
    private boolean endsPrimaryKey(int index) {
        boolean ofColumn = isPrimaryKey(index - 2) && !token(index).isSign('(');
        boolean ofTable = index > 4
                && isPrimaryKey(index - 5)
                && token(index - 3).isSign('(')
                && token(index - 1).isSign(')');
        return (ofColumn || ofTable) && !token(index).isWord("USING");
    }

    private boolean isPrimaryKey(int index) {
        return index >= 0 && token(index).isWord("PRIMARY") && token(index + 1).isWord("KEY");
    }

    private static int[] ints(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Row locks have no meaning: a transaction that another one overtakes fails at COMMIT. */
    private int endWithoutLocks() {
        int end = tokens.size() - 1;
        for (int i = 1; i < end; i++) {
            if (tokens.get(i).isWord("FOR") && isLock(i + 1)) {
                for (int j = i; j < end; j++) {
                    if (tokens.get(j).isWord("SKIP")) {
                        throw SessionException.unsupported("SKIP LOCKED is not supported: rows are not locked");
                    }
                }
                return i;
            }
        }
        return end;
    }

    private boolean isLock(int index) {
        Token token = tokens.get(index);
        return token.isWord("UPDATE") || token.isWord("SHARE") || token.isWord("NO") || token.isWord("KEY");
    }

    /** Translates the token at an index. Returns the index of the next one. */
    private int translate(int index) {
        Token token = tokens.get(index);
        Token next = tokens.get(index + 1);
        if (lifted.get(index)) {
            return lift(index, token, next);
        }
        int behind = membership(index);
        if (behind > index) {
            return behind;
        }
        switch (token.kind()) {
            case PARAMETER -> {
                parameter(token);
                if (index > 0
                        && (token(index - 1).isWord("LIMIT") || token(index - 1).isWord("OFFSET"))) {
                    return behindCastOfLimit(index + 1);
                }
                escape(index);
            }
            case STRING -> {
                put(token, literal(token.text()));
                if (token.text().indexOf('\\') >= 0) {
                    escape(index);
                }
            }
            case QUOTED_NAME -> {
                if (path.isDefault() && token.text().equals("public") && next.isSign('.')) {
                    written = tokens.get(index + 1).end();
                    return index + 2;
                }
                put(token, '"' + Names.turned(token.text()).replace("\"", "\"\"") + '"');
            }
            case WORD -> {
                return word(index, token, next);
            }
            default -> put(token, token.text());
        }
        return index + 1;
    }

    /** A backslash in a pattern is PostgreSQL's escape character, and not the engine's. */
    private void escape(int pattern) {
        Token next = token(pattern + 1);
        boolean like = pattern > 0
                && (token(pattern - 1).isWord("LIKE") || token(pattern - 1).isWord("ILIKE"));
        if (like && !next.isWord("ESCAPE") && !next.isSign(':') && !next.isSign('|')) {
            sql.append(" ESCAPE '\\'");
        }
    }

    private int lift(int index, Token token, Token next) {
        boolean negative = token.isSign('-');
        literals.add(
                token.kind() == Token.Kind.STRING ? '\'' + token.text() : negative ? '-' + next.text() : token.text());
        parameters.add(-literals.size());
        elements.add(-1);
        put(token, "?");
        if (negative) {
            written = next.end();
        }
        return negative ? index + 2 : index + 1;
    }

    private Token token(int index) {
        return tokens.get(Math.min(index, tokens.size() - 1));
    }

    /**
     * Translates {@code = ANY (array)} to IN and {@code <> ALL (array)} to NOT IN. Returns the index behind it; {@code index}: there is
     * none.
     */
    private int membership(int index) {
        boolean any = token(index).isSign('=')
                && (token(index + 1).isWord("ANY") || token(index + 1).isWord("SOME"))
                && !isOperatorPart(index);
        boolean all = (token(index).isSign('<') && token(index + 1).isSign('>')
                        || token(index).isSign('!') && token(index + 1).isSign('='))
                && token(index + 2).isWord("ALL");
        int open = index + (any ? 2 : 3);
        if (!any && !all || !token(open).isSign('(')) {
            return index;
        }
        boolean list = token(open + 1).isWord("ARRAY") && token(open + 2).isSign('[');
        int end = list ? closing(open + 2) + 1 : open + 2;
        int close = behindArrayCast(end);
        if (!list && token(open + 1).kind() != Token.Kind.PARAMETER
                || !token(close).isSign(')')) {
            return index;
        }
        put(token(index), any ? "IN (" : "NOT IN (");
        if (list) {
            written = token(open + 2).end();
            int at = open + 3;
            while (at < end - 1) {
                at = translate(at);
            }
        } else {
            array(token(open + 1), all);
        }
        put(token(close), ")");
        return close + 1;
    }

    private boolean isOperatorPart(int index) {
        return index > 0
                && tokens.get(index - 1).kind() == Token.Kind.SIGN
                && "<>!=".contains(tokens.get(index - 1).text())
                && tokens.get(index - 1).end() == tokens.get(index).start();
    }

    /** The index of the bracket that closes the one at an index. */
    private int closing(int open) {
        int depth = 0;
        for (int at = open; at < tokens.size(); at++) {
            depth += token(at).isSign('[') ? 1 : token(at).isSign(']') ? -1 : 0;
            if (depth == 0) {
                return at;
            }
        }
        return tokens.size() - 1;
    }

    /** LIMIT and OFFSET take parameters without a cast. */
    private int behindCastOfLimit(int index) {
        if (!token(index).isSign(':') || !token(index + 1).isSign(':')) {
            return index;
        }
        written = token(index + 2).end();
        return index + 3;
    }

    /** The index behind a cast to an array's type, which the elements don't need. */
    private int behindArrayCast(int index) {
        if (!token(index).isSign(':') || !token(index + 1).isSign(':')) {
            return index;
        }
        int at = index + 2;
        while (token(at).kind() == Token.Kind.WORD || token(at).isSign('.')) {
            at++;
        }
        if (token(at).isSign('(')) {
            while (!token(at).isSign(')') && token(at).kind() != Token.Kind.END) {
                at++;
            }
            at++;
        }
        return token(at).isSign('[') && token(at + 1).isSign(']') ? at + 2 : index;
    }

    /** Writes the places for the elements of a parameter. */
    private void array(Token token, boolean negated) {
        int number = parameterNumber(token) - 1;
        int count = places.getOrDefault(number, 1);
        if (count == 0 && negated) {
            throw SessionException.unsupported("<> ALL of an empty array is not supported");
        }
        clientParameters = Math.max(clientParameters, number + 1);
        String place = place(number);
        for (int i = 0; i < Math.max(1, count); i++) {
            parameters.add(number);
            elements.add(i);
            sql.append(i == 0 ? "" : ", ").append(place);
        }
        written = token.end();
    }

    private String place(int number) {
        String type = casts.get(number);
        return type == null ? "?" : "CAST(? AS " + type + ")";
    }

    private int word(int index, Token token, Token next) {
        boolean qualified = index > 0 && tokens.get(index - 1).isSign('.');
        boolean needless = path.isDefault() && token.isWord("public") || isCatalogFunction(index);
        if (!qualified && next.isSign('.') && needless) {
            gap(token.start());
            written = next.end();
            return index + 2;
        }
        if (index == 0 && isAlterIfExists(tokens)) {
            put(token, "ALTER TABLE ");
            written = tokens.get(nameOfAlter(tokens) - 1).end();
            return nameOfAlter(tokens);
        }
        if (token.isWord("timestamp") && next.isSign('(') && isPrecision(index + 1)) {
            // Microseconds are kept whatever the precision.
            put(token, token.text());
            written = tokens.get(index + 3).end();
            return index + 4;
        }
        if (token.isWord("ESCAPE")
                && next.kind() == Token.Kind.STRING
                && next.text().isEmpty()) {
            // No escape, as the engine has it without the word.
            gap(token.start());
            written = next.end();
            return index + 2;
        }
        if (token.isWord("last_value") && !next.isSign('(')) {
            // The column of a sequence; the engine's grammar reserves the word for the function.
            put(token, "\"LAST_VALUE\"");
            return index + 1;
        }
        int behindSetting = SessionFunctions.behindSetting(tokens, index);
        if (behindSetting > index && functions instanceof SessionFunctions session) {
            put(token, session.setting(tokens, index));
            written = tokens.get(behindSetting - 1).end();
            if (isWholeItem(index, behindSetting)) {
                sql.append(" AS \"CURRENT_SETTING\"");
            }
            return behindSetting;
        }
        boolean called = next.isSign('(') && tokens.get(index + 2).isSign(')');
        boolean bare = !next.isSign('(') && !next.isSign('.');
        String name = token.text().toUpperCase(Locale.ROOT);
        String value = qualified && !isCatalogQualified(index) || !called && !(bare && isBareFunction(name))
                ? null
                : functions.apply(name);
        if (value == null) {
            put(token, isCastType(index) ? typeName(token.text()) : token.text());
            return index + 1;
        }
        put(token, value);
        int after = called ? index + 3 : index + 1;
        written = tokens.get(after - 1).end();
        if (isWholeItem(index, after)) {
            sql.append(" AS \"").append(name).append('"');
        }
        return after;
    }

    private boolean isPrecision(int open) {
        return tokens.get(open + 1).kind() == Token.Kind.NUMBER
                && tokens.get(open + 2).isSign(')');
    }

    /** Whether a statement is ALTER TABLE IF EXISTS. */
    static boolean isAlterIfExists(List<Token> tokens) {
        return tokens.size() > 5
                && tokens.get(0).isWord("ALTER")
                && tokens.get(1).isWord("TABLE")
                && tokens.get(2).isWord("IF")
                && tokens.get(3).isWord("EXISTS");
    }

    /** The index of the table's name in ALTER TABLE IF EXISTS. */
    static int nameOfAlter(List<Token> tokens) {
        return tokens.get(4).isWord("ONLY") ? 5 : 4;
    }

    private boolean isCatalogQualified(int index) {
        return index > 1 && tokens.get(index - 2).isWord("pg_catalog");
    }

    private boolean isCatalogFunction(int index) {
        return tokens.get(index).isWord("pg_catalog")
                && index + 3 < tokens.size()
                && tokens.get(index + 3).isSign('(');
    }

    private boolean isCastType(int index) {
        if (index < 2) {
            return false;
        }
        Token before = tokens.get(index - 1);
        Token next = tokens.get(index + 1);
        return before.isSign(':') && tokens.get(index - 2).isSign(':')
                || before.isWord("AS") && (next.isSign(')') || next.isSign('('));
    }

    /** The engine's name of a type that PostgreSQL has a short name for. */
    private static String typeName(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "int2" -> "SMALLINT";
            case "int4", "int" -> "INTEGER";
            case "int8" -> "BIGINT";
            case "float8" -> "DOUBLE";
            case "bool" -> "BOOLEAN";
            case "bpchar" -> "VARCHAR";
            default -> name;
        };
    }

    private static boolean isBareFunction(String name) {
        return switch (name) {
            case "CURRENT_USER", "SESSION_USER", "CURRENT_CATALOG", "CURRENT_SCHEMA", "CURRENT_ROLE" -> true;
            default -> false;
        };
    }

    /** Whether the function is the whole of an item of SELECT, which is then named after it. */
    private boolean isWholeItem(int index, int after) {
        int before = index > 1 && isCatalogQualified(index) ? index - 3 : index - 1;
        if (before < 0
                || !(tokens.get(before).isWord("SELECT") || tokens.get(before).isSign(','))) {
            return false;
        }
        Token next = tokens.get(after);
        return next.kind() == Token.Kind.END || next.isSign(',') || next.isWord("FROM");
    }

    /** The number of a parameter, from 1. */
    static int parameterNumber(Token token) {
        String digits = token.text();
        int number = digits.length() > MOST_PARAMETER_DIGITS ? 0 : Integer.parseInt(digits);
        if (number < 1 || number > Short.MAX_VALUE * 2 + 1) {
            throw new SessionException("42P02", "there is no parameter $" + digits, "", token.start() + 1);
        }
        return number;
    }

    private void parameter(Token token) {
        int number = parameterNumber(token);
        clientParameters = Math.max(clientParameters, number);
        parameters.add(number - 1);
        elements.add(-1);
        put(token, place(number - 1));
    }

    private void put(Token token, String replacement) {
        gap(token.start());
        outOffsets.add(sql.length());
        inOffsets.add(token.start());
        sql.append(replacement);
        written = token.end();
    }

    /** Copies blanks before a token; a comment becomes a blank. */
    private void gap(int to) {
        if (to <= written) {
            return;
        }
        String between = text.substring(written, to);
        sql.append(between.isBlank() ? between : " ");
        written = to;
    }

    /** A string as a literal. */
    static String literal(String content) {
        return '\'' + content.replace("'", "''") + '\'';
    }
}

package io.reprise.session;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The translation of a catalogue query to Calcite's SQL, token by token: casts with {@code ::}, regular expressions, collations and
 * functions of the session. A cast or an operator is written behind its left operand, so the operand is taken back from the output.
 */
final class SystemTranslator {
    private static final int MOST_ROWS = 1000;
    private static final Set<String> CATALOG_FUNCTIONS = Set.of(
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
    private static final String NULL = "CAST(NULL AS VARCHAR)";

    /** A literal of its own has type CHAR, which Calcite pads with blanks where it meets longer ones. */
    private static final String LITERAL = "CAST(";

    private static final String LITERAL_END = " AS VARCHAR)";

    private final List<Token> tokens;
    private final Function<String, String> functions;
    private final ToLongFunction<String> relationOid;
    private final String[] arguments;
    private final StringBuilder sql = new StringBuilder();

    private final boolean expandsKeys;
    private final boolean expandsSubscripts;

    /** The first token of each cast's or subscript's operand, by its last token. */
    private final Map<Integer, Integer> firstOfCasts = new HashMap<>();

    private int operandFirst;

    /** The place in the output of each token written, for operands. */
    private final int[] places;

    private SystemTranslator(
            ClientStatement statement,
            Function<String, String> functions,
            ToLongFunction<String> relationOid,
            String... arguments) {
        tokens = statement.tokens();
        this.functions = functions;
        this.relationOid = relationOid;
        this.arguments = arguments;
        expandsSubscripts = tokens.stream().anyMatch(token -> token.isWord("generate_subscripts"));
        expandsKeys = tokens.stream().anyMatch(token -> token.isWord("_pg_expandarray"));
        places = new int[tokens.size()];
    }

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
        return token.kind() == Token.Kind.WORD
                && tokens.get(index + 1).isSign('(')
                && CATALOG_FUNCTIONS.contains(token.text().toLowerCase(Locale.ROOT));
    }

    /** Whether a query that names no schema is the engine's: it reads tables, or draws from a sequence. */
    private static boolean isOfEngine(List<Token> tokens) {
        return tokens.stream()
                .anyMatch(token -> token.isWord("FROM")
                        || token.isWord("nextval")
                        || token.isWord("currval")
                        || token.isWord("setval"));
    }

    /**
     * Translates a query.
     *
     * @param relationOid the number of a relation by its name
     * @param arguments literals for the parameters; missing ones are NULL
     */
    static String translate(
            ClientStatement statement,
            Function<String, String> functions,
            ToLongFunction<String> relationOid,
            String... arguments) {
        SystemTranslator translator = new SystemTranslator(statement, functions, relationOid, arguments);
        int index = 0;
        while (index < translator.tokens.size() - 1) {
            translator.places[index] = translator.sql.length();
            int next = translator.translate(index);
            for (int i = index + 1; i < next; i++) {
                translator.places[i] = translator.places[index];
            }
            index = next;
        }
        return translator.sql.toString();
    }

    private Token token(int index) {
        return tokens.get(Math.min(index, tokens.size() - 1));
    }

    private int translate(int index) {
        Token token = token(index);
        if (token.isSign(':') && token(index + 1).isSign(':')) {
            return cast(index);
        }
        if (token.isSign('~') || token.isSign('!') && token(index + 1).isSign('~')) {
            boolean negated = token.isSign('!');
            return matches(index, index + (negated ? 2 : 1), negated);
        }
        if (token.isWord("SELECT") && isPartitionAncestors(index + 1)) {
            return afterUnion(index);
        }
        if (token.isWord("ARRAY") && token(index + 1).isSign('(') && readsMembers(index)) {
            return none(index);
        }
        if (token.isSign('[')) {
            return element(index);
        }
        if (token.isSign('&')) {
            return bitAnd(index);
        }
        if (token.isWord("generate_series") && token(index + 1).isSign('(')) {
            return series(index);
        }
        int expanded = expanded(index);
        if (expanded > index) {
            return expanded;
        }
        if (token.isSign('=')
                && (token(index + 1).isWord("ANY") || token(index + 1).isWord("SOME"))
                && token(index + 3).isWord("ARRAY")
                && token(index + 4).isSign('[')) {
            return anyOf(index);
        }
        if (token.isSign('(')
                && token(index + 1).isWord("SELECT")
                && token(index + 2).isWord("json_build_object")) {
            // SQLAlchemy asks for options of identities and collations so; columns have none.
            put(index, NULL);
            return closing(index) + 1;
        }
        if (token.isWord("to_regtype") && token(index + 1).isSign('(')) {
            put(index, "CAST(NULL AS BIGINT)");
            return closing(index + 1) + 1;
        }
        if (token.isSign('=')
                && token(index + 1).isWord("ANY")
                && token(index + 2).isSign('(')
                && token(index + 4).isSign('.')
                && token(index + 6).isSign(')')) {
            return anyOfColumn(index);
        }
        if (token.isWord("SELECT") && token(index + 1).isWord("FROM")) {
            put(index, "SELECT 1");
            return index + 1;
        }
        if (token.isWord("generate_subscripts") && expandsSubscripts) {
            put(index, "(key_n - 1)");
            return closing(index + 1) + 1;
        }
        if (token.isWord("AS") && token(index + 2).isSign(')') && isOpenCast(index)) {
            return castType(index);
        }
        if (token.isWord("OPERATOR") && token(index + 1).isSign('(')) {
            return operator(index);
        }
        if (token.isWord("COLLATE")) {
            return token(index + 2).isSign('.') ? index + 4 : index + 2;
        }
        if (token.isSign('(') && isCurrentSchemas(index)) {
            sql.append(" 'public' ");
            return after(index, ']');
        }
        return switch (token.kind()) {
            case STRING -> put(index, LITERAL + Translator.literal(token.text()) + LITERAL_END);
            case QUOTED_NAME -> put(index, '"' + token.text().replace("\"", "\"\"") + '"');
            case PARAMETER -> {
                int number = Translator.parameterNumber(token) - 1;
                yield put(index, number < arguments.length ? arguments[number] : NULL);
            }
            case WORD -> word(index, token);
            default -> put(index, token.text());
        };
    }

    private int put(int index, String text) {
        boolean joined = index > 0
                && token(index).kind() == Token.Kind.SIGN
                && token(index - 1).kind() == Token.Kind.SIGN
                && token(index - 1).end() == token(index).start();
        if (!joined) {
            sql.append(' ');
            places[index] = sql.length();
        }
        sql.append(text);
        return index + 1;
    }

    private boolean isCurrentSchemas(int index) {
        int name = token(index + 1).isWord("pg_catalog") ? index + 3 : index + 1;
        return token(name).isWord("current_schemas");
    }

    private int after(int index, char sign) {
        int at = index;
        while (!token(at).isSign(sign) && token(at).kind() != Token.Kind.END) {
            at++;
        }
        return Math.min(at + 1, tokens.size() - 1);
    }

    private int word(int index, Token token) {
        if (token.isWord("pg_catalog")
                && token(index + 1).isSign('.')
                && token(index + 3).isSign('(')) {
            return index + 2;
        }
        if (token.isWord("result")) {
            return put(index, "\"result\"");
        }
        int behindSetting = SessionFunctions.behindSetting(tokens, index);
        if (behindSetting > index && functions instanceof SessionFunctions session) {
            put(index, "CAST(" + session.setting(tokens, index) + " AS VARCHAR)");
            return behindSetting;
        }
        String name = token.text().toUpperCase(Locale.ROOT);
        boolean called = token(index + 1).isSign('(') && token(index + 2).isSign(')');
        boolean qualified =
                index > 0 && token(index - 1).isSign('.') && !token(index - 2).isWord("pg_catalog");
        boolean bare = name.startsWith("CURRENT_")
                && !name.equals("CURRENT_DATABASE")
                && !token(index + 1).isSign('(')
                && !(index > 0 && token(index - 1).isWord("AS"));
        String value = qualified || !called && !bare ? null : functions.apply(name);
        boolean alias = index > 0
                && token(index - 1).isWord("AS")
                && !token(index + 1).isSign(')')
                && !token(index + 1).isSign('(');
        if (value == null && (alias || qualified && !token(index + 1).isSign('('))) {
            // A column or an alias may have a name that Calcite reserves.
            return put(index, '"' + token.text().toLowerCase(Locale.ROOT) + '"');
        }
        if (value == null) {
            return put(index, token.text());
        }
        put(index, "CAST(" + value + " AS VARCHAR)");
        return called ? index + 3 : index + 1;
    }

    /** Takes the operand before a token back from the output: a name with its qualifiers, a literal, or a call. */
    private String operand(int index) {
        int first = firstOfCasts.getOrDefault(index - 1, index - 1);
        if (first == index - 1 && token(first).isSign(')')) {
            int depth = 0;
            do {
                depth += token(first).isSign(')') ? 1 : token(first).isSign('(') ? -1 : 0;
                first--;
            } while (depth > 0 && first > 0);
            first++;
            if (first > 0 && token(first - 1).kind() == Token.Kind.WORD && isFunction(token(first - 1))) {
                first--;
            }
        }
        while (first >= 2 && token(first - 1).isSign('.')) {
            first -= 2;
        }
        operandFirst = first;
        String operand = sql.substring(places[first]).strip();
        sql.setLength(places[first]);
        return operand;
    }

    private static boolean isFunction(Token token) {
        return switch (token.text().toUpperCase(Locale.ROOT)) {
            case "AND", "OR", "NOT", "IN", "WHERE", "ON", "SELECT", "WHEN", "THEN", "ELSE" -> false;
            default -> true;
        };
    }

    private int cast(int index) {
        String operand = operand(index);
        int first = operandFirst;
        int at = index + 2;
        if (token(at + 1).isSign('.')) {
            at += 2;
        }
        String type = token(at).text().toLowerCase(Locale.ROOT);
        int next = at + 1;
        if (token(next).isSign('[')) {
            next = after(next, ']');
        } else if (token(next).isSign('(')) {
            next = after(next, ')');
        }
        firstOfCasts.put(next - 1, first);
        boolean literal = operand.startsWith(LITERAL + "'") && operand.endsWith("'" + LITERAL_END);
        sql.append(
                switch (type) {
                    case "regclass" ->
                        literal
                                ? "CAST(" + relationOid.applyAsLong(relationName(operand)) + " AS BIGINT)"
                                : "pg_relation_name(" + operand + ")";
                    case "regtype" -> "format_type(" + operand + ", CAST(NULL AS BIGINT))";
                    case "regproc" -> literal ? operand.replace("'pg_catalog.", "'") : operand;
                    case "regprocedure", "regnamespace", "oid", "int8", "int4", "int2", "bigint", "integer" ->
                        "CAST(" + operand + " AS BIGINT)";
                    case "bool", "boolean" -> "CAST(" + operand + " AS BOOLEAN)";
                    default -> "CAST(" + operand + " AS VARCHAR)";
                });
        return next;
    }

    private boolean isPartitionAncestors(int index) {
        return token(index).isWord("pg_partition_ancestors")
                || token(index).isWord("pg_catalog") && token(index + 2).isWord("pg_partition_ancestors");
    }

    /** Tables are no partitions of others, so the ancestors that a query adds by UNION ALL are left out. */
    private int afterUnion(int index) {
        int at = index;
        while (!token(at).isWord("UNION") && token(at).kind() != Token.Kind.END) {
            at++;
        }
        return Math.min(at + 2, tokens.size() - 1);
    }

    private boolean readsMembers(int index) {
        for (int i = index; i < closing(index + 1); i++) {
            if (token(i).isWord("pg_auth_members") || token(i).isWord("pg_policy") || token(i).isWord("attacl")) {
                return true;
            }
        }
        return false;
    }

    /** Roles have no members, columns no privileges and tables no policies. */
    private int none(int index) {
        put(index, "CAST('{}' AS VARCHAR)");
        return closing(index + 1) + 1;
    }

    /** The place of the parenthesis that closes the one at a place. */
    private int closing(int open) {
        int depth = 0;
        int at = open;
        while (token(at).kind() != Token.Kind.END) {
            depth += token(at).isSign('(') ? 1 : token(at).isSign(')') ? -1 : 0;
            if (depth == 0) {
                return at;
            }
            at++;
        }
        return tokens.size() - 2;
    }

    /** An element of an array or a vector. */
    private int element(int index) {
        String operand = operand(index);
        int first = operandFirst;
        sql.append(" pg_element(").append(operand).append(", ");
        int at = index + 1;
        while (!token(at).isSign(']') && token(at).kind() != Token.Kind.END) {
            places[at] = sql.length();
            at = translate(at);
        }
        sql.append(')');
        firstOfCasts.put(at, first);
        return Math.min(at + 1, tokens.size() - 1);
    }

    /** {@code = ANY (ARRAY[...])} as IN. */
    private int anyOf(int index) {
        put(index, "IN (");
        int close = closing(index + 2);
        int at = index + 5;
        while (at < close && !token(at).isSign(']')) {
            places[at] = sql.length();
            at = translate(at);
        }
        sql.append(')');
        return close + 1;
    }

    /** {@code = ANY (t.list)} of a list in a column. */
    private int anyOfColumn(int index) {
        String operand = operand(index);
        sql.append(" pg_contains(")
                .append(token(index + 3).text())
                .append('.')
                .append(token(index + 5).text())
                .append(", ")
                .append(operand)
                .append(')');
        return index + 7;
    }

    /** The place of the parenthesis that is open before a place. */
    private int open(int index) {
        int depth = 0;
        for (int at = index - 1; at >= 0; at--) {
            depth += token(at).isSign(')') ? 1 : token(at).isSign('(') ? -1 : 0;
            if (depth < 0) {
                return at;
            }
        }
        return 0;
    }

    private boolean isOpenCast(int index) {
        int open = open(index);
        return open > 0 && token(open - 1).isWord("CAST");
    }

    /** The type of a CAST whose types only PostgreSQL has. */
    private int castType(int index) {
        String type = token(index + 1).text().toLowerCase(Locale.ROOT);
        switch (type) {
            case "regclass" -> {
                int open = open(index);
                String operand = sql.substring(places[open] + 1);
                sql.setLength(places[open - 1]);
                sql.append("pg_relation_oid(").append(operand).append(')');
                return index + 3;
            }
            case "text" -> put(index, "AS VARCHAR");
            case "oid" -> put(index, "AS BIGINT");
            default -> {
                put(index, "AS");
                return index + 1;
            }
        }
        return index + 2;
    }

    private int bitAnd(int index) {
        String operand = operand(index);
        sql.append(" pg_bit_and(")
                .append(operand)
                .append(", ")
                .append(token(index + 1).text())
                .append(')');
        boolean cast = token(index + 2).isSign(':') && token(index + 3).isSign(':');
        return Math.min(index + (cast ? 5 : 2), tokens.size() - 1);
    }

    /** A series between two literals, as rows. */
    private int series(int index) {
        int close = closing(index + 1) + 1;
        boolean ofSchemas = token(index + 4).isWord("array_upper");
        long from = number(index + 2);
        // The schemas that are searched: one.
        long to = ofSchemas ? 1 : number(index + 4);
        if (!ofSchemas && close != index + 6 || to - from > MOST_ROWS) {
            throw SessionException.unsupported(
                    "generate_series in a query of the catalogue takes two numbers, at most " + MOST_ROWS + " apart");
        }
        sql.append(" (VALUES ");
        for (long value = from; value <= to; value++) {
            sql.append(value == from ? "(CAST(" : ", (CAST(").append(value).append(" AS BIGINT))");
        }
        sql.append(") AS");
        return token(close).isWord("AS") ? close + 1 : close;
    }

    private long number(int index) {
        String text = token(index).text();
        if (!text.matches("[0-9]{1,9}")) {
            throw SessionException.unsupported("generate_series in a query of the catalogue takes numbers only");
        }
        return Long.parseLong(text);
    }

    /**
     * Translates pgjdbc's {@code (information_schema._pg_expandarray(i.indkey)).n}: the table has one row for each column of an index
     * then. Returns the index behind it; {@code index}: there is none.
     */
    private int expanded(int index) {
        if (expandsSubscripts && token(index).isWord("pg_index")) {
            return put(index, "pg_index_keys");
        }
        if (!expandsKeys) {
            return index;
        }
        Token token = token(index);
        if (token.isWord("pg_index") && expands("indkey")) {
            return put(index, "pg_index_keys");
        }
        if (token.isWord("pg_constraint") && expands("conkey")) {
            return put(index, "pg_constraint_keys");
        }
        if (token.isSign('(') && isExpansion(index + 1) && token(index + 10).isSign('.')) {
            put(index, token(index + 5).text() + ".key_" + token(index + 11).text());
            return index + 12;
        }
        if (isExpansion(index)) {
            put(index, token(index + 4).text() + ".key_x");
            return index + 8;
        }
        boolean field = token.isSign('(')
                && token(index + 2).isSign('.')
                && token(index + 4).isSign(')')
                && token(index + 5).isSign('.')
                && token(index + 6).isWord("x");
        if (field) {
            put(index, '"' + token(index + 1).text() + "\"." + token(index + 3).text());
            return index + 7;
        }
        return index;
    }

    private boolean expands(String column) {
        for (int i = 0; i < tokens.size(); i++) {
            if (isExpansion(i) && token(i + 6).isWord(column)) {
                return true;
            }
        }
        return false;
    }

    private boolean isExpansion(int index) {
        return token(index).isWord("information_schema") && token(index + 2).isWord("_pg_expandarray");
    }

    private static String relationName(String literal) {
        return literal.substring(LITERAL.length() + 1, literal.length() - LITERAL_END.length() - 1);
    }

    private int operator(int index) {
        int close = after(index, ')');
        StringBuilder signs = new StringBuilder();
        for (int i = index + 2; i < close - 1; i++) {
            if (token(i).kind() == Token.Kind.SIGN && !token(i).isSign('.')) {
                signs.append(token(i).text());
            }
        }
        String operator = signs.toString();
        if (operator.startsWith("~") || operator.startsWith("!~")) {
            return matches(index, close, operator.startsWith("!"));
        }
        sql.append(' ').append(operator);
        return close;
    }

    private int matches(int operatorAt, int patternAt, boolean negated) {
        String operand = operand(operatorAt);
        int pattern = token(patternAt).isSign('*') ? patternAt + 1 : patternAt;
        sql.append(negated ? " NOT " : " ")
                .append("pg_matches(")
                .append(operand)
                .append(", ");
        Token right = token(pattern);
        int next = right.isSign('(') ? pattern + 1 : pattern;
        translate(next);
        sql.append(')');
        return right.isSign('(') ? next + 2 : next + 1;
    }
}

package io.reprise.session;

import io.reprise.catalog.SearchPath;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The translation of a catalogue query to Calcite's SQL, token by token: casts with {@code ::}, regular expressions, collations and
 * functions of the session. A cast or an operator is written behind its left operand, so the operand is taken back from the output.
 */
final class SystemTranslator {
    private static final int MOST_ROWS = 1000;
    private static final String NULL = "CAST(NULL AS VARCHAR)";

    /** A literal of its own has type CHAR, which Calcite pads with blanks where it meets longer ones. */
    private static final String LITERAL = "CAST(";

    private static final String LITERAL_END = " AS VARCHAR)";

    private final TranslatedQuery out;
    private final KeyExpansion keys;
    private final Function<String, String> functions;
    private final ToLongFunction<String> relationOid;
    private final String[] arguments;
    private final SearchPath path;

    private SystemTranslator(
            ClientStatement statement,
            SearchPath path,
            Function<String, String> functions,
            ToLongFunction<String> relationOid,
            String... arguments) {
        this.path = path;
        out = new TranslatedQuery(statement.tokens());
        keys = new KeyExpansion(out);
        this.functions = functions;
        this.relationOid = relationOid;
        this.arguments = arguments;
    }

    /**
     * Translates a query.
     *
     * @param path the schemas in which names are looked up
     * @param relationOid the number of a relation by its name
     * @param arguments literals for the parameters; missing ones are NULL
     */
    static String translate(
            ClientStatement statement,
            SearchPath path,
            Function<String, String> functions,
            ToLongFunction<String> relationOid,
            String... arguments) {
        SystemTranslator translator = new SystemTranslator(statement, path, functions, relationOid, arguments);
        TranslatedQuery out = translator.out;
        int index = 0;
        while (index < out.length()) {
            out.begin(index);
            int next = translator.translate(index);
            out.share(index, next);
            index = next;
        }
        return out.toString();
    }

    private Token token(int index) {
        return out.token(index);
    }

    private int put(int index, String text) {
        return out.put(index, text);
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
        int expanded = keys.translate(index);
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
            return out.closing(index) + 1;
        }
        if (token.isWord("to_regtype") && token(index + 1).isSign('(')) {
            put(index, "CAST(NULL AS BIGINT)");
            return out.closing(index + 1) + 1;
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
        if (token.isWord("AS") && token(index + 2).isSign(')') && isOpenCast(index)) {
            return castType(index);
        }
        if (token.isWord("OPERATOR") && token(index + 1).isSign('(')) {
            return operator(index);
        }
        if (token.isWord("COLLATE")) {
            return token(index + 2).isSign('.') ? index + 4 : index + 2;
        }
        if (token.isWord("array_position") && isCurrentSchemas(index + 1)) {
            return schemaPosition(index);
        }
        if (token.isSign('(') && isCurrentSchemas(index)) {
            out.append(" CAST(" + functions.apply("CURRENT_SCHEMA") + " AS VARCHAR) ");
            return out.after(index, ']');
        }
        return switch (token.kind()) {
            case STRING -> put(index, LITERAL + Translator.literal(token.text()) + LITERAL_END);
            case QUOTED_NAME ->
                isSchemaOfFunction(index, token)
                        ? index + 2
                        : put(index, '"' + token.text().replace("\"", "\"\"") + '"');
            case PARAMETER -> {
                int number = Translator.parameterNumber(token) - 1;
                yield put(index, number < arguments.length ? arguments[number] : NULL);
            }
            case WORD -> word(index, token);
            default -> put(index, token.text());
        };
    }

    private boolean isCurrentSchemas(int index) {
        int name = token(index + 1).isWord("pg_catalog") ? index + 3 : index + 1;
        return token(name).isWord("current_schemas");
    }

    /** The place of a schema among those that are searched. */
    private int schemaPosition(int index) {
        int close = out.closing(index + 1);
        int comma = close;
        while (!token(comma).isSign(',')) {
            comma--;
        }
        StringBuilder schema = new StringBuilder();
        for (int at = comma + 1; at < close; at++) {
            schema.append(token(at).text());
        }
        StringBuilder places = new StringBuilder("CASE CAST(" + schema + " AS VARCHAR) WHEN 'pg_catalog' THEN 1");
        int place = 2;
        for (String searched : path.schemas()) {
            places.append(" WHEN ")
                    .append(Translator.literal(Names.turned(searched)))
                    .append(" THEN ")
                    .append(place++);
        }
        put(index, places.append(" END").toString());
        return close + 1;
    }

    private boolean isSchemaOfFunction(int index, Token token) {
        return token.isName("pg_catalog")
                && token(index + 1).isSign('.')
                && token(index + 3).isSign('(');
    }

    private int word(int index, Token token) {
        if (isSchemaOfFunction(index, token)) {
            return index + 2;
        }
        if (token.isWord("result")) {
            return put(index, "\"result\"");
        }
        int behindSetting = SessionFunctions.behindSetting(out.tokens(), index);
        if (behindSetting > index && functions instanceof SessionFunctions session) {
            put(index, "CAST(" + session.setting(out.tokens(), index) + " AS VARCHAR)");
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

    private int cast(int index) {
        String operand = out.operand(index);
        int first = out.operandFirst();
        int at = index + 2;
        if (token(at + 1).isSign('.')) {
            at += 2;
        }
        String type = token(at).text().toLowerCase(Locale.ROOT);
        int next = at + 1;
        if (token(next).isSign('[')) {
            next = out.after(next, ']');
        } else if (token(next).isSign('(')) {
            next = out.after(next, ')');
        }
        out.isOperand(first, next - 1);
        boolean literal = operand.startsWith(LITERAL + "'") && operand.endsWith("'" + LITERAL_END);
        out.append(
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
        return Math.min(at + 2, out.length());
    }

    private boolean readsMembers(int index) {
        for (int i = index; i < out.closing(index + 1); i++) {
            if (token(i).isWord("pg_auth_members") || token(i).isWord("pg_policy") || token(i).isWord("attacl")) {
                return true;
            }
        }
        return false;
    }

    /** Roles have no members, columns no privileges and tables no policies. */
    private int none(int index) {
        put(index, "CAST('{}' AS VARCHAR)");
        return out.closing(index + 1) + 1;
    }

    /** An element of an array or a vector. */
    private int element(int index) {
        String operand = out.operand(index);
        int first = out.operandFirst();
        out.append(" pg_element(").append(operand).append(", ");
        int at = index + 1;
        while (!token(at).isSign(']') && token(at).kind() != Token.Kind.END) {
            out.begin(at);
            at = translate(at);
        }
        out.append(')');
        out.isOperand(first, at);
        return Math.min(at + 1, out.length());
    }

    /** {@code = ANY (ARRAY[...])} as IN. */
    private int anyOf(int index) {
        put(index, "IN (");
        int close = out.closing(index + 2);
        int at = index + 5;
        while (at < close && !token(at).isSign(']')) {
            out.begin(at);
            at = translate(at);
        }
        out.append(')');
        return close + 1;
    }

    /** {@code = ANY (t.list)} of a list in a column. */
    private int anyOfColumn(int index) {
        String operand = out.operand(index);
        out.append(" pg_contains(")
                .append(token(index + 3).text())
                .append('.')
                .append(token(index + 5).text())
                .append(", ")
                .append(operand)
                .append(')');
        return index + 7;
    }

    private boolean isOpenCast(int index) {
        int open = out.open(index);
        return open > 0 && token(open - 1).isWord("CAST");
    }

    /** The type of a CAST whose types only PostgreSQL has. */
    private int castType(int index) {
        String type = token(index + 1).text().toLowerCase(Locale.ROOT);
        switch (type) {
            case "regclass" -> {
                int open = out.open(index);
                String operand = out.takeFrom(open).substring(1);
                out.takeFrom(open - 1);
                out.append("pg_relation_oid(").append(operand).append(')');
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
        String operand = out.operand(index);
        out.append(" pg_bit_and(")
                .append(operand)
                .append(", ")
                .append(token(index + 1).text())
                .append(')');
        boolean cast = token(index + 2).isSign(':') && token(index + 3).isSign(':');
        return Math.min(index + (cast ? 5 : 2), out.length());
    }

    /** A series between two literals, as rows. */
    private int series(int index) {
        int close = out.closing(index + 1) + 1;
        boolean ofSchemas = token(index + 4).isWord("array_upper");
        long from = number(index + 2);
        // The schemas that are searched: one.
        long to = ofSchemas ? 1 : number(index + 4);
        if (!ofSchemas && close != index + 6 || to - from > MOST_ROWS) {
            throw SessionException.unsupported(
                    "generate_series in a query of the catalogue takes two numbers, at most " + MOST_ROWS + " apart");
        }
        out.append(" (VALUES ");
        for (long value = from; value <= to; value++) {
            out.append(value == from ? "(CAST(" : ", (CAST(")
                    .append(Long.toString(value))
                    .append(" AS BIGINT))");
        }
        out.append(") AS");
        return token(close).isWord("AS") ? close + 1 : close;
    }

    private long number(int index) {
        String text = token(index).text();
        if (!text.matches("[0-9]{1,9}")) {
            throw SessionException.unsupported("generate_series in a query of the catalogue takes numbers only");
        }
        return Long.parseLong(text);
    }

    private static String relationName(String literal) {
        return literal.substring(LITERAL.length() + 1, literal.length() - LITERAL_END.length() - 1);
    }

    private int operator(int index) {
        int close = out.after(index, ')');
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
        out.append(' ').append(operator);
        return close;
    }

    private int matches(int operatorAt, int patternAt, boolean negated) {
        String operand = out.operand(operatorAt);
        int pattern = token(patternAt).isSign('*') ? patternAt + 1 : patternAt;
        out.append(negated ? " NOT " : " ")
                .append("pg_matches(")
                .append(operand)
                .append(", ");
        Token right = token(pattern);
        int next = right.isSign('(') ? pattern + 1 : pattern;
        translate(next);
        out.append(')');
        return right.isSign('(') ? next + 2 : next + 1;
    }
}

package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A query that does nothing but to change a setting, {@code SELECT set_config(name, value, is_local)}: SET for programs that bind the
 * value.
 *
 * @param column the name of its column
 * @param arguments three texts, or parameters
 */
record SetConfigCall(String column, List<Object> arguments) {
    private static final int ARGUMENTS = 3;

    /** The call in a statement; empty: the statement is something else. */
    static Optional<SetConfigCall> of(ClientStatement statement) {
        List<Token> tokens = statement.tokens();
        int at = tokens.size() > 3
                        && tokens.get(1).isWord("pg_catalog")
                        && tokens.get(2).isSign('.')
                ? 3
                : 1;
        boolean calls = statement.word(0).equals("SELECT")
                && statement.word(at).equals("SET_CONFIG")
                && tokens.get(at + 1).isSign('(');
        if (!calls) {
            return Optional.empty();
        }
        List<Object> arguments = new ArrayList<>();
        int next = at + 1;
        do {
            next++;
            Token token = tokens.get(next);
            switch (token.kind()) {
                case PARAMETER -> arguments.add(new ProcedureCall.Parameter(Translator.parameterNumber(token) - 1));
                case STRING, WORD -> arguments.add(token.text());
                default -> throw SessionException.syntax("set_config takes texts or parameters", token.start());
            }
            next++;
            while (tokens.get(next).isSign(':') && tokens.get(next + 1).isSign(':')) {
                next += 3;
            }
        } while (tokens.get(next).isSign(','));
        if (!tokens.get(next).isSign(')') || arguments.size() != ARGUMENTS) {
            throw SessionException.syntax(
                    "expected set_config(name, value, is_local)",
                    tokens.get(next).start());
        }
        next += tokens.get(next + 1).isWord("AS") ? 2 : 1;
        String column = "set_config";
        if (tokens.get(next).kind() != Token.Kind.END) {
            column = SettingStatements.name(statement, next);
            next++;
        }
        if (tokens.get(next).kind() != Token.Kind.END) {
            throw SessionException.unsupported("a query with set_config has nothing beside it");
        }
        return Optional.of(new SetConfigCall(column, List.copyOf(arguments)));
    }

    /** The prepared statement. */
    Prepared prepared(ClientStatement statement, int... declared) {
        List<PgType> types = new ArrayList<>();
        for (Object argument : arguments) {
            if (argument instanceof ProcedureCall.Parameter(int number)) {
                while (types.size() <= number) {
                    int oid = types.size() < declared.length ? declared[types.size()] : 0;
                    PgType type = arguments.indexOf(argument) == 2 ? PgType.BOOL : PgType.TEXT;
                    types.add(oid == 0 ? type : PgType.declared(oid));
                }
            }
        }
        return new Prepared(
                statement,
                ClientStatement.Kind.SET_CONFIG,
                null,
                List.of(),
                List.of(),
                "",
                List.copyOf(types),
                declared,
                List.of(new ResultColumn(column, PgType.TEXT)),
                true);
    }

    /** The arguments as texts. */
    Object[] arguments(Prepared prepared, RawParameter... values) {
        Object[] texts = new Object[ARGUMENTS];
        for (int i = 0; i < ARGUMENTS; i++) {
            Object argument = arguments.get(i);
            if (argument instanceof ProcedureCall.Parameter(int number)) {
                Object value = ParameterValues.of(
                        values[number], Preparation.oid(prepared, number), io.reprise.catalog.SqlType.varchar(1));
                texts[i] = value == null ? "" : value.toString();
            } else {
                texts[i] = argument;
            }
        }
        return texts;
    }
}

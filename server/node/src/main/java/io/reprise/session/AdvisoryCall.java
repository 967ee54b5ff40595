package io.reprise.session;

import io.reprise.catalog.SqlType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A query that does nothing but to take or free an advisory lock, such as {@code SELECT pg_try_advisory_lock(7)}.
 *
 * @param function its function, in lower case
 * @param column the name of its column
 * @param arguments its arguments
 */
record AdvisoryCall(String function, String column, List<Argument> arguments) {
    private static final String PREFIX = "pg_advisory_";
    private static final String TRY_PREFIX = "pg_try_advisory_";

    /**
     * An argument.
     *
     * @param value a number or a text
     * @param parameter the number of the client's parameter, from 0; -1: it is a literal
     * @param hashed whether {@code hashtext} makes a number of it
     */
    record Argument(String value, int parameter, boolean hashed) {}

    /** The call in a statement; empty: the statement is something else. */
    static Optional<AdvisoryCall> of(ClientStatement statement) {
        List<Token> tokens = statement.tokens();
        int at = 1;
        if (tokens.size() > at + 2
                && tokens.get(at).isWord("pg_catalog")
                && tokens.get(at + 1).isSign('.')) {
            at += 2;
        }
        Token name = tokens.get(Math.min(at, tokens.size() - 1));
        String function = name.text().toLowerCase(Locale.ROOT);
        boolean calls = statement.word(0).equals("SELECT")
                && name.kind() == Token.Kind.WORD
                && (function.startsWith(PREFIX) || function.startsWith(TRY_PREFIX))
                && tokens.get(at + 1).isSign('(');
        if (!calls) {
            return Optional.empty();
        }
        List<Argument> arguments = new ArrayList<>();
        at += 2;
        while (!tokens.get(at).isSign(')')) {
            if (!arguments.isEmpty()) {
                expect(tokens.get(at), tokens.get(at).isSign(','));
                at++;
            }
            at = argument(tokens, at, arguments);
        }
        at++;
        String column = function;
        if (tokens.get(at).isWord("AS")) {
            at++;
        }
        if (tokens.get(at).kind() != Token.Kind.END) {
            column = SettingStatements.name(statement, at);
            at++;
        }
        expect(tokens.get(at), tokens.get(at).kind() == Token.Kind.END);
        return Optional.of(new AdvisoryCall(function, column, List.copyOf(arguments)).checked());
    }

    private static void expect(Token token, boolean right) {
        if (!right) {
            throw new SessionException(
                    SqlStates.NOT_SUPPORTED,
                    "a query with an advisory lock has nothing beside it",
                    "An argument is a number, a parameter, or hashtext() of one.",
                    token.start() + 1);
        }
    }

    private static int argument(List<Token> tokens, int from, List<Argument> arguments) {
        int at = from;
        boolean hashed = tokens.get(at).isWord("hashtext") && tokens.get(at + 1).isSign('(');
        at += hashed ? 2 : 0;
        boolean negative = tokens.get(at).isSign('-');
        at += negative ? 1 : 0;
        Token token = tokens.get(at);
        switch (token.kind()) {
            case PARAMETER -> arguments.add(new Argument("", Translator.parameterNumber(token) - 1, hashed));
            case NUMBER, STRING -> arguments.add(new Argument((negative ? "-" : "") + token.text(), -1, hashed));
            default -> expect(token, false);
        }
        at = behindCast(tokens, at + 1);
        if (hashed) {
            expect(tokens.get(at), tokens.get(at).isSign(')'));
            at = behindCast(tokens, at + 1);
        }
        return at;
    }

    private static int behindCast(List<Token> tokens, int at) {
        return tokens.get(at).isSign(':') && tokens.get(at + 1).isSign(':') ? at + 3 : at;
    }

    private AdvisoryCall checked() {
        int count = arguments.size();
        boolean known = isFreeAll() ? count == 0 : isOfKey() && (count == 1 || count == 2);
        if (!known) {
            throw new SessionException(
                    "42883", "function " + function + " with " + count + " arguments does not exist");
        }
        return this;
    }

    private boolean isOfKey() {
        String rest = function.substring((tries() ? TRY_PREFIX : PREFIX).length());
        return switch (rest) {
            case "lock", "lock_shared", "xact_lock", "xact_lock_shared" -> true;
            case "unlock", "unlock_shared" -> !tries();
            default -> false;
        };
    }

    boolean isFreeAll() {
        return function.equals("pg_advisory_unlock_all");
    }

    boolean tries() {
        return function.startsWith(TRY_PREFIX);
    }

    boolean frees() {
        return function.contains("_unlock");
    }

    boolean isShared() {
        return function.endsWith("_shared");
    }

    boolean ofTransaction() {
        return function.contains("_xact_");
    }

    /** The prepared statement. */
    Prepared prepared(ClientStatement statement, int... declared) {
        int count =
                arguments.stream().mapToInt(each -> each.parameter() + 1).max().orElse(0);
        PgType[] types = new PgType[count];
        for (int i = 0; i < count; i++) {
            types[i] = PgType.TEXT;
        }
        for (Argument argument : arguments) {
            if (argument.parameter() >= 0) {
                PgType key = arguments.size() == 1 ? PgType.INT8 : PgType.INT4;
                types[argument.parameter()] = argument.hashed() ? PgType.TEXT : key;
            }
        }
        for (int i = 0; i < count; i++) {
            types[i] = i < declared.length && declared[i] != 0 ? PgType.declared(declared[i]) : types[i];
        }
        boolean answers = tries() || frees() && !isFreeAll();
        return new Prepared(
                statement,
                ClientStatement.Kind.ADVISORY,
                null,
                List.of(),
                List.of(),
                "",
                List.of(types),
                declared,
                List.of(new ResultColumn(column, answers ? PgType.BOOL : PgType.VOID)),
                true);
    }

    /** The numbers of the key. */
    Object[] arguments(Prepared prepared, RawParameter... values) {
        Object[] numbers = new Object[arguments.size()];
        for (int i = 0; i < numbers.length; i++) {
            Argument argument = arguments.get(i);
            Object value = argument.value();
            if (argument.parameter() >= 0) {
                SqlType type = argument.hashed() ? SqlType.varchar(1) : SqlType.of(SqlType.Kind.BIGINT);
                value = Preparation.converted(
                        argument.parameter(),
                        () -> ParameterValues.of(
                                values[argument.parameter()], Preparation.oid(prepared, argument.parameter()), type));
            }
            numbers[i] = argument.hashed() && value != null ? (Object) hash(value.toString()) : value;
        }
        return numbers;
    }

    /** A number for a text, the same at each call. */
    private static long hash(String text) {
        int hash = 0;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash = 31 * hash + each;
        }
        return hash;
    }

    /** The key of these numbers; null if one is NULL. */
    AdvisoryLocks.Key key(Object... numbers) {
        long key = 0;
        for (Object number : numbers) {
            if (number == null) {
                return null;
            }
            try {
                long value = Long.parseLong(number.toString());
                key = numbers.length == 1 ? value : key << Integer.SIZE | Math.toIntExact(value) & 0xFFFF_FFFFL;
            } catch (ArithmeticException | NumberFormatException e) {
                throw new SessionException(
                        "22003",
                        "the key of an advisory lock is one number of 64 bits, or two of 32 bits, not " + number);
            }
        }
        return new AdvisoryLocks.Key(numbers.length == 2, key);
    }
}

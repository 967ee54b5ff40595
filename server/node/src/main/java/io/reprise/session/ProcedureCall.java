package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A call of a procedure: {@code CALL name(...)}, or {@code SELECT * FROM name(...)}, into which drivers turn their call escapes.
 *
 * @param name the procedure, as the client wrote it
 * @param arguments literals, or {@link Parameter}s
 */
record ProcedureCall(String name, List<Object> arguments) {
    /** A parameter as an argument, from 0. */
    record Parameter(int number) {}

    private static final int VOID = 2278;

    /** Stands for NULL. */
    static final Object NULL = new Object();

    /** The same without parameters of the type void: drivers send one for a result that a program has registered. */
    ProcedureCall withoutOutputs(int... declared) {
        List<Object> inputs = arguments.stream()
                .filter(argument -> !(argument instanceof Parameter(int number)
                        && number < declared.length
                        && declared[number] == VOID))
                .toList();
        return new ProcedureCall(name, inputs);
    }

    /** Parses CALL. */
    static ProcedureCall ofCall(ClientStatement statement) {
        return parse(statement, 1)
                .orElseThrow(() -> SessionException.syntax(
                        "expected CALL name(arguments)",
                        statement.tokens().get(1).start()));
    }

    /** Parses a query that does nothing but to call a procedure. */
    static Optional<ProcedureCall> ofQuery(ClientStatement statement, Predicate<String> isProcedure) {
        List<Token> tokens = statement.tokens();
        if (tokens.size() < 7
                || !tokens.get(0).isWord("SELECT")
                || !tokens.get(1).isSign('*')
                || !tokens.get(2).isWord("FROM")
                || !tokens.get(4).isSign('(')
                || !isProcedure.test(tokens.get(3).text())) {
            return Optional.empty();
        }
        return parse(statement, 3);
    }

    /** Parses a name with arguments at a place; empty: there is none. */
    static Optional<ProcedureCall> parse(ClientStatement statement, int at) {
        List<Token> tokens = statement.tokens();
        Token name = tokens.get(at);
        boolean named = name.kind() == Token.Kind.WORD || name.kind() == Token.Kind.QUOTED_NAME;
        if (!named || !tokens.get(at + 1).isSign('(')) {
            return Optional.empty();
        }
        List<Object> arguments = new ArrayList<>();
        int index = at + 2;
        while (!tokens.get(index).isSign(')')) {
            if (!arguments.isEmpty()) {
                if (!tokens.get(index).isSign(',')) {
                    throw SessionException.syntax(
                            "expected a comma between arguments; an argument is a literal or a parameter",
                            tokens.get(index).start());
                }
                index++;
            }
            boolean negative = tokens.get(index).isSign('-');
            arguments.add(argument(tokens.get(negative ? index + 1 : index), negative));
            index = afterCast(tokens, index + (negative ? 2 : 1));
        }
        return Optional.of(new ProcedureCall(name.text(), List.copyOf(arguments)));
    }

    private static Object argument(Token token, boolean negative) {
        return switch (token.kind()) {
            case NUMBER -> negative ? Numeric.literal(token.text()).negate() : Numeric.literal(token.text());
            case STRING -> token.text();
            case PARAMETER -> new Parameter(Translator.parameterNumber(token) - 1);
            case WORD -> {
                if (token.isWord("NULL")) {
                    yield NULL;
                }
                if (token.isWord("TRUE") || token.isWord("FALSE")) {
                    yield token.isWord("TRUE");
                }
                throw notLiteral(token);
            }
            default -> throw notLiteral(token);
        };
    }

    private static SessionException notLiteral(Token token) {
        return SessionException.syntax("an argument of a procedure is a literal or a parameter", token.start());
    }

    /** Skips {@code ::type}: the procedure's own types count. */
    private static int afterCast(List<Token> tokens, int index) {
        int at = index;
        while (tokens.get(at).isSign(':') && tokens.get(at + 1).isSign(':')) {
            at += 3;
            if (tokens.get(at).isSign('(')) {
                while (!tokens.get(at).isSign(')') && tokens.get(at).kind() != Token.Kind.END) {
                    at++;
                }
                at++;
            }
        }
        return at;
    }
}

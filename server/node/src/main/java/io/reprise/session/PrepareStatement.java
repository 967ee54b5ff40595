package io.reprise.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A PREPARE.
 *
 * @param name the statement's name
 * @param types the declared types of its parameters; 0: none
 * @param statement the statement itself, at its place in the client's text
 */
record PrepareStatement(String name, int[] types, ClientStatement statement) {
    static PrepareStatement parse(ClientStatement prepare) {
        String name = SettingStatements.name(prepare, 1);
        List<Token> tokens = prepare.tokens();
        List<Integer> types = new ArrayList<>();
        int at = 2;
        if (tokens.get(at).isSign('(')) {
            do {
                int end = endOfType(tokens, at + 1);
                types.add(PgType.named(typeName(tokens, at + 1, end)));
                at = end;
            } while (tokens.get(at).isSign(','));
            at++;
        }
        if (!tokens.get(at).isWord("AS")) {
            throw SessionException.syntax(
                    "expected PREPARE name (types) AS statement", tokens.get(at).start());
        }
        int from = tokens.get(at + 1).start();
        List<ClientStatement> parts = ClientStatement.split(prepare.text().substring(from));
        boolean prepares = parts.size() == 1
                && (parts.getFirst().kind() == ClientStatement.Kind.QUERY
                        || parts.getFirst().kind() == ClientStatement.Kind.WRITE);
        if (!prepares) {
            throw SessionException.syntax("PREPARE takes a query, INSERT, UPDATE, DELETE or VALUES", from);
        }
        ClientStatement found = parts.getFirst();
        return new PrepareStatement(
                name,
                types.stream().mapToInt(Integer::intValue).toArray(),
                new ClientStatement(found.text(), found.tokens(), from + found.offset()));
    }

    /** The comma or parenthesis behind a type. */
    private static int endOfType(List<Token> tokens, int from) {
        int depth = 0;
        int at = from;
        while (tokens.get(at).kind() != Token.Kind.END) {
            Token token = tokens.get(at);
            if (depth == 0 && (token.isSign(',') || token.isSign(')'))) {
                return at;
            }
            depth += token.isSign('(') ? 1 : token.isSign(')') ? -1 : 0;
            at++;
        }
        throw SessionException.syntax(
                "the list of types is not closed", tokens.get(at).start());
    }

    /** The words of a type without its length. */
    private static String typeName(List<Token> tokens, int from, int end) {
        StringBuilder name = new StringBuilder();
        int depth = 0;
        for (int at = from; at < end; at++) {
            Token token = tokens.get(at);
            depth += token.isSign('(') ? 1 : 0;
            if (depth == 0) {
                boolean blank = !name.isEmpty() && token.kind() == Token.Kind.WORD;
                name.append(blank ? " " : "").append(token.text());
            }
            depth -= token.isSign(')') ? 1 : 0;
        }
        return name.toString();
    }

    /** The arguments of an EXECUTE, as a client's text parameters. */
    static RawParameter[] arguments(ClientStatement execute) {
        if (execute.tokens().get(2).kind() == Token.Kind.END) {
            return new RawParameter[0];
        }
        List<Object> given = ProcedureCall.parse(execute, 1)
                .orElseThrow(() -> SessionException.syntax(
                        "expected EXECUTE name (arguments)",
                        execute.tokens().get(2).start()))
                .arguments();
        RawParameter[] arguments = new RawParameter[given.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = new RawParameter(text(given.get(i)), false);
        }
        return arguments;
    }

    private static byte[] text(Object argument) {
        if (argument == ProcedureCall.NULL) {
            return null;
        } else if (argument instanceof ProcedureCall.Parameter) {
            throw SessionException.unsupported(
                    "an argument of EXECUTE is a literal: bind parameters to the statement itself");
        }
        String text = argument instanceof java.math.BigDecimal number ? number.toPlainString() : argument.toString();
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package io.reprise.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A COPY statement.
 *
 * @param fromClient whether rows come from the client; otherwise they go to it
 * @param table the table as the client wrote it; empty for a query
 * @param columns the columns as the client wrote them; empty: all
 * @param query the query; empty for a table
 * @param queryOffset the place of the table or the query in the statement
 * @param format the form of the data
 */
public record CopyStatement(
        boolean fromClient, String table, List<String> columns, String query, int queryOffset, CopyFormat format) {
    private static final String FROM_FILE = "COPY from or to a file or a program is not supported";

    /** Parses a statement whose first word is COPY. */
    static CopyStatement parse(ClientStatement statement) {
        return new Parser(statement).parse();
    }

    private static final class Parser {
        private final String text;
        private final List<Token> tokens;
        private int at = 1;

        Parser(ClientStatement statement) {
            text = statement.text();
            tokens = statement.tokens();
        }

        private Token token() {
            return tokens.get(at);
        }

        private boolean take(String word) {
            if (token().isWord(word)) {
                at++;
                return true;
            }
            return false;
        }

        private void expect(char sign) {
            if (!token().isSign(sign)) {
                throw unexpected();
            }
            at++;
        }

        private SessionException unexpected() {
            Token token = token();
            return SessionException.syntax(
                    token.kind() == Token.Kind.END
                            ? "syntax error at end of input"
                            : "syntax error at or near \"" + text.substring(token.start(), token.end()) + "\"",
                    token.start());
        }

        CopyStatement parse() {
            boolean binary = take("BINARY");
            int start = token().start();
            String table = "";
            String query = "";
            List<String> columns = List.of();
            if (token().isSign('(')) {
                query = parenthesized();
            } else {
                table = table();
                columns = token().isSign('(') ? names() : columns;
            }
            boolean from = direction(!query.isEmpty());
            CopyFormat.Builder format = new CopyFormat.Builder(from);
            if (binary) {
                format.binary();
            }
            options(format);
            if (token().isWord("WHERE")) {
                throw SessionException.unsupported("COPY ... WHERE is not supported");
            }
            if (token().kind() != Token.Kind.END) {
                throw unexpected();
            }
            return new CopyStatement(from, table, columns, query, start, format.build());
        }

        private boolean direction(boolean isQuery) {
            boolean from = token().isWord("FROM");
            if (!from && !token().isWord("TO") || from && isQuery) {
                throw unexpected();
            }
            at++;
            if (token().kind() == Token.Kind.STRING || token().isWord("PROGRAM")) {
                throw new SessionException(
                        SqlStates.NOT_SUPPORTED, FROM_FILE, "Use STDIN or STDOUT, or psql's \\copy.", 0);
            }
            if (!take(from ? "STDIN" : "STDOUT")) {
                throw unexpected();
            }
            return from;
        }

        private String table() {
            int start = token().start();
            name();
            while (token().isSign('.')) {
                at++;
                name();
            }
            return text.substring(start, tokens.get(at - 1).end());
        }

        private String name() {
            Token token = token();
            if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.QUOTED_NAME) {
                throw unexpected();
            }
            at++;
            return text.substring(token.start(), token.end());
        }

        private List<String> names() {
            expect('(');
            List<String> names = new ArrayList<>();
            names.add(name());
            while (token().isSign(',')) {
                at++;
                names.add(name());
            }
            expect(')');
            return names;
        }

        private String parenthesized() {
            int start = token().end();
            int depth = 0;
            do {
                if (token().kind() == Token.Kind.END) {
                    throw unexpected();
                }
                depth += token().isSign('(') ? 1 : token().isSign(')') ? -1 : 0;
                at++;
            } while (depth > 0);
            return text.substring(start, tokens.get(at - 1).start());
        }

        private void options(CopyFormat.Builder format) {
            take("WITH");
            if (token().isSign('(')) {
                do {
                    at++;
                    option(format);
                } while (token().isSign(','));
                expect(')');
            } else {
                while (token().kind() == Token.Kind.WORD && !token().isWord("WHERE")) {
                    oldOption(format);
                }
            }
        }

        private void option(CopyFormat.Builder format) {
            String name = name().toUpperCase(Locale.ROOT);
            switch (name) {
                case "FORCE_QUOTE", "FORCE_NOT_NULL", "FORCE_NULL" -> {
                    if (token().isSign('*')) {
                        at++;
                        format.force(name, List.of("*"));
                    } else {
                        format.force(name, shown(names()));
                    }
                }
                default -> format.set(name, value());
            }
        }

        /** The value of an option; empty: none. */
        private String value() {
            Token token = token();
            return switch (token.kind()) {
                case WORD, STRING, NUMBER, QUOTED_NAME -> {
                    at++;
                    yield token.text();
                }
                default -> "";
            };
        }

        private void oldOption(CopyFormat.Builder format) {
            String name = name().toUpperCase(Locale.ROOT);
            switch (name) {
                case "BINARY" -> format.binary();
                case "CSV" -> format.set("FORMAT", "csv");
                case "HEADER" -> format.set("HEADER", "on");
                case "DELIMITER", "NULL", "QUOTE", "ESCAPE", "ENCODING" -> {
                    take("AS");
                    if (token().kind() != Token.Kind.STRING) {
                        throw unexpected();
                    }
                    format.set(name, value());
                }
                case "FORCE" -> oldForce(format);
                default -> {
                    at--;
                    throw unexpected();
                }
            }
        }

        private void oldForce(CopyFormat.Builder format) {
            String name = take("QUOTE") ? "FORCE_QUOTE" : take("NOT") ? "FORCE_NOT_NULL" : "FORCE_NULL";
            if (!name.equals("FORCE_QUOTE") && !take("NULL")) {
                throw unexpected();
            }
            if (token().isSign('*')) {
                at++;
                format.force(name, List.of("*"));
                return;
            }
            List<String> names = new ArrayList<>();
            names.add(name());
            while (token().isSign(',')) {
                at++;
                names.add(name());
            }
            format.force(name, shown(names));
        }

        /** Names as results show them. */
        private static List<String> shown(List<String> written) {
            return written.stream()
                    .map(name -> name.startsWith("\"")
                            ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
                            : name.toLowerCase(Locale.ROOT))
                    .toList();
        }
    }
}

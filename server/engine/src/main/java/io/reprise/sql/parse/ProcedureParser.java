package io.reprise.sql.parse;

import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.ProcedureDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads what follows CREATE PROCEDURE. */
final class ProcedureParser {
    private static final int MAX_PARAMETER = 1023;

    private final String text;
    private final TokenCursor tokens;
    private final List<Ddl.RoutingClause> routing = new ArrayList<>();
    private ProcedureDefinition.Logging logging = ProcedureDefinition.Logging.AS_CONFIGURED;

    ProcedureParser(String text, TokenCursor tokens) {
        this.text = text;
        this.tokens = tokens;
    }

    Ddl create(boolean replace) {
        Token first = tokens.peek();
        boolean named = !first.isWord("PARTITION")
                && !first.isWord("FROM")
                && !first.isWord("AS")
                && !(first.isWord("LOGGED") && tokens.peek(1).isWord("AS") && isMethod(tokens.peek(2)));
        Ddl.Name name = named ? tokens.name("the name of the procedure") : null;
        if (tokens.peek().isSign('(')) {
            throw tokens.refused(
                    "a procedure's parameters are not declared here: they are those of its class's run method,"
                            + " or the ? of its statement");
        }
        clauses();
        if (tokens.accept("FROM")) {
            tokens.expect("CLASS");
            Ddl.Name className = className();
            clauses();
            tokens.expectEnd(routing.isEmpty() ? new String[] {"PARTITION"} : new String[0]);
            String simple = className
                    .text()
                    .substring(Math.max(
                                    className.text().lastIndexOf('.'),
                                    className.text().lastIndexOf('$'))
                            + 1);
            Ddl.Name procedure = named
                    ? name
                    : tokens.derivedName(
                            simple, "the name of the procedure, which is that of the class,", className.at());
            return procedure(procedure, replace, new ProcedureDefinition.FromClass(className.text()));
        }
        if (tokens.accept("AS")) {
            if (!named) {
                throw new DdlException(
                        first.at(), "a procedure made from a statement needs a name: CREATE PROCEDURE p AS");
            }
            return procedure(name, replace, new ProcedureDefinition.FromStatement(statement()));
        }
        throw routing.isEmpty()
                ? tokens.expected("FROM CLASS", "AS", "PARTITION ON")
                : tokens.expected("FROM CLASS", "AS", "AND ON");
    }

    private Ddl procedure(Ddl.Name name, boolean replace, ProcedureDefinition.Source source) {
        return new Ddl.CreateProcedure(name, replace, source, List.copyOf(routing), logging);
    }

    /** PARTITION and LOGGED, in any order. */
    private void clauses() {
        while (true) {
            if (tokens.peek().isWord("PARTITION")) {
                partition();
            } else if (tokens.peek().isWord("LOGGED")) {
                logged();
            } else {
                return;
            }
        }
    }

    private void logged() {
        if (logging != ProcedureDefinition.Logging.AS_CONFIGURED) {
            throw new DdlException(tokens.peek().at(), "there is a LOGGED clause already");
        }
        logging = logging(tokens, false);
    }

    /**
     * LOGGED AS and a form.
     *
     * @param mayReturn whether CONFIGURED, which takes a form back, is one
     */
    static ProcedureDefinition.Logging logging(TokenCursor tokens, boolean mayReturn) {
        tokens.expect("LOGGED");
        tokens.expect("AS");
        if (tokens.accept("DATA")) {
            return ProcedureDefinition.Logging.DATA;
        }
        if (tokens.accept("COMMAND")) {
            return ProcedureDefinition.Logging.COMMAND;
        }
        if (!mayReturn) {
            throw tokens.expected("DATA", "COMMAND");
        }
        if (tokens.accept("CONFIGURED")) {
            return ProcedureDefinition.Logging.AS_CONFIGURED;
        }
        throw tokens.expected("DATA", "COMMAND", "CONFIGURED");
    }

    private static boolean isMethod(Token token) {
        return token.isWord("DATA") || token.isWord("COMMAND");
    }

    private void partition() {
        Token at = tokens.peek();
        tokens.expect("PARTITION");
        if (!routing.isEmpty()) {
            throw new DdlException(at.at(), "there is a PARTITION clause already; join the two with AND ON TABLE");
        }
        do {
            tokens.expect("ON");
            tokens.expect("TABLE");
            Ddl.Name table = tokens.relation("the name of a table");
            tokens.expect("COLUMN");
            Ddl.Name column = tokens.name("the name of a column");
            int parameter = tokens.accept("PARAMETER")
                    ? tokens.integer("the number of a parameter, counted from 0", MAX_PARAMETER)
                    : 0;
            routing.add(new Ddl.RoutingClause(table, column, parameter));
        } while (tokens.accept("AND"));
    }

    private Ddl.Name className() {
        Token first = tokens.peek();
        StringBuilder name = new StringBuilder();
        int end = first.start();
        do {
            Token word = tokens.peek();
            if (word.kind() != Token.Kind.WORD || word.start() != end) {
                throw tokens.expected("the full name of a class, such as com.example.Deposit");
            }
            tokens.next();
            name.append(name.isEmpty() ? "" : ".").append(word.text());
            end = tokens.peek().end();
        } while (tokens.acceptSign('.'));
        return new Ddl.Name(name.toString(), first.at());
    }

    private boolean beginsClause() {
        return tokens.peek().isWord("PARTITION")
                        && tokens.peek(1).isWord("ON")
                        && tokens.peek(2).isWord("TABLE")
                || tokens.peek().isWord("LOGGED") && tokens.peek(1).isWord("AS") && isMethod(tokens.peek(2));
    }

    /** The statement's text, up to the end or to a PARTITION or LOGGED clause, which no statement can contain. */
    private String statement() {
        String path = tokens.acceptPath().clause();
        Token first = tokens.peek();
        if (first.kind() == Token.Kind.END) {
            throw tokens.expected("a statement");
        }
        if (first.isWord("BEGIN")) {
            throw tokens.refused(SqlScript.COMPOUND);
        }
        StatementKind kind = SqlScript.kind(first);
        if (kind == StatementKind.DDL || kind == StatementKind.EXPLAIN) {
            throw tokens.refused("a procedure can run queries and INSERT, UPSERT, UPDATE, DELETE and TRUNCATE, but not "
                    + first.text().toUpperCase(Locale.ROOT));
        }
        int end = first.end();
        while (tokens.peek().kind() != Token.Kind.END && !tokens.peek().isSign(';') && !beginsClause()) {
            end = tokens.next().end();
        }
        clauses();
        tokens.expectEnd();
        return path + text.substring(first.start(), end);
    }
}

package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.Reply;
import io.reprise.client.Rows;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.time.SystemClock;
import io.reprise.sql.parse.ScriptStatement;
import io.reprise.sql.parse.SqlScript;
import io.reprise.sql.parse.StatementKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntSupplier;

/** Runner of statements that prints their results, for scripts and for terminals. */
final class SqlSession {
    private static final double MS_NS = 1e6;
    private static final int OK = 200;

    private final Client client;
    private final ServerChoice server;
    private final boolean typed;
    private final PrintWriter out;
    private final PrintWriter err;
    private RowsPrinter.Format format;
    private IntSupplier width = () -> RowsPrinter.UNLIMITED;
    private boolean schemaHasChanged;

    /**
     * A session.
     *
     * @param typed whether statements are typed at a terminal: then times are printed, and errors don't name the program
     */
    SqlSession(
            Client client,
            ServerChoice server,
            RowsPrinter.Format format,
            boolean typed,
            PrintWriter out,
            PrintWriter err) {
        this.client = client;
        this.server = server;
        this.format = format;
        this.typed = typed;
        this.out = out;
        this.err = err;
    }

    /** Runs the statements of a script until one fails; whether none did. */
    boolean run(String script) throws IOException, InterruptedException {
        List<ScriptStatement> statements;
        try {
            statements = SqlScript.split(script);
        } catch (ProcedureException e) {
            // It says where.
            return refused("", e);
        }
        for (ScriptStatement statement : statements) {
            // An error within a statement has a place of its own, counted from its beginning.
            String place = statements.size() == 1 && statement.at().line() == 1
                    ? ""
                    : "line " + statement.at().line() + ": ";
            boolean good = timed(place, () -> {
                if (statement.kind() == StatementKind.DDL) {
                    change(statement.text());
                } else {
                    print(wait(client.sqlAsync(statement.text())), statement.kind());
                }
            });
            if (!good) {
                return false;
            }
        }
        return true;
    }

    /** Calls a procedure with arguments as they are typed; whether it committed. */
    boolean call(String procedure, List<String> arguments) throws IOException, InterruptedException {
        Object[] values = arguments.stream().map(ArgumentText::value).toArray();
        return timed("", () -> {
            Reply reply = wait(client.callAsync(procedure, values));
            if (reply.value() instanceof Rows rows) {
                RowsPrinter.print(rows, format, width.getAsInt(), out);
            } else {
                out.println(reply.value() == null ? "done" : RowsPrinter.text(reply.value()));
            }
        });
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private boolean timed(String place, Step step) throws IOException, InterruptedException {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        try {
            step.run();
        } catch (CallException | IllegalStateException e) {
            return refused(place, e);
        }
        if (typed) {
            out.println(String.format(Locale.ROOT, "%.1f ms", (SystemClock.INSTANCE.nanoTime() - beganNs) / MS_NS));
        }
        out.flush();
        return true;
    }

    private boolean refused(String place, RuntimeException why) {
        out.flush();
        err.println((typed ? "" : "reprise: ")
                + place
                + (why instanceof CallException call ? call.code().name() + ": " : "")
                + why.getMessage());
        err.flush();
        return false;
    }

    /** Waits so that an interrupt ends the wait. */
    private static <T> T wait(CompletableFuture<T> reply) throws InterruptedException {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CallException call) {
                throw call;
            }
            throw new IllegalStateException("the call could not be made: " + e.getCause(), e);
        }
    }

    /** Whether the schema was changed here since this was asked last. */
    boolean takeSchemaChange() {
        boolean changed = schemaHasChanged;
        schemaHasChanged = false;
        return changed;
    }

    /** The width of the terminal, which may change. */
    void width(IntSupplier columns) {
        width = columns;
    }

    /** Sets the form of printed rows. */
    void format(RowsPrinter.Format next) {
        format = next;
    }

    /** Changes the schema, at the node of a data directory as its owner and otherwise as the user who logged in. */
    private void change(String ddl) throws IOException, InterruptedException {
        if (server.isAtAddress()) {
            wait(client.ddlAsync(ddl));
        } else {
            changeLocally(ddl);
        }
        schemaHasChanged = true;
        tell("the schema has changed");
    }

    private void changeLocally(String ddl) throws IOException, InterruptedException {
        try (NodeClient node = server.node()) {
            HttpResponse<String> answer = node.post("/ddl", ddl);
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(NodeClient.refusal(answer));
            }
        }
    }

    private void print(Reply reply, StatementKind kind) {
        if (!(reply.value() instanceof Rows rows)) {
            tell(reply.longValue() + (reply.longValue() == 1 ? " row written" : " rows written"));
        } else if (kind == StatementKind.EXPLAIN) {
            while (rows.next()) {
                out.println(rows.stringAt(0));
            }
        } else {
            RowsPrinter.print(rows, format, width.getAsInt(), out);
        }
    }

    /** Text that is no data goes elsewhere when the output is for a program. */
    private void tell(String what) {
        if (format == RowsPrinter.Format.TABLE) {
            out.println(what);
        }
    }
}

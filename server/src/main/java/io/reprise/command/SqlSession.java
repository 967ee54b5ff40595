package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.Reply;
import io.reprise.client.ResultRows;
import io.reprise.runtime.time.SystemClock;
import io.reprise.sql.parse.ScriptStatement;
import io.reprise.sql.parse.SqlScript;
import io.reprise.sql.parse.StatementKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.util.Locale;

/** Runs statements and prints what comes of them, for a script and for somebody at a terminal alike. */
final class SqlSession {
    private static final double MS_NS = 1e6;
    private static final int OK = 200;

    private final Client client;
    private final ServerChoice server;
    private final RowsPrinter.Format format;
    private final boolean timing;
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * A session.
     *
     * @param timing whether to say how long each statement took
     */
    SqlSession(
            Client client,
            ServerChoice server,
            RowsPrinter.Format format,
            boolean timing,
            PrintWriter out,
            PrintWriter err) {
        this.client = client;
        this.server = server;
        this.format = format;
        this.timing = timing;
        this.out = out;
        this.err = err;
    }

    /** Runs the statements of a script until one fails; whether none did. */
    boolean run(String script) throws IOException, InterruptedException {
        for (ScriptStatement statement : SqlScript.split(script)) {
            if (!run(statement)) {
                return false;
            }
        }
        return true;
    }

    private boolean run(ScriptStatement statement) throws IOException, InterruptedException {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        try {
            if (statement.kind() == StatementKind.DDL) {
                change(statement.text());
            } else {
                print(client.sql(statement.text()), statement.kind());
            }
        } catch (CallException | IllegalStateException e) {
            out.flush();
            err.println("line " + statement.at().line() + ": "
                    + (e instanceof CallException call ? call.code().name().toLowerCase(Locale.ROOT) + ": " : "")
                    + e.getMessage());
            return false;
        }
        if (timing) {
            out.println(String.format(Locale.ROOT, "%.1f ms", (SystemClock.INSTANCE.nanoTime() - beganNs) / MS_NS));
        }
        out.flush();
        return true;
    }

    /** The schema is changed by who may read the node's data directory. */
    private void change(String ddl) throws IOException, InterruptedException {
        try (NodeClient node = new NodeClient(server.local())) {
            HttpResponse<String> answer = node.post("/ddl", ddl);
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(answer.body().strip());
            }
        }
        tell("the schema has changed");
    }

    private void print(Reply reply, StatementKind kind) {
        if (!(reply.value() instanceof ResultRows rows)) {
            tell(reply.longValue() + (reply.longValue() == 1 ? " row written" : " rows written"));
        } else if (kind == StatementKind.EXPLAIN) {
            while (rows.next()) {
                out.println(rows.stringAt(0));
            }
        } else {
            RowsPrinter.print(rows, format, out);
        }
    }

    /** What is no data goes elsewhere when the output is for a program. */
    private void tell(String what) {
        if (format == RowsPrinter.Format.TABLE) {
            out.println(what);
        }
    }
}

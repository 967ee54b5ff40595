package io.reprise.node.http;

import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.engine.RunLimits;
import io.reprise.execution.Result;
import io.reprise.net.reprise.ResultWriter;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.time.SystemClock;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.parse.ScriptStatement;
import io.reprise.sql.parse.SqlScript;
import io.reprise.sql.parse.StatementKind;
import java.util.List;
import java.util.Optional;

/**
 * The statements of one request: one statement, or several of DDL, which are one change. Its steps are run by different threads, one
 * after the other:
 *
 * <pre>
 *  of -> [ textToPlan [-> planned] -> run ]... -> answer   a statement; again with LIMIT while its result is too long
 *  of -> run -> answer                                     DDL
 *  of -> answer                                            refused, or asked about
 * </pre>
 */
final class SqlRequest {
    /** More rows are for a client that streams them. */
    private static final int MOST_ROWS = 1000;

    /** So many times fewer rows are asked for when they are too long. */
    private static final int FEWER = 10;

    private final long beganNs = SystemClock.INSTANCE.nanoTime();
    private final List<ScriptStatement> statements;
    private final Rights rights;
    private final long largestResult;
    private int mostRows = MOST_ROWS;
    private boolean changesSchema;

    /** Null until there is one. */
    private SqlAnswer answer;

    /** The failure of the whole result, when only the first rows are asked for; null before. */
    private ProcedureException tooLong;

    private SqlRequest(List<ScriptStatement> statements, Rights rights, long largestResult) {
        this.statements = statements;
        this.rights = rights;
        this.largestResult = largestResult;
    }

    /**
     * The request with this body.
     *
     * @param asks whether a change is to be confirmed before it is made
     */
    static SqlRequest of(byte[] body, Rights rights, long largestResult, boolean asks) {
        List<ScriptStatement> statements = List.of();
        ProcedureException problem = null;
        try {
            statements = SqlScript.split(SchemaRequest.text(body, 0, body.length));
        } catch (ProcedureException e) {
            problem = e;
        }
        SqlRequest request = new SqlRequest(statements, rights, largestResult);
        if (problem != null) {
            request.failed(problem);
        } else {
            request.check(asks);
        }
        return request;
    }

    private void check(boolean asks) {
        boolean needsAdministrator = statements.stream().anyMatch(each -> each.kind() == StatementKind.DDL);
        boolean needsReader = statements.stream().anyMatch(each -> each.kind() != StatementKind.DDL);
        if (needsAdministrator && !rights.has(Right.ADMINISTER)) {
            answer = SqlAnswer.notPermitted(Right.ADMINISTER);
        } else if (needsReader && !rights.has(Right.READ)) {
            answer = SqlAnswer.notPermitted(Right.READ);
        } else if (statements.isEmpty()) {
            failed(new ProcedureException(ErrorCode.INVALID_REQUEST, "there is no statement"));
        } else if (!isDdl() && statements.size() > 1) {
            failed(new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "these are " + statements.size() + " statements; only statements of DDL can be run together"));
        } else if (asks && changes() && hasRightToChange()) {
            answer = SqlAnswer.question(isDdl());
        }
    }

    private boolean isDdl() {
        return statements.stream().allMatch(statement -> statement.kind() == StatementKind.DDL);
    }

    private boolean changes() {
        return isDdl() || statements.getFirst().kind() == StatementKind.DML;
    }

    /** A statement of a sender without the right is refused when it is planned or run. */
    private boolean hasRightToChange() {
        return isDdl() || rights.has(Right.SQL);
    }

    boolean isAnswered() {
        return answer != null;
    }

    SqlAnswer answer() {
        return answer;
    }

    /** Whether the schema has been changed. */
    boolean changesSchema() {
        return changesSchema;
    }

    /** The statement that has to be planned before it is run next; empty for DDL. */
    Optional<String> textToPlan() {
        return isDdl() ? Optional.empty() : Optional.of(text());
    }

    private String text() {
        String text = statements.getFirst().text();
        return tooLong == null ? text : text + "\nLIMIT " + (mostRows + 1);
    }

    /** The statement is planned. */
    void planned(boolean readsOnly) {
        if (!readsOnly && !hasRightToChange()) {
            answer = SqlAnswer.notPermitted(Right.SQL);
        }
    }

    /** The last step has failed. After too long a result the first rows are asked for, unless the statement has a limit of its own. */
    void failed(ProcedureException failure) {
        if (failure.code() == ErrorCode.RESULT_TOO_LARGE
                && statements.getFirst().kind() == StatementKind.QUERY) {
            // Long rows: fewer of them may fit.
            mostRows = tooLong == null ? MOST_ROWS : mostRows / FEWER;
            tooLong = tooLong == null ? failure : tooLong;
            answer = mostRows == 0 ? SqlAnswer.problem(tooLong) : null;
        } else {
            boolean hasLimit = tooLong != null && failure.code() == ErrorCode.INVALID_REQUEST;
            answer = SqlAnswer.problem(hasLimit ? tooLong : failure);
        }
    }

    /** Runs what has been planned, or changes the schema. */
    void run(Reprise engine) {
        try {
            answer = isDdl() ? change(engine) : runStatement(engine);
        } catch (ProcedureException e) {
            failed(e);
        }
    }

    private SqlAnswer change(Reprise engine) {
        changesSchema = true;
        engine.ddl(String.join(
                ";\n", statements.stream().map(ScriptStatement::text).toList()));
        return SqlAnswer.done(beganNs);
    }

    private SqlAnswer runStatement(Reprise engine) {
        // The schema may have changed since the statement was planned, and its effect with it.
        if (!hasRightToChange() && !engine.readsOnly(text())) {
            return SqlAnswer.notPermitted(Right.SQL);
        }
        Reply reply = engine.sqlWithin(RunLimits.ofResult(largestResult), text());
        if (reply.kind() != Result.Kind.ROWS) {
            return SqlAnswer.count(reply.longValue(), beganNs);
        }
        if (statements.getFirst().kind() == StatementKind.EXPLAIN) {
            return SqlAnswer.plan(reply.rows(), beganNs);
        }
        RowBuffer rows = (RowBuffer) reply.rows();
        // The engine ends a query when it is certain to be too long, which it notices a little late.
        ResultWriter.check(rows, largestResult);
        return SqlAnswer.rows(rows, mostRows, tooLong == null, beganNs);
    }
}

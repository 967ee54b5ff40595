package io.reprise.node.http;

import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.catalog.SqlType;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.engine.RunLimits;
import io.reprise.execution.Result;
import io.reprise.net.reprise.ResultWriter;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.time.SystemClock;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.sql.parse.ScriptStatement;
import io.reprise.sql.parse.SqlScript;
import io.reprise.sql.parse.StatementKind;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The answer to statements that are typed on the page, in JSON: one statement, or several of DDL, which are one change.
 *
 * <pre>
 *  {"columns":[{"name":"ID","type":"BIGINT"}],"rows":[["1"],[null]],"count":2,"truncated":false,"ms":0.4}   a query;
 *                                              without the count if only the first rows were asked for
 *  {"count":3,"ms":0.4}                        a write
 *  {"plan":"...","ms":1.2}                     EXPLAIN
 *  {"done":"the schema has changed","ms":40.0} DDL
 *  {"asks":"..."}                              a change without a confirmation; it was not made
 *  {"problem":"...","code":"invalid_request","retryable":false}
 * </pre>
 *
 * <p>Values are text, because a browser's numbers don't have 64 bits; NULL is null.
 */
final class SqlAnswer {
    /** More rows are for a client that streams them. */
    private static final int MOST_ROWS = 1000;

    /** So many times fewer rows are asked for when they are too long. */
    private static final int FEWER = 10;

    private static final double MS_NS = 1e6;

    private final Json json = new Json();
    private final int code;
    private int mostRows = MOST_ROWS;
    private boolean counted = true;
    private boolean changesSchema;

    private SqlAnswer(int code) {
        this.code = code;
    }

    /**
     * Runs the text in the body, if the rights allow it.
     *
     * @param asks whether a change is to be confirmed before it is made
     */
    static SqlAnswer of(Reprise engine, byte[] body, Rights rights, long largestResult, boolean asks) {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        try {
            SqlAnswer answer = new SqlAnswer(200);
            List<ScriptStatement> statements = SqlScript.split(SchemaRequest.text(body, 0, body.length));
            Optional<Right> missing = missing(engine, statements, rights);
            if (missing.isPresent()) {
                return notPermitted(missing.get());
            }
            answer.json.object();
            if (asks && statements.stream().anyMatch(SqlAnswer::changes)) {
                answer.json
                        .put("asks", "This changes the " + (isDdl(statements) ? "schema" : "data") + ".")
                        .endObject();
                return answer;
            }
            answer.changesSchema = isDdl(statements);
            answer.run(engine, statements, largestResult);
            answer.json
                    .put("ms", (SystemClock.INSTANCE.nanoTime() - beganNs) / MS_NS)
                    .endObject();
            return answer;
        } catch (ProcedureException e) {
            SqlAnswer problem = new SqlAnswer(400);
            problem.json
                    .object()
                    .put("problem", String.valueOf(e.getMessage()))
                    .put("code", e.code().name().toLowerCase(java.util.Locale.ROOT))
                    .put("retryable", e.code().retryable())
                    .endObject();
            return problem;
        }
    }

    /** Whether the statements were run and are DDL. */
    boolean changesSchema() {
        return changesSchema;
    }

    private static boolean changes(ScriptStatement statement) {
        return statement.kind() == StatementKind.DML || statement.kind() == StatementKind.DDL;
    }

    private static boolean isDdl(List<ScriptStatement> statements) {
        return statements.stream().allMatch(statement -> statement.kind() == StatementKind.DDL);
    }

    /** The right that these statements need and their sender lacks. */
    private static Optional<Right> missing(Reprise engine, List<ScriptStatement> statements, Rights rights) {
        for (ScriptStatement statement : statements) {
            if (statement.kind() == StatementKind.DDL) {
                if (!rights.has(Right.ADMINISTER)) {
                    return Optional.of(Right.ADMINISTER);
                }
            } else if (!rights.has(Right.READ)) {
                return Optional.of(Right.READ);
            } else if (!rights.has(Right.SQL) && !engine.readsOnly(statement.text())) {
                return Optional.of(Right.SQL);
            }
        }
        return Optional.empty();
    }

    private static SqlAnswer notPermitted(Right missing) {
        SqlAnswer problem = new SqlAnswer(403);
        problem.json
                .object()
                .put("problem", "you may not do this; it needs the role " + missing.word())
                .put("code", "not_permitted")
                .put("retryable", false)
                .endObject();
        return problem;
    }

    private void run(Reprise engine, List<ScriptStatement> statements, long largestResult) {
        if (statements.isEmpty()) {
            throw new ProcedureException(ErrorCode.INVALID_REQUEST, "there is no statement");
        }
        if (isDdl(statements)) {
            String script = String.join(
                    ";\n", statements.stream().map(ScriptStatement::text).toList());
            engine.ddl(script);
            json.put("done", "the schema has changed");
        } else if (statements.size() > 1) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "these are " + statements.size() + " statements; only statements of DDL can be run together");
        } else {
            runOne(engine, statements.getFirst(), largestResult);
        }
    }

    private void runOne(Reprise engine, ScriptStatement statement, long largestResult) {
        switch (statement.kind()) {
            case EXPLAIN -> json.put("plan", lines(engine.sql(statement.text()).rows()));
            case QUERY, DML -> {
                Reply response = allOrFirst(engine, statement, largestResult);
                if (response.kind() == Result.Kind.ROWS) {
                    write((RowBuffer) response.rows());
                } else {
                    json.put("count", response.longValue());
                }
            }
            case DDL -> throw new IllegalStateException("DDL is run as a script");
        }
    }

    /** The result of a statement; of a query with too long a result the first rows, unless it has a limit of its own. */
    private Reply allOrFirst(Reprise engine, ScriptStatement statement, long largestResult) {
        ProcedureException tooLong;
        try {
            return within(engine, statement.text(), largestResult);
        } catch (ProcedureException failure) {
            tooLong = requireTooLarge(failure);
        }
        if (statement.kind() != StatementKind.QUERY) {
            throw tooLong;
        }
        counted = false;
        for (mostRows = MOST_ROWS; mostRows > 0; mostRows /= FEWER) {
            try {
                return within(engine, statement.text() + "\nLIMIT " + (mostRows + 1), largestResult);
            } catch (ProcedureException failure) {
                if (failure.code() == ErrorCode.INVALID_REQUEST) {
                    throw tooLong;
                }
                // Long rows: fewer of them may fit.
                requireTooLarge(failure);
            }
        }
        throw tooLong;
    }

    private static ProcedureException requireTooLarge(ProcedureException failure) {
        if (failure.code() != ErrorCode.RESULT_TOO_LARGE) {
            throw failure;
        }
        return failure;
    }

    private static Reply within(Reprise engine, String text, long largestResult) {
        Reply response = engine.sqlWithin(RunLimits.ofResult(largestResult), text);
        if (response.kind() == Result.Kind.ROWS) {
            // The engine ends a query when it is certain to be too long, which it notices a little late.
            ResultWriter.check((RowBuffer) response.rows(), largestResult);
        }
        return response;
    }

    private static String lines(Rows rows) {
        StringBuilder lines = new StringBuilder();
        while (rows.next()) {
            lines.append(rows.stringAt(0)).append('\n');
        }
        return lines.toString();
    }

    private void write(RowBuffer rows) {
        json.list("columns");
        for (int column = 0; column < rows.columns(); column++) {
            json.object()
                    .put("name", rows.columnName(column))
                    .put("type", rows.sqlType(column).toString())
                    .endObject();
        }
        json.endList().list("rows");
        int written = 0;
        while (written < mostRows && rows.next()) {
            json.list();
            for (int column = 0; column < rows.columns(); column++) {
                json.add(value(rows, rows.sqlType(column), column));
            }
            json.endList();
            written++;
        }
        json.endList();
        if (counted) {
            json.put("count", rows.count());
        }
        json.put("truncated", rows.count() > written);
    }

    private static String value(RowBuffer rows, SqlType type, int column) {
        if (rows.isNull(column)) {
            return null;
        }
        return switch (type.kind()) {
            case BOOLEAN -> rows.booleanAt(column) ? "true" : "false";
            case DOUBLE -> Double.toString(rows.doubleAt(column));
            case DECIMAL -> rows.decimalAt(column).toPlainString();
            case VARCHAR -> rows.stringAt(column);
            case VARBINARY ->
                type.isWide()
                        ? rows.decimalAt(column).toPlainString()
                        : type.isArray()
                                ? rows.stringAt(column)
                                : HexFormat.of().formatHex(rows.bytesAt(column));
            case TIME -> Timestamps.timeToString(rows.longAt(column));
            case TIMESTAMP -> Timestamps.toString(rows.longAt(column));
            case DATE -> LocalDate.ofEpochDay(rows.longAt(column)).toString();
            default -> Long.toString(rows.longAt(column));
        };
    }

    /** HTTP's: 200 it was done, 400 it could not be, 403 it may not be. */
    int code() {
        return code;
    }

    @Override
    public String toString() {
        return json.toString();
    }
}

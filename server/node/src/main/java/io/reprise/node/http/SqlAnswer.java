package io.reprise.node.http;

import io.reprise.access.Right;
import io.reprise.catalog.SqlType;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.time.SystemClock;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.Timestamps;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The answer to a {@link SqlRequest}, in JSON.
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
    private static final double MS_NS = 1e6;

    private final Json json = new Json();
    private final int code;

    private SqlAnswer(int code) {
        this.code = code;
        json.object();
    }

    private SqlAnswer end() {
        json.endObject();
        return this;
    }

    private SqlAnswer endAfter(long beganNs) {
        json.put("ms", (SystemClock.INSTANCE.nanoTime() - beganNs) / MS_NS);
        return end();
    }

    /** The statements could not be run. */
    static SqlAnswer problem(ProcedureException failure) {
        SqlAnswer problem = new SqlAnswer(400);
        problem.json
                .put("problem", String.valueOf(failure.getMessage()))
                .put("code", failure.code().name().toLowerCase(Locale.ROOT))
                .put("retryable", failure.code().retryable());
        return problem.end();
    }

    /** The sender lacks a right. */
    static SqlAnswer notPermitted(Right missing) {
        SqlAnswer problem = new SqlAnswer(403);
        problem.json
                .put("problem", "you may not do this; it needs the role " + missing.word())
                .put("code", "not_permitted")
                .put("retryable", false);
        return problem.end();
    }

    /** The change is to be confirmed. */
    static SqlAnswer question(boolean ofSchema) {
        SqlAnswer question = new SqlAnswer(200);
        question.json.put("asks", "This changes the " + (ofSchema ? "schema" : "data") + ".");
        return question.end();
    }

    static SqlAnswer done(long beganNs) {
        SqlAnswer answer = new SqlAnswer(200);
        answer.json.put("done", "the schema has changed");
        return answer.endAfter(beganNs);
    }

    static SqlAnswer count(long count, long beganNs) {
        SqlAnswer answer = new SqlAnswer(200);
        answer.json.put("count", count);
        return answer.endAfter(beganNs);
    }

    static SqlAnswer plan(Rows lines, long beganNs) {
        SqlAnswer answer = new SqlAnswer(200);
        answer.json.put("plan", lines(lines));
        return answer.endAfter(beganNs);
    }

    /**
     * The rows of a query.
     *
     * @param most the most rows to tell
     * @param counted whether the rows are all that the query has
     */
    static SqlAnswer rows(RowBuffer rows, int most, boolean counted, long beganNs) {
        SqlAnswer answer = new SqlAnswer(200);
        answer.write(rows, most, counted);
        return answer.endAfter(beganNs);
    }

    private static String lines(Rows rows) {
        StringBuilder lines = new StringBuilder();
        while (rows.next()) {
            lines.append(rows.stringAt(0)).append('\n');
        }
        return lines.toString();
    }

    private void write(RowBuffer rows, int mostRows, boolean counted) {
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

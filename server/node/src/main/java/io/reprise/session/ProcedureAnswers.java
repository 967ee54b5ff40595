package io.reprise.session;

import io.reprise.execution.Result;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The answers of procedures: their rows, or one row with one column that is named after the procedure. */
final class ProcedureAnswers {
    private ProcedureAnswers() {}

    static Answer of(Prepared prepared, Result result) {
        String tag = prepared.statement().word(0).equals("CALL") ? "CALL" : "SELECT";
        return switch (result.kind()) {
            case NOTHING -> Answer.done(tag.equals("CALL") ? "CALL" : "SELECT 0");
            case INTEGER -> scalar(prepared, tag, PgType.INT8, result.word());
            case BOOLEAN -> scalar(prepared, tag, PgType.BOOL, result.word() != 0);
            case DOUBLE -> scalar(prepared, tag, PgType.FLOAT8, Double.longBitsToDouble(result.word()));
            case STRING -> scalar(prepared, tag, PgType.TEXT, result.string());
            case ROWS -> {
                RowBuffer rows = (RowBuffer) result.rows();
                yield Answer.of(tag, columns(rows), rows);
            }
        };
    }

    private static Answer scalar(Prepared prepared, String tag, PgType type, Object value) {
        ResultColumn column = new ResultColumn(prepared.procedure().toLowerCase(Locale.ROOT), type);
        List<Object[]> rows = new ArrayList<>();
        rows.add(new Object[] {value});
        return Answer.of(tag, List.of(column), rows);
    }

    private static List<ResultColumn> columns(RowBuffer rows) {
        List<ResultColumn> columns = new ArrayList<>();
        for (int i = 0; i < rows.columns(); i++) {
            columns.add(new ResultColumn(Names.turned(rows.columnName(i)), PgType.of(rows.sqlType(i))));
        }
        return columns;
    }
}

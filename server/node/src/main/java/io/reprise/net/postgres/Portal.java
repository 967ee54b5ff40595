package io.reprise.net.postgres;

import io.reprise.session.Answer;
import io.reprise.session.Bound;
import io.reprise.session.ResultColumn;
import io.reprise.session.SessionException;
import io.reprise.session.SqlStates;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.util.List;

/** A portal: a bound statement, the formats of its result, and the place that the client has read up to. */
final class Portal {
    private final Bound bound;
    private final int[] formats;
    private boolean submitted;
    private Answer answer;
    private int sent;

    /** A portal; {@code bound} null: an empty statement. */
    Portal(Bound bound, int... formats) {
        this.bound = bound;
        this.formats = formats;
    }

    Bound bound() {
        return bound;
    }

    int[] formats() {
        return formats;
    }

    /** Whether its statement was handed over to be run. */
    boolean isSubmitted() {
        return submitted;
    }

    void submit() {
        submitted = true;
    }

    /** Its statement has run by itself. */
    void answered(Answer value) {
        submitted = true;
        answer = value;
    }

    Answer answer() {
        if (answer == null) {
            answer = bound.answer();
            checkColumns();
        }
        return answer;
    }

    /** A change of the schema since the statement was prepared must not change what the client expects. */
    private void checkColumns() {
        if (answer.rows() == null || !bound.prepared().hasKnownColumns()) {
            return;
        }
        RowBuffer rows = answer.rows().buffer();
        List<ResultColumn> told = bound.prepared().columns();
        boolean same = told.size() == rows.columns();
        for (int i = 0; same && i < told.size(); i++) {
            same = told.get(i).type().equals(io.reprise.session.PgType.of(rows.sqlType(i)));
        }
        if (!same) {
            throw new SessionException(
                    SqlStates.NOT_SUPPORTED,
                    "cached plan must not change result type",
                    "Prepare the statement again.",
                    0);
        }
    }

    /** Writes rows, at most so many; 0: all. Returns whether there are more. */
    boolean writeRows(BodyWriter out, int most) {
        Answer rows = answer();
        int last = most == 0 ? Integer.MAX_VALUE : sent + most;
        if (rows.rows() == null) {
            while (sent < rows.values().size() && sent < last) {
                writeRow(out, rows.columns(), rows.values().get(sent++));
            }
            return sent < rows.values().size();
        }
        while (sent < last && sent < rows.count()) {
            rows.rows().go(sent);
            writeRow(out, rows.rows().buffer());
            sent++;
        }
        return sent < rows.count();
    }

    private void writeRow(BodyWriter out, RowBuffer rows) {
        int place = out.begin('D');
        int columns = rows.columns();
        out.int16(columns);
        for (int i = 0; i < columns; i++) {
            ValueWriter.write(out, rows, i, Replies.isBinary(formats, i));
        }
        out.end(place);
    }

    private void writeRow(BodyWriter out, List<ResultColumn> columns, Object... values) {
        int place = out.begin('D');
        out.int16(values.length);
        for (int i = 0; i < values.length; i++) {
            ValueWriter.write(out, values[i], columns.get(i).type(), Replies.isBinary(formats, i));
        }
        out.end(place);
    }

    /** The number of rows written. */
    int sent() {
        return sent;
    }
}

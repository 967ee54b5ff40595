package io.reprise.session;

import io.reprise.execution.deploy.Arguments;
import java.nio.charset.StandardCharsets;

/**
 * A COPY FROM under way: splits the data into rows, converts their fields, and has them inserted. A failure names the line. Owned by a
 * session.
 */
public final class CopyIn {
    private static final int MOST_SHOWN = 100;

    /** The place for the rows of a COPY. */
    interface Sink {
        /** Takes the arguments of an INSERT of a row. */
        void add(Arguments row, long line);

        /** Inserts the rows that are left. Returns the number of all rows. */
        long finish();
    }

    private final CopyPlan plan;
    private final boolean binary;
    private final CopyRows rows;
    private final CopyValues values;
    private final Sink sink;

    CopyIn(CopyPlan plan, Sink sink) {
        this.plan = plan;
        this.sink = sink;
        binary = plan.copy().format().kind() == CopyFormat.Kind.BINARY;
        values = new CopyValues(plan.prepared(), binary);
        rows = binary
                ? new CopyTuples(plan.columns().size(), this::row)
                : new CopyLines(plan.copy().format(), plan.names(), this::row);
    }

    /** The statement. */
    public CopyPlan plan() {
        return plan;
    }

    /** Takes a piece of the data. */
    public void data(byte[] piece) {
        try {
            rows.take(piece);
        } catch (SessionException failure) {
            throw located(failure);
        }
    }

    /** The data has ended. Returns the number of rows. */
    public long finish() {
        try {
            rows.finish();
        } catch (SessionException failure) {
            throw located(failure);
        }
        return sink.finish();
    }

    private SessionException located(SessionException failure) {
        return failure.fields().where().isEmpty() ? failure.in(where(plan, rows.line())) : failure;
    }

    /** The context of a failure: the table and the line. */
    static String where(CopyPlan plan, long line) {
        return "COPY " + plan.copy().table() + ", line " + line;
    }

    private void row(byte[][] fields, long line) {
        Arguments arguments = new Arguments();
        for (int i = 0; i < fields.length; i++) {
            try {
                values.add(arguments, i, fields[i]);
            } catch (SessionException failure) {
                throw failure.in(
                        where(plan, line) + ", column " + plan.columns().get(i).name() + ": " + shown(fields[i]));
            }
        }
        sink.add(arguments, line);
    }

    private String shown(byte[] field) {
        if (field == null) {
            return "null input";
        }
        if (binary) {
            return field.length + " bytes";
        }
        String text = new String(field, StandardCharsets.UTF_8);
        return '"' + (text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text) + '"';
    }
}

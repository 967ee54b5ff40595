package io.reprise.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A COPY FROM under way: splits the data into rows, converts their fields, and has them inserted. A failure names the line. Owned by a
 * session.
 */
public final class CopyIn {
    private static final int MOST_SHOWN = 100;

    /** The place for the rows of a COPY. */
    interface Sink {
        /** Takes the arguments of an INSERT of a row. */
        void add(Bound row, long line);

        /** Inserts the rows that are left. Returns the number of all rows. */
        long finish();
    }

    private final CopyPlan plan;
    private final boolean binary;
    private final CopyRows rows;
    private final Sink sink;

    CopyIn(CopyPlan plan, Sink sink) {
        this.plan = plan;
        this.sink = sink;
        binary = plan.copy().format().kind() == CopyFormat.Kind.BINARY;
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
        Prepared insert = plan.prepared();
        Object[] arguments = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            try {
                arguments[i] = Preparation.argument(insert, i, new RawParameter(fields[i], binary));
            } catch (SessionException failure) {
                throw failure.in(
                        where(plan, line) + ", column " + plan.columns().get(i).name() + ": " + shown(fields[i]));
            }
        }
        sink.add(new Bound(insert, arguments), line);
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

    /** Collects the rows and inserts them as one transaction, or as a part of the session's. */
    static final class AllOrNothing implements Sink {
        private static final long ARGUMENT_BYTES = 24;

        private final SqlSession session;
        private final CopyPlan plan;
        private final int mostRows;
        private final List<Bound> bounds = new ArrayList<>();
        private final List<Long> lines = new ArrayList<>();
        private long bytes;

        AllOrNothing(SqlSession session, CopyPlan plan, int mostRows) {
            this.session = session;
            this.plan = plan;
            this.mostRows = mostRows;
        }

        @Override
        public void add(Bound row, long line) {
            for (Object argument : row.arguments()) {
                bytes += ARGUMENT_BYTES;
                if (argument instanceof String text) {
                    bytes += text.length();
                } else if (argument instanceof byte[] array) {
                    bytes += array.length;
                }
            }
            if (bounds.size() == mostRows || bytes > Transaction.MOST_COPIED_BYTES) {
                throw tooMany("COPY has more than " + mostRows + " rows or " + Transaction.MOST_COPIED_BYTES
                        + " bytes, which is too much for " + "one transaction");
            }
            bounds.add(row);
            lines.add(line);
        }

        private static SessionException tooMany(String message) {
            return new SessionException(
                    SqlStates.LIMIT_EXCEEDED,
                    message,
                    "SET reprise.copy_atomic = off; the rows are committed in batches then.",
                    0);
        }

        @Override
        public long finish() {
            if (bounds.isEmpty()) {
                return 0;
            }
            session.runCopied(bounds);
            for (int i = 0; i < bounds.size(); i++) {
                try {
                    bounds.get(i).answer();
                } catch (SessionException failure) {
                    throw failure.state().equals(SqlStates.LIMIT_EXCEEDED)
                            ? tooMany(failure.getMessage())
                            : failure.in(where(plan, lines.get(i)));
                }
            }
            return bounds.size();
        }
    }
}

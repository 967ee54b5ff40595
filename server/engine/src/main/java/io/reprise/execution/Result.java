package io.reprise.execution;

import io.reprise.execution.deploy.ResultSink;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowBuffer;

/**
 * The result of a transaction, copied out of the partition so that it outlives the transaction; a table that the procedure filled
 * is taken as it is, for an empty one in exchange. Reused with its execution: a result allocates only until it has grown to the
 * usual size.
 */
public final class Result implements ResultSink {
    /** The kind of result. The order of the names is in files: new ones come last. */
    public enum Kind {
        NOTHING,
        INTEGER,
        BOOLEAN,
        DOUBLE,
        STRING,
        ROWS;

        private static final Kind[] KINDS = values();

        /** The kind with this number in a log record. */
        public static Kind of(int number) {
            return KINDS[number];
        }
    }

    private Kind kind = Kind.NOTHING;
    private long word;
    private String string;
    private HeapRows rows;
    private boolean discarding;

    /** Stops the copying of rows, because the result is not read. They don't count. */
    void discard() {
        discarding = true;
    }

    /** Sets the result; null rows and tables count as nothing. */
    public Kind kind() {
        return kind;
    }

    /** An integer, a boolean as 0 or 1, a double as its bits. */
    public long word() {
        return word;
    }

    /** A string, perhaps null. */
    public String string() {
        return string;
    }

    /** The rows. */
    public Rows rows() {
        return rows;
    }

    @Override
    public void nothing() {
        kind = Kind.NOTHING;
        string = null;
    }

    @Override
    public void integer(long value) {
        kind = Kind.INTEGER;
        word = value;
    }

    @Override
    public void bool(boolean value) {
        kind = Kind.BOOLEAN;
        word = value ? 1 : 0;
    }

    @Override
    public void number(double value) {
        kind = Kind.DOUBLE;
        word = Double.doubleToRawLongBits(value);
    }

    @Override
    public void string(String value) {
        kind = Kind.STRING;
        string = value;
    }

    @Override
    public void rows(Rows value) {
        if (value == null || discarding) {
            nothing();
        } else {
            kind = Kind.ROWS;
            copy().copyOf((RowBuffer) value);
        }
    }

    @Override
    public void table(ResultTable value) {
        if (value == null || discarding) {
            nothing();
        } else {
            kind = Kind.ROWS;
            rows = ((FilledTable) value).exchange(copy());
        }
    }

    /** Its rows have been read and won't be again: memory that is too large to be kept is let go. */
    public void release() {
        if (rows != null) {
            rows.empty();
        }
    }

    private HeapRows copy() {
        if (rows == null) {
            rows = new HeapRows();
        }
        return rows;
    }
}

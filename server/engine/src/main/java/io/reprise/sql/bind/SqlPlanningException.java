package io.reprise.sql.bind;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;

/**
 * A statement that cannot be planned: it is malformed, does not fit the schema, or asks for something that is not
 * supported or cannot be executed where the data is. The message says what, where (line and column, from 1; 0 where the
 * whole statement is meant) and what to do instead.
 */
public final class SqlPlanningException extends ProcedureException {
    private static final long serialVersionUID = 1L;
    private final String subject;
    private final int line;
    private final int column;
    private transient Throwable origin;

    /** A failure at a place in the text. */
    public SqlPlanningException(String message, int line, int column) {
        super(ErrorCode.INVALID_REQUEST, line > 0 ? message + " at line " + line + ", column " + column : message);
        this.subject = "";
        this.line = line;
        this.column = column;
    }

    /** A failure of the statement as a whole. */
    public SqlPlanningException(String message) {
        this("", message);
    }

    /** A failure whose place is that of its subject, which {@link Places} finds. */
    public SqlPlanningException(String subject, String message) {
        super(ErrorCode.INVALID_REQUEST, message);
        this.subject = subject;
        line = 0;
        column = 0;
    }

    /** The subject of the failure, as it stands in the text; empty if there is no single one. */
    String subjectText() {
        return subject;
    }

    /** The line, from 1, or 0. */
    public int line() {
        return line;
    }

    /** The column, from 1, or 0. */
    public int column() {
        return column;
    }

    /** The same failure with the exception behind it, which is for those who look for its reason. */
    SqlPlanningException from(Throwable failure) {
        origin = failure;
        return this;
    }

    /** Needs no lock: the planning thread sets the origin before anyone else sees the exception. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public Throwable getCause() {
        return origin;
    }
}

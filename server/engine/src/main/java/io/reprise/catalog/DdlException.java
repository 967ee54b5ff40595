package io.reprise.catalog;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;

/** A script or DDL statement that can't be read or carried out; the message begins with line and column. */
public final class DdlException extends ProcedureException {
    private static final long serialVersionUID = 1L;
    private final int line;
    private final int column;
    private final String problem;

    /** A refusal of what stands at this position. */
    public DdlException(Position at, String problem) {
        super(ErrorCode.INVALID_REQUEST, at + ": " + problem);
        this.line = at.line();
        this.column = at.column();
        this.problem = problem;
    }

    /** The position of the problem. */
    public Position position() {
        return new Position(line, column);
    }

    /** The message without the position. */
    public String problem() {
        return problem;
    }
}

package io.reprise.procedure;

/** Thrown by a procedure to roll its transaction back. */
public final class AbortException extends ProcedureException {
    private static final long serialVersionUID = 1L;

    /** An abort with a message for the caller. */
    public AbortException(String message) {
        super(ErrorCode.USER_ABORT, message);
    }
}

package io.reprise.procedure;

import java.util.Objects;

/**
 * A failure that rolls a transaction back: an expected outcome, so it carries no stack trace. A procedure may catch
 * it from a statement and go on: the writes of the failed statement are undone by then.
 *
 * <p>If a statement finds several rows in no determined order, its first error depends on that order. A procedure
 * that asks such an exception for its code or message can't write: its transaction is rolled back at the end.
 */
public class ProcedureException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;

    /** A failure of the given kind. */
    public ProcedureException(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = Objects.requireNonNull(code, "code");
    }

    /** The kind of failure. */
    public final ErrorCode code() {
        asked();
        return code;
    }

    /** Notes that the failure's kind was asked for. */
    void asked() {}
}

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
    private final transient ErrorSubject subject;

    /** A failure of the given kind. */
    public ProcedureException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /** A failure of the given kind about a subject; null: it has none. */
    public ProcedureException(ErrorCode code, String message, ErrorSubject subject) {
        super(message, null, false, false);
        this.code = Objects.requireNonNull(code, "code");
        this.subject = subject;
    }

    /** The kind of failure. */
    public final ErrorCode code() {
        asked();
        return code;
    }

    /** The subject of the failure; null if it has none, or comes from another node. */
    public final ErrorSubject subject() {
        asked();
        return subject;
    }

    /** Notes that the failure's kind was asked for. */
    void asked() {}
}

package io.reprise.client;

/** PRIMARY KEY, UNIQUE or NOT NULL does not allow what the transaction wanted to write. */
public final class ConstraintViolationException extends CallException {
    private static final long serialVersionUID = 1L;

    ConstraintViolationException(String message) {
        super(ErrorCode.CONSTRAINT_VIOLATION, message, false);
    }
}

package io.reprise.snapshot;

/** A snapshot can't be merged from an older one and the log, so its rows have to be copied. */
public final class CannotMergeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with the reason. */
    public CannotMergeException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.reprise.benchmark;

/** The command line can't be obeyed; the message says why, to the person who typed it. */
public final class UsageException extends RuntimeException {
    public UsageException(String message) {
        super(message);
    }

    public UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}

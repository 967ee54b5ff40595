package io.reprise.engine;

/** A bucket can't be rebuilt from a snapshot and the log behind it, for a reason that is no damage. */
final class RebuildException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RebuildException(String message) {
        super(message);
    }
}

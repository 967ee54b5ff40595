package io.reprise.storage;

/** Recovery puts back a row where there is one with an equal unique key already. */
public final class DuplicateRowException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Names table, index and key. */
    DuplicateRowException(String message) {
        super(message);
    }
}

package io.reprise.record.command;

/** Bytes that should be a command are none. */
public final class DamagedCommandException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says what is wrong with the bytes. */
    public DamagedCommandException(String message) {
        super(message);
    }
}

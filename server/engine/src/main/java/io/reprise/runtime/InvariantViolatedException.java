package io.reprise.runtime;

/** The engine found itself in a state that can't be: a bug or damaged memory. Fatal; never caught to go on. */
public final class InvariantViolatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A violation described by the message. */
    public InvariantViolatedException(String message) {
        super(message);
    }
}

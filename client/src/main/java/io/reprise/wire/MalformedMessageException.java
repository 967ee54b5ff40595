package io.reprise.wire;

/** Bytes violate the protocol. This is an expected outcome of reading a peer's bytes, so it has no stack trace. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with the reason. */
    public MalformedMessageException(String message) {
        super(message, null, false, false);
    }
}

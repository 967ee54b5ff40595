package io.reprise.wire;

/** Bytes are not what the protocol says. An expected outcome of reading what somebody sent, so it has no stack trace. */
public final class MalformedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with the reason. */
    public MalformedMessageException(String message) {
        super(message, null, false, false);
    }
}

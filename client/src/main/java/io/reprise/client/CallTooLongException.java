package io.reprise.client;

/** A call has more bytes than the server takes in a frame. It was not sent; others may be shorter. */
public final class CallTooLongException extends CallException {
    private static final long serialVersionUID = 1L;

    CallTooLongException(String message) {
        super(ErrorCode.INVALID_REQUEST, message, false);
    }
}

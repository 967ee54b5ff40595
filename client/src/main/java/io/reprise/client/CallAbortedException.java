package io.reprise.client;

/** The procedure asked for the rollback. */
public final class CallAbortedException extends CallException {
    private static final long serialVersionUID = 1L;

    CallAbortedException(String message) {
        super(ErrorCode.USER_ABORT, message, false);
    }
}

package io.reprise.client;

/** The connection broke, or the time was over, before the reply came. Whether the call was run is not known. */
public final class UnknownOutcomeException extends CallException {
    private static final long serialVersionUID = 1L;

    UnknownOutcomeException(String message) {
        super(ErrorCode.OUTCOME_UNKNOWN, message, false);
    }
}

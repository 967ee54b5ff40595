package io.reprise.client;

/** Too much waits already, at the server or in this client. The call was not run; try again later. */
public final class OverloadedException extends CallException {
    private static final long serialVersionUID = 1L;

    OverloadedException(String message) {
        super(FailureCode.OVERLOADED, message, true);
    }
}

package io.reprise.client;

/**
 * A call did not succeed. Its transaction had no effect, with two exceptions that {@link #code} tells: with OUTCOME_UNKNOWN
 * the effect is unknown, and with RESULT_TOO_LARGE it committed. The frequent kinds have classes of their own.
 */
public class CallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final boolean retryIsSafe;

    /** A failure. */
    public CallException(ErrorCode code, String message, boolean retryIsSafe) {
        super(message, null, false, false);
        this.code = code;
        this.retryIsSafe = retryIsSafe;
    }

    static CallException of(ErrorCode code, String message, boolean retryIsSafe) {
        switch (code) {
            case USER_ABORT:
                return new CallAbortedException(message);
            case CONSTRAINT_VIOLATION:
                return new ConstraintViolationException(message);
            case OVERLOADED:
                return new OverloadedException(message);
            case OUTCOME_UNKNOWN:
                return new UnknownOutcomeException(message);
            default:
                return new CallException(code, message, retryIsSafe);
        }
    }

    /** The kind of failure. */
    public final ErrorCode code() {
        return code;
    }

    /** Whether the same call may succeed when it is made again, and can't have its effect twice. */
    public final boolean retryIsSafe() {
        return retryIsSafe;
    }
}

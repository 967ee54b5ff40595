package io.reprise.engine;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import java.util.function.Supplier;

/**
 * A call, a statement or a change of the schema did not succeed; its transaction had no effect. It reads as the client's
 * class of the same name. Its cause, if there is one, says where a statement is wrong.
 */
public final class CallException extends ProcedureException {
    private static final long serialVersionUID = 1L;

    private final ProcedureException refusal;

    /** The failure of a transaction. */
    CallException(ErrorCode code, String message, ErrorSubject subject) {
        super(code, message, subject);
        this.refusal = null;
    }

    /** The refusal of a request that did not become a transaction. */
    private CallException(ProcedureException refusal) {
        super(refusal.code(), refusal.getMessage(), refusal.subject());
        this.refusal = refusal;
    }

    /** Makes a request; its refusal is thrown as a {@link CallException}. */
    static <T> T of(Supplier<T> request) {
        try {
            return request.get();
        } catch (CallException failure) {
            throw failure;
        } catch (ProcedureException refusal) {
            throw new CallException(refusal);
        }
    }

    /** Whether the same call may succeed when it is made again, and can't have its effect twice. */
    public boolean retryIsSafe() {
        return code().retryable();
    }

    @Override
    public ProcedureException getCause() {
        return refusal;
    }
}

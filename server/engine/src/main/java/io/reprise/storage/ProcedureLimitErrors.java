package io.reprise.storage;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.LimitErrors;

/** The limits of memory as a procedure meets them: it may catch such an exception, but its transaction is rolled back. */
public final class ProcedureLimitErrors implements LimitErrors {
    public static final LimitErrors INSTANCE = new ProcedureLimitErrors();

    private ProcedureLimitErrors() {}

    @Override
    public RuntimeException memoryLimit(String message) {
        return new ProcedureException(ErrorCode.MEMORY_LIMIT, message);
    }

    @Override
    public RuntimeException resultTooLarge(String message) {
        return new ProcedureException(ErrorCode.RESULT_TOO_LARGE, message);
    }
}

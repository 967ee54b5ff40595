package io.reprise.net.reprise;

import io.reprise.procedure.ErrorCode;
import io.reprise.wire.message.Failure;

/** The protocol's numbers of error codes. */
final class FailureCodes {
    private FailureCodes() {}

    static int of(ErrorCode code) {
        return switch (code) {
            case USER_ABORT -> Failure.Code.USER_ABORT_VALUE;
            case CONSTRAINT_VIOLATION -> Failure.Code.CONSTRAINT_VIOLATION_VALUE;
            case NUMERIC_OVERFLOW -> Failure.Code.NUMERIC_OVERFLOW_VALUE;
            case DIVISION_BY_ZERO -> Failure.Code.DIVISION_BY_ZERO_VALUE;
            case VALUE_TOO_LONG -> Failure.Code.VALUE_TOO_LONG_VALUE;
            case INVALID_VALUE -> Failure.Code.INVALID_VALUE_VALUE;
            case CARDINALITY -> Failure.Code.CARDINALITY_VALUE;
            case SCOPE_VIOLATION -> Failure.Code.SCOPE_VIOLATION_VALUE;
            case MEMORY_LIMIT -> Failure.Code.MEMORY_LIMIT_VALUE;
            case TIME_LIMIT -> Failure.Code.TIME_LIMIT_VALUE;
            case CANCELED -> Failure.Code.CANCELED_VALUE;
            case PROCEDURE_FAILURE -> Failure.Code.PROCEDURE_FAILURE_VALUE;
            case INVALID_REQUEST -> Failure.Code.INVALID_REQUEST_VALUE;
            case STORAGE_UNAVAILABLE -> Failure.Code.STORAGE_UNAVAILABLE_VALUE;
            case OVERLOADED -> Failure.Code.OVERLOADED_VALUE;
            case OUTCOME_UNKNOWN -> Failure.Code.OUTCOME_UNKNOWN_VALUE;
            case RESULT_LOST -> Failure.Code.RESULT_LOST_VALUE;
            case RESULT_TOO_LARGE -> Failure.Code.RESULT_TOO_LARGE_VALUE;
            case SHUTTING_DOWN -> Failure.Code.SHUTTING_DOWN_VALUE;
            case MOVED -> Failure.Code.MOVED_VALUE;
            case PARTITION_UNAVAILABLE -> Failure.Code.PARTITION_UNAVAILABLE_VALUE;
        };
    }
}

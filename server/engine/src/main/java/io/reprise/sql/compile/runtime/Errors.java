package io.reprise.sql.compile.runtime;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.UndeterminedFailure;
import io.reprise.storage.PartitionStore;

/** Makes the exceptions that SQL functions throw; apart from them, so that they stay small enough to be inlined. */
public final class Errors {
    private Errors() {}

    /** A number left the range of its type. */
    public static ProcedureException overflow(String what) {
        return new ProcedureException(ErrorCode.NUMERIC_OVERFLOW, what);
    }

    /** Division by zero. */
    public static ProcedureException divisionByZero() {
        return new ProcedureException(ErrorCode.DIVISION_BY_ZERO, "division by zero");
    }

    /** A value that can't be converted or is no valid argument. */
    public static ProcedureException invalid(String what) {
        return new ProcedureException(ErrorCode.INVALID_VALUE, what);
    }

    /** A string that does not fit its column. */
    public static ProcedureException tooLong(String what) {
        return new ProcedureException(ErrorCode.VALUE_TOO_LONG, what);
    }

    /** NULL for a column that is NOT NULL. */
    public static ProcedureException notNull(String table, String column) {
        return new ProcedureException(
                ErrorCode.CONSTRAINT_VIOLATION,
                table + "." + column + " is NOT NULL but got NULL",
                new ErrorSubject(ErrorSubject.Kind.NOT_NULL, table, column, ""));
    }

    /** A row that a CHECK forbids. */
    public static ProcedureException check(String what) {
        return new ProcedureException(ErrorCode.CONSTRAINT_VIOLATION, what);
    }

    /** The exception to be thrown instead of an error: the same, with its place, if the value is the cause. */
    public static ProcedureException in(ProcedureException error, String what) {
        return switch (error.code()) {
            case NUMERIC_OVERFLOW, DIVISION_BY_ZERO, INVALID_VALUE, VALUE_TOO_LONG ->
                new ProcedureException(error.code(), error.getMessage() + ", in " + what);
            default -> error;
        };
    }

    /**
     * The exception to be thrown instead of the first error of several, if the order in which rows are stored decides
     * which is first.
     */
    public static ProcedureException undetermined(ProcedureException error, PartitionStore store) {
        return switch (error.code()) {
            // None of these can be caught and committed.
            case SCOPE_VIOLATION, MEMORY_LIMIT, TIME_LIMIT, CANCELED -> error;
            default -> new UndeterminedFailure(error, store::toldOfStorageOrder);
        };
    }

    /** A scalar subquery that gave more than one row. */
    public static ProcedureException cardinality() {
        return new ProcedureException(ErrorCode.CARDINALITY, "a scalar subquery returned more than one row");
    }
}

package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.InvariantViolatedException;

/**
 * What a caller is told when a transaction throws. An expected failure keeps its code and message; anything else says
 * what was thrown and in which line of the procedure. A failure of the engine itself is not the transaction's: it goes
 * on to whoever runs the executor.
 */
public final class Failures {
    /** Frames in which a stack overflow is the procedure's own doing. */
    private static final String ENGINE = "io.reprise.";

    private Failures() {}

    /** The failure's code; throws it again where it is the engine's and not the procedure's. */
    public static ErrorCode code(Throwable failure) {
        return switch (failure) {
            case ProcedureException expected -> expected.code();
            case InvariantViolatedException broken -> throw broken;
            case StackOverflowError overflow -> {
                checkStorageIsWhole(overflow);
                yield ErrorCode.PROCEDURE_FAILURE;
            }
            case OutOfMemoryError full -> ErrorCode.PROCEDURE_FAILURE;
            case VirtualMachineError broken -> throw broken;
            default -> ErrorCode.PROCEDURE_FAILURE;
        };
    }

    /** What happened, for a person. */
    public static String message(Work work, Throwable failure) {
        return switch (failure) {
            case ProcedureException expected -> expected.getMessage();
            case StackOverflowError overflow ->
                "procedure " + work.name() + " recursed too deeply" + line(overflow)
                        + "; its transaction was rolled back";
            case OutOfMemoryError full ->
                "procedure " + work.name() + " ran out of Java heap (" + full.getMessage()
                        + "); its transaction was rolled back";
            default ->
                "procedure " + work.name() + " threw " + failure.getClass().getName()
                        + (failure.getMessage() == null ? "" : ": " + failure.getMessage()) + line(failure);
        };
    }

    /** What is said of a transaction that ran out of time. */
    public static String overdue(Work work) {
        return "procedure " + work.name()
                + " ran longer than the transaction time limit; its transaction was rolled back";
    }

    /**
     * A stack overflow in the middle of a change of a table or an index leaves it half done, and nothing can be undone by
     * it: then the partition is lost, which is worse than the transaction but better than wrong data.
     */
    private static void checkStorageIsWhole(StackOverflowError overflow) {
        StackTraceElement[] trace = overflow.getStackTrace();
        if (trace.length > 0 && trace[0].getClassName().startsWith("io.reprise.storage.")) {
            throw new InvariantViolatedException(
                    "the stack overflowed inside of storage, whose state is unknown now: " + trace[0]
                            + "; give the engine's threads a larger stack or find the procedure's endless recursion");
        }
    }

    private static String line(Throwable failure) {
        for (StackTraceElement frame : failure.getStackTrace()) {
            if (isApplication(frame)) {
                return " at " + frame;
            }
        }
        StackTraceElement[] trace = failure.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }

    private static boolean isApplication(StackTraceElement frame) {
        String module = frame.getModuleName();
        if (module != null && (module.startsWith("java.") || module.startsWith("jdk."))) {
            return false;
        }
        String type = frame.getClassName();
        return !type.startsWith(ENGINE) || type.startsWith("io.reprise.procedures.") || type.contains("Test");
    }
}

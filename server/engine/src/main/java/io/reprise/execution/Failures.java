package io.reprise.execution;

import io.reprise.execution.deploy.ProcedureLoader;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.InvariantViolatedException;
import io.reprise.runtime.agent.RunMonitor;

/**
 * Messages for callers of failed transactions. An expected failure keeps its code and message; any other names the
 * exception and the line of the procedure. A failure of the engine itself is not the transaction's: it goes on to the
 * thread that runs the executor.
 */
public final class Failures {
    private static final String STORAGE = "io.reprise.storage.";

    /** The most characters of a message. Replies wait in memory for the log, and a procedure may make messages of any length. */
    private static final int LONGEST_MESSAGE = 8 << 10;

    private Failures() {}

    /** A message that is no longer than it may be; says so where it was cut. */
    static String shortened(String message) {
        if (message == null || message.length() <= LONGEST_MESSAGE) {
            return message;
        }
        boolean splitsPair = Character.isHighSurrogate(message.charAt(LONGEST_MESSAGE - 1));
        return message.substring(0, splitsPair ? LONGEST_MESSAGE - 1 : LONGEST_MESSAGE)
                + "... (cut here: the message has " + message.length() + " characters)";
    }

    /** The failure's code; throws it again where it is the engine's and not the procedure's. */
    public static ErrorCode code(Throwable failure) {
        return switch (failure) {
            case ProcedureException expected -> expected.code();
            case InvariantViolatedException broken -> throw broken;
            case StackOverflowError overflow -> {
                checkStorageIsWhole(overflow);
                yield ErrorCode.PROCEDURE_FAILURE;
            }
            // If it was in the middle of a change of a table, the partition refuses to be rolled back.
            case OutOfMemoryError full -> ErrorCode.PROCEDURE_FAILURE;
            case VirtualMachineError broken -> throw broken;
            default -> ErrorCode.PROCEDURE_FAILURE;
        };
    }

    /** Fails the execution by what its work threw; throws it again where it is the engine's. */
    public static void fail(Execution execution, Throwable failure) {
        execution.outcome().fail(code(failure), message(execution.work(), failure), subject(failure));
    }

    /** The same at one partition: a failure of the engine leaves it in doubt, where a rebuild can make its rows anew. */
    public static void fail(Partition at, Execution execution, Throwable failure) {
        if (isOfEngine(execution, failure) && at.doubtFor(failure)) {
            execution.outcome().fail(ErrorCode.PROCEDURE_FAILURE, doubtMessage(execution.work(), at, failure));
        } else {
            fail(execution, failure);
        }
    }

    /** The same for a participant's part of a statement. */
    public static void fail(Partition at, Execution execution, Part part, Throwable failure) {
        if (isOfEngine(execution, failure) && at.doubtFor(failure)) {
            part.fail(ErrorCode.PROCEDURE_FAILURE, doubtMessage(execution.work(), at, failure));
        } else {
            part.fail(code(failure), message(execution.work(), failure), subject(failure));
        }
    }

    /** The same for a transaction that holds several partitions. Those that were left in the middle of a change are in doubt, or else all. */
    public static void fail(Lent lent, Execution execution, Throwable failure) {
        if (isOfEngine(execution, failure) && lent.doubtFor(failure)) {
            execution
                    .outcome()
                    .fail(ErrorCode.PROCEDURE_FAILURE, doubtMessage(execution.work(), lent.participant(0), failure));
        } else {
            fail(execution, failure);
        }
    }

    /** Fails a transaction that would meet rows in doubt. Returns false if there are none. */
    public static boolean refuseInDoubt(Partition at, Execution execution) {
        if (!at.isInDoubtFor(execution.work())) {
            return false;
        }
        execution.outcome().fail(ErrorCode.PARTITION_UNAVAILABLE, at.doubt());
        return true;
    }

    private static boolean isOfEngine(Execution execution, Throwable failure) {
        if (execution.work() instanceof EngineWork) {
            return false;
        }
        return failure instanceof InvariantViolatedException
                || failure instanceof InternalError
                || failure instanceof StackOverflowError overflow && frameOfStorage(overflow) != null;
    }

    private static String doubtMessage(Work work, Partition at, Throwable failure) {
        return "procedure " + work.name() + " met a failure of the engine (" + failure
                + ") and was rolled back; the rows of partition " + at.id() + " are rebuilt";
    }

    /** Fails the execution if a watcher or its client has ended the run. */
    public static void failUnlessInTime(Execution execution, RunMonitor.Verdict ended) {
        if (ended != RunMonitor.Verdict.IN_TIME) {
            execution.outcome().fail(code(ended), message(execution.work(), ended));
        }
    }

    /** The failure's subject; null if it has none. */
    public static ErrorSubject subject(Throwable failure) {
        return failure instanceof ProcedureException expected ? expected.subject() : null;
    }

    /** The description of the failure, for people. An exception of the procedure's own may fail to tell. */
    public static String message(Work work, Throwable failure) {
        try {
            return told(work, failure);
        } catch (Throwable untold) {
            return "procedure " + work.name() + " threw "
                    + failure.getClass().getName() + ", which can't tell why: asked for its message it threw "
                    + untold.getClass().getName();
        }
    }

    private static String told(Work work, Throwable failure) {
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

    /** The code of a run that a watcher or its client has ended. */
    public static ErrorCode code(RunMonitor.Verdict ended) {
        return switch (ended) {
            case OVERDUE -> ErrorCode.TIME_LIMIT;
            case CANCELED -> ErrorCode.CANCELED;
            default -> ErrorCode.MEMORY_LIMIT;
        };
    }

    /** The message of a run that a watcher or its client has ended. */
    public static String message(Work work, RunMonitor.Verdict ended) {
        String what = switch (ended) {
            case OVERDUE -> " ran longer than the transaction time limit";
            case CANCELED -> " was canceled by its client";
            default ->
                " allocated more Java heap than a transaction may (engine.heapPerTransaction in the configuration,"
                        + " Options.heapPerTransaction; half of the heap by default)";
        };
        return "procedure " + work.name() + what + "; its transaction was rolled back";
    }

    /**
     * A stack overflow in the middle of a change of a table or an index leaves it half done, and nothing can be
     * undone by it: then the partition is lost, which is worse than the transaction but better than wrong data.
     * Procedures that may use up the stack make sure of some before they call the engine, so it should not come to
     * this. The overflow may be in code that storage called, so all frames count: storage never calls a procedure.
     */
    private static void checkStorageIsWhole(StackOverflowError overflow) {
        StackTraceElement inside = frameOfStorage(overflow);
        if (inside != null) {
            throw new InvariantViolatedException("the stack overflowed inside of storage, whose state is unknown now: "
                    + inside
                    + "; give the engine's threads a larger stack or find the procedure's endless recursion");
        }
    }

    private static StackTraceElement frameOfStorage(StackOverflowError overflow) {
        for (StackTraceElement frame : overflow.getStackTrace()) {
            if (frame.getClassName().startsWith(STORAGE)) {
                return frame;
            }
        }
        return null;
    }

    private static String line(Throwable failure) {
        return ProcedureLoader.lineOf(failure).map(line -> " at " + line).orElseGet(() -> {
            StackTraceElement[] trace = failure.getStackTrace();
            return trace.length == 0 ? "" : " at " + trace[0];
        });
    }
}

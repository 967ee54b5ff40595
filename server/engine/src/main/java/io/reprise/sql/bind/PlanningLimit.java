package io.reprise.sql.bind;

import io.reprise.procedure.ProcedureException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The limit of the time that one statement's planning and compilation may take. The planner's thread checks it in the
 * callbacks that Calcite makes and in loops of ours; when it is over, planning ends with its reason. A replay has
 * none: an admitted statement is planned again however long it takes.
 */
public final class PlanningLimit {
    /** Steps between two looks at the reason, a power of two. */
    private static final int STEPS_PER_LOOK = 64;

    private static final ThreadLocal<PlanningLimit> CURRENT = new ThreadLocal<>();

    private final Supplier<Optional<ProcedureException>> reason;
    private int steps;

    private PlanningLimit(Supplier<Optional<ProcedureException>> reason) {
        this.reason = reason;
    }

    /** Runs a task within a limit, which is over when there is a reason for it; the reason is thrown then. */
    public static <T> T within(Supplier<Optional<ProcedureException>> reason, Supplier<T> task) {
        CURRENT.set(new PlanningLimit(reason));
        try {
            return task.get();
        } catch (Stopped stopped) {
            throw stopped.reason;
        } finally {
            CURRENT.remove();
        }
    }

    /** Ends what the thread plans if its limit is over. */
    public static void check() {
        PlanningLimit limit = CURRENT.get();
        if (limit != null && (++limit.steps & STEPS_PER_LOOK - 1) == 0) {
            limit.look();
        }
    }

    private void look() {
        reason.get().ifPresent(over -> {
            throw new Stopped(over);
        });
    }

    /** Passes on the end of planning if that is why something failed: Calcite wraps what it catches. */
    public static void rethrow(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Stopped stopped) {
                throw stopped;
            }
        }
    }

    /** An error, since Calcite makes something else of exceptions. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;
        private final transient ProcedureException reason;

        Stopped(ProcedureException reason) {
            super(reason.getMessage(), null, false, false);
            this.reason = reason;
        }
    }
}

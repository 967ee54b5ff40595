package io.reprise.procedure;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Ends procedures that loop for ever. When a procedure is deployed, a call of {@link #check} is woven into each backward
 * branch of its bytecode and into compiled SQL loops, and one of {@link #caught} into each exception handler; a check
 * costs one read until a watcher has raised the alarm. Application code never uses it.
 */
public final class LoopGuard {
    /** Enough stack for whatever a statement calls, also while it is interpreted. */
    private static final int RESERVED_FRAMES = 1500;

    private static volatile boolean alarm;
    private static volatile Map<Thread, BooleanSupplier> overdue = Map.of();

    private LoopGuard() {}

    /** Throws if the watcher has marked the calling thread's transaction as overdue. */
    public static void check() {
        if (alarm) {
            abortIfOverdue();
        }
    }

    /**
     * Called first in each method that may come to call itself, or calls the engine from within what may: checks, and
     * makes sure that there is stack left for the engine, so that a recursion without end overflows the stack here and
     * not in the middle of a change of a table. It costs a microsecond or two, which only such procedures pay.
     */
    public static void descend() {
        check();
        try {
            reserve(RESERVED_FRAMES);
        } catch (StackOverflowError reserved) {
            // A trace has fewer frames than were reserved, so that of the error caught names no line of the procedure.
            throw new StackOverflowError();
        }
    }

    private static int reserve(int frames) {
        return frames == 0 ? 0 : reserve(frames - 1) + 1;
    }

    /**
     * Called first in each exception handler: passes on what a procedure must not swallow, the time limit of an overdue
     * transaction and what depends on the machine rather than on the data (an overflown stack, no memory).
     */
    public static void caught(Throwable thrown) {
        if (thrown instanceof VirtualMachineError error) {
            throw error;
        }
        check();
    }

    /**
     * Called by the engine's watcher with a thread whose current transaction ran out of time.
     *
     * @param meant whether the thread still runs what is meant; asked by this thread
     */
    public static synchronized void mark(Thread thread, BooleanSupplier meant) {
        Map<Thread, BooleanSupplier> now = new HashMap<>(overdue);
        now.put(thread, meant);
        overdue = Map.copyOf(now);
        alarm = true;
    }

    /** Called by the engine when the marked transaction has ended. */
    public static synchronized void clear(Thread thread) {
        if (overdue.containsKey(thread)) {
            Map<Thread, BooleanSupplier> now = new HashMap<>(overdue);
            now.remove(thread);
            overdue = Map.copyOf(now);
            alarm = !now.isEmpty();
        }
    }

    private static void abortIfOverdue() {
        BooleanSupplier meant = overdue.get(Thread.currentThread());
        if (meant != null && meant.getAsBoolean()) {
            throw new ProcedureException(
                    ErrorCode.TIME_LIMIT, "the procedure ran longer than the configured transaction time limit");
        }
    }
}

package io.reprise.procedure;

/**
 * Ends procedures that loop for ever. When a procedure is deployed, a call of {@link #check} is woven into each backward
 * branch of its bytecode and into compiled SQL loops, and one of {@link #caught} into each exception handler; a check
 * costs one read until a watcher has raised the alarm. Application code never uses it.
 */
public final class LoopGuard {
    /** Enough stack for whatever a statement calls, also while it is interpreted. */
    private static final int RESERVED_FRAMES = 1500;

    private static volatile boolean alarm;
    private static volatile java.util.Set<Thread> overdue = java.util.Set.of();

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
        reserve(RESERVED_FRAMES);
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

    /** Called by the engine's watcher with the threads whose current transaction ran out of time. */
    public static synchronized void mark(Thread thread) {
        java.util.Set<Thread> now = new java.util.HashSet<>(overdue);
        now.add(thread);
        overdue = java.util.Set.copyOf(now);
        alarm = true;
    }

    /** Called by the executor when the marked transaction has ended. */
    public static synchronized void clear(Thread thread) {
        if (overdue.contains(thread)) {
            java.util.Set<Thread> now = new java.util.HashSet<>(overdue);
            now.remove(thread);
            overdue = java.util.Set.copyOf(now);
            alarm = !now.isEmpty();
        }
    }

    private static void abortIfOverdue() {
        if (overdue.contains(Thread.currentThread())) {
            throw new ProcedureException(
                    ErrorCode.TIME_LIMIT, "the procedure ran longer than the configured transaction time limit");
        }
    }
}

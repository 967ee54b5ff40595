package io.reprise.procedure;

/**
 * Ends procedures that loop for ever. When a procedure is deployed, a call of {@link #check} is woven into each backward
 * branch of its bytecode and into compiled SQL loops; it costs one read until a watcher has raised the alarm. Application
 * code never uses it.
 */
public final class LoopGuard {
    private static volatile boolean alarm;
    private static volatile java.util.Set<Thread> overdue = java.util.Set.of();

    private LoopGuard() {}

    /** Throws if the watcher has marked the calling thread's transaction as overdue. */
    public static void check() {
        if (alarm) {
            abortIfOverdue();
        }
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

package io.reprise.runtime.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the watcher of overdue transactions and an executor know of each other. The executor counts its runs, so that the
 * watcher sees whether one and the same is still going on; no clock is read for a transaction.
 *
 * <pre>
 *  executor                     watcher
 *  begin: run = odd             overdue(run): under the lock: alarm = run; if it still runs, mark its thread
 *  end:   run = even
 *         alarm changed?        -> take it off under the lock: the run was meant, or was hit by mistake
 * </pre>
 *
 * <p>A run may end and the next begin between the watcher's last look and its mark. The executor notices, because the
 * alarm names the run it was meant for, and runs the innocent transaction again.
 *
 * <p>How a thread is marked, so that what it runs ends by itself, is told by a {@link Brake}.
 */
public final class RunMonitor {
    /** What {@link #end} found out. */
    public enum Verdict {
        /** Nothing happened. */
        IN_TIME,
        /** The run was overdue. */
        OVERDUE,
        /** A mark meant for an earlier run may have hit this one. */
        HIT_BY_MISTAKE
    }

    /** Ends what a thread is running. */
    public interface Brake {
        /** Makes the thread throw at the next place where it looks. */
        void pull(Thread thread);

        /** Takes that back. */
        void release(Thread thread);
    }

    private static final VarHandle RUN;

    static {
        try {
            RUN = MethodHandles.lookup().findVarHandle(RunMonitor.class, "run", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Brake brake;
    private long run;
    private Thread thread;
    private volatile long alarm;
    private long alarmSeen;

    /** A monitor of one executor. */
    public RunMonitor(Brake brake) {
        this.brake = brake;
    }

    /** Executor: a transaction begins. */
    public void begin() {
        RUN.setOpaque(this, run + 1);
    }

    /** Executor: it has ended, one way or the other; what it wrote is still there. */
    public Verdict end() {
        long ended = run;
        RUN.setOpaque(this, ended + 1);
        return alarm == alarmSeen ? Verdict.IN_TIME : takeOff(ended);
    }

    private synchronized Verdict takeOff(long ended) {
        alarmSeen = alarm;
        brake.release(thread);
        return alarm == ended ? Verdict.OVERDUE : Verdict.HIT_BY_MISTAKE;
    }

    /** Executor: says which thread it is; before its first transaction, and whenever it changes. */
    public synchronized void runsOn(Thread executorThread) {
        thread = executorThread;
    }

    /** Watcher: which run is going on; 0 for none. */
    public long running() {
        long now = (long) RUN.getOpaque(this);
        return (now & 1) == 0 ? 0 : now;
    }

    /** Watcher: ends that run, if it is still going on. */
    public synchronized void overdue(long theRun) {
        alarm = theRun;
        if (running() == theRun) {
            brake.pull(thread);
        }
    }
}

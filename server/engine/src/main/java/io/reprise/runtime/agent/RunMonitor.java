package io.reprise.runtime.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * Shared state of an executor and the watcher of overdue transactions. The executor counts its runs, so that the
 * watcher sees whether the same run is still going on. No clock is read for a transaction.
 *
 * <pre>
 *  executor                     watcher
 *  begin: run = odd             overdue(run): under the lock: alarm = run; if it still runs, mark its thread
 *  end:   run = even
 *         alarm changed?        -> take the mark off, under the lock
 * </pre>
 *
 * <p>A run may end between the watcher's last look and its mark. The executor spends no fence on seeing the alarm,
 * and may begin something else with the mark on its thread. So a mark names its run. The thread compares the name
 * with its own exact count when it meets the mark, and nothing else is ever ended. The watcher's next look takes a
 * leftover mark off.
 *
 * <p>A {@link Brake} marks a thread, so that the run ends by itself.
 */
public final class RunMonitor {
    /** The finding of {@link #end}. */
    public enum Verdict {
        /** Nothing happened. */
        IN_TIME,
        /** The run was overdue. */
        OVERDUE,
        /** The run allocated more than it may. */
        ALLOCATED_TOO_MUCH,
        /** The run's client canceled it. */
        CANCELED
    }

    /** Ends what a thread is running. */
    public interface Brake {
        /**
         * Makes the thread throw at the next place where it looks.
         *
         * @param meant whether the thread still runs what is meant; to be asked by this thread
         */
        void pull(Thread thread, BooleanSupplier meant);

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

    /** The thread that has a mark; null for none. Under the lock. */
    private Thread marked;

    /** The finding behind the alarm. Under the lock. */
    private Verdict cause = Verdict.OVERDUE;

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

    /** Begins a transaction with its cancellation; null: it can't be canceled. Executor. */
    public void begin(Cancellation by) {
        begin();
        if (by != null) {
            by.began(this);
        }
    }

    /** Executor: the end of such a run. */
    public Verdict end(Cancellation by) {
        if (by != null) {
            by.ending(this);
        }
        return end();
    }

    /** Executor: the run has ended, one way or the other. Its writes are still there. */
    public Verdict end() {
        long ended = run;
        RUN.setOpaque(this, ended + 1);
        return alarm == alarmSeen ? Verdict.IN_TIME : takeOff(ended);
    }

    private synchronized Verdict takeOff(long ended) {
        alarmSeen = alarm;
        release();
        return alarm == ended ? cause : Verdict.IN_TIME;
    }

    private void release() {
        if (marked != null) {
            brake.release(marked);
            marked = null;
        }
    }

    /** Executor: says which thread it is; before its first transaction, and whenever it changes. */
    public synchronized void runsOn(Thread executorThread) {
        thread = executorThread;
    }

    /** Watcher: the current run; 0 for none. */
    public long running() {
        long now = (long) RUN.getOpaque(this);
        return (now & 1) == 0 ? 0 : now;
    }

    /** Watcher: ends that run, if it is still going on. */
    public void overdue(long theRun) {
        stop(theRun, Verdict.OVERDUE);
    }

    /** Watcher: the same for a run that allocated too much. */
    public void allocatedTooMuch(long theRun) {
        stop(theRun, Verdict.ALLOCATED_TOO_MUCH);
    }

    /** Any thread: the same for a run that its client cancels. */
    void canceled(long theRun) {
        stop(theRun, Verdict.CANCELED);
    }

    /** The executor's thread; null before its first transaction. Any thread. */
    public synchronized Thread thread() {
        return thread;
    }

    private synchronized void stop(long theRun, Verdict why) {
        cause = why;
        alarm = theRun;
        if (running() == theRun) {
            marked = thread;
            brake.pull(marked, () -> run == theRun);
        }
    }

    /** Watcher, at each look: takes off a mark that came too late for its run, and was not seen at the end of it. */
    public synchronized void tidy() {
        if (running() != alarm) {
            release();
        }
    }
}

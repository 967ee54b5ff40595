package io.reprise.recovery.replay;

import io.reprise.execution.Invocation;
import io.reprise.execution.Outcomes;
import io.reprise.log.physiological.DataRedo;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;

/**
 * The way to one partition's executor and back: what it has to run, in the order of the log, and what it has run. The
 * replaying thread is at one end, the executor's at the other.
 */
public final class ReplayLane {
    /** How many invocations may be under way in all lanes together; any of them may come back by this one. */
    static final int UNDER_WAY = 4096;

    private static final int WAKE_EVERY = 32;

    private final Waker executor;
    private final DataRedo redo;
    private final Outcomes outcomes;
    private final SpscRing<Invocation> toRun;
    private final SpscRing<InFlight> done = new SpscRing<>(UNDER_WAY);
    private int quiet;

    /**
     * A lane.
     *
     * @param executor the executor's thread's; null where nothing has to be woken
     * @param redo stores the partition's data records
     * @param outcomes told of calls that may come again
     */
    public ReplayLane(Waker executor, DataRedo redo, Outcomes outcomes) {
        this.executor = executor;
        this.redo = redo;
        this.outcomes = outcomes;
        toRun = new SpscRing<>(UNDER_WAY);
    }

    /**
     * The replaying thread: sends something to run. The executor is woken once for many; who stops sending for a while
     * calls {@link #wake}. Returns false if there is no room.
     */
    boolean send(Invocation invocation) {
        boolean sent = toRun.offerQuietly(invocation);
        if (++quiet == WAKE_EVERY) {
            wake();
        }
        return sent;
    }

    /** The replaying thread: the executor finds what was sent. */
    void wake() {
        if (quiet > 0 && executor != null) {
            executor.wake();
        }
        quiet = 0;
    }

    /** Where the executor finds what it has to run. */
    public SpscRing<Invocation> toRun() {
        return toRun;
    }

    DataRedo redo() {
        return redo;
    }

    Outcomes outcomes() {
        return outcomes;
    }

    SpscRing<InFlight> done() {
        return done;
    }
}

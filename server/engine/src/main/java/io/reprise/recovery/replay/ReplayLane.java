package io.reprise.recovery.replay;

import io.reprise.execution.Execution;
import io.reprise.execution.Outcomes;
import io.reprise.redo.DataRedo;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;

/**
 * The queues between a replay and the thread that owns a partition: work to apply, and applied work. The owner is an executor's
 * thread in a recovery, and a site in a follower; it may be the replaying thread itself, which then applies inside of {@code idle}.
 *
 * <p>The replaying thread also tells the partition's {@link Outcomes} of numbered calls, which the owner must not use meanwhile unless it
 * is the same thread.
 */
public final class ReplayLane {
    /** The most executions under way in all lanes together; any of them may come back by this one. */
    static final int UNDER_WAY = 4096;

    private static final int WAKE_EVERY = 32;

    private final Waker executor;
    private final DataRedo redo;
    private final Outcomes outcomes;
    private final SpscRing<Execution> toRun;
    private final SpscRing<InFlight> done = new SpscRing<>(UNDER_WAY);
    private int quiet;

    /**
     * A lane.
     *
     * @param executor wakes the owner's thread; null if it polls
     * @param redo applies the partition's data records
     * @param outcomes remembers numbered calls
     */
    public ReplayLane(Waker executor, DataRedo redo, Outcomes outcomes) {
        this.executor = executor;
        this.redo = redo;
        this.outcomes = outcomes;
        toRun = new SpscRing<>(UNDER_WAY);
    }

    /**
     * The replaying thread: sends work. It wakes the owner once for several, so {@link #wake} follows the last of them. Returns false if
     * there is no room.
     */
    boolean send(Execution execution) {
        boolean sent = toRun.offerQuietly(execution);
        if (++quiet == WAKE_EVERY) {
            wake();
        }
        return sent;
    }

    /** The replaying thread: wakes the owner if work was sent since. */
    void wake() {
        if (quiet > 0 && executor != null) {
            executor.wake();
        }
        quiet = 0;
    }

    /** The work for the owner, in log order. */
    public SpscRing<Execution> toRun() {
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

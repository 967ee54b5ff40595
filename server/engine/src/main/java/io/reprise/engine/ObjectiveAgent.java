package io.reprise.engine;

import io.reprise.runtime.agent.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps forecasts of a recovery within an objective. As soon as a backlog would grow beyond a bound, less a fifth, it asks for a run of the sorted
 * log, if that takes away most of the backlog, or else for a snapshot. If a forecast exceeds its bound all the same, it warns, or sets a pace for
 * replies to writers, so that the backlog grows only as much as the bound leaves room for until the snapshot under way is made.
 *
 * <p>On a thread of its own; other parts of the engine are reached through {@link Surroundings}.
 */
final class ObjectiveAgent implements Agent {
    private static final long TICK_NS = 100_000_000;
    private static final double SECOND_NS = 1e9;

    /** Replies to so many bytes of log a second leave in any case. */
    private static final long LEAST_PACE = 64 << 10;

    private static final double MOST_PACE = 1e15;

    /** The time of the first snapshot, in times of the loading of its rows. */
    private static final int FIRST_SNAPSHOT = 4;

    /** A run is made of what is read within so long. */
    private static final long SORTING_NS = 1_000_000_000;

    /** A run that takes longer has failed for now. */
    private static final long MOST_SORTING_NS = 10 * SORTING_NS;

    /** The rest of the engine. */
    interface Surroundings {
        /** The forecasts of this moment. */
        RecoveryOutlooks outlooks();

        /** The time that the last snapshot took; 0 if there was none. */
        long snapshotNs();

        /** Whether no snapshot is under way or asked for. */
        boolean isIdle();

        /** Asks for a snapshot. */
        void snapshot();

        /** Whether no run that was asked for is missing. */
        boolean isSorted();

        /** Asks for a run of the log up to now. */
        void sort();
    }

    private final boolean throttles;
    private final List<ObjectiveBound> bounds = new ArrayList<>();
    private final Surroundings around;
    private final PacedReplies replies;
    private final AtomicReference<ObjectiveState> state;
    private long nextNs;
    private long lastNs;
    private long releasedNs;
    private long lastBytes;

    /** Of replies' positions, in a second. */
    private double bytesPerSecond;

    private long snapshotBeganNs;
    private long sortingBeganNs;
    private long snapshots;
    private long runs;
    private long pace;

    /** An agent that has not looked yet. */
    ObjectiveAgent(RecoveryObjective objective, Surroundings around, PacedReplies replies) {
        throttles = objective.throttles();
        add(ObjectiveState.Kind.ALL, objective.allNs());
        add(ObjectiveState.Kind.FIRST, objective.firstNs());
        add(ObjectiveState.Kind.BUCKET, objective.bucketNs());
        this.around = around;
        this.replies = replies;
        state = new AtomicReference<>(present());
    }

    private void add(ObjectiveState.Kind kind, long mostNs) {
        if (mostNs > 0) {
            bounds.add(new ObjectiveBound(kind, mostNs, throttles));
        }
    }

    private ObjectiveState present() {
        return new ObjectiveState(bounds.stream().map(ObjectiveBound::state).toList(), snapshots, runs, pace);
    }

    @Override
    public String roleName() {
        return "objective";
    }

    /** The state. Any thread. */
    ObjectiveState state() {
        return state.get();
    }

    @Override
    public int doWork(long nowNs) {
        if (lastNs == 0) {
            begin(nowNs);
            return 0;
        }
        if (pace > 0) {
            replies.release((long) (pace * ((nowNs - releasedNs) / SECOND_NS)));
        }
        releasedNs = nowNs;
        if (nowNs - nextNs < 0) {
            return 0;
        }
        nextNs = nowNs + TICK_NS;
        RecoveryOutlooks outlooks = around.outlooks();
        look(nowNs, outlooks);
        double snapshotNs =
                Math.max(TICK_NS, snapshotNs(outlooks.afterSnapshot().allNs()));
        boolean isIdle = around.isIdle();
        act(nowNs, snapshotNs, isIdle);
        if (!isIdle) {
            // While one is under way, its own records are not behind it yet.
            snapshotNs = Math.max(TICK_NS, snapshotNs - (nowNs - snapshotBeganNs));
        }
        bounds.forEach(ObjectiveBound::judge);
        setPace(snapshotNs);
        lastNs = nowNs;
        state.set(present());
        return 1;
    }

    private void begin(long nowNs) {
        lastNs = nowNs;
        nextNs = nowNs;
        lastBytes = replies.durableBytes();
    }

    private void look(long nowNs, RecoveryOutlooks outlooks) {
        long passedNs = Math.max(1, nowNs - lastNs);
        long bytes = replies.durableBytes();
        bytesPerSecond += ObjectiveBound.NEWEST * ((bytes - lastBytes) * SECOND_NS / passedNs - bytesPerSecond);
        lastBytes = bytes;
        bounds.forEach(bound -> bound.look(outlooks, passedNs));
    }

    private long snapshotNs(long rowsNs) {
        long last = around.snapshotNs();
        return last > 0 ? last : FIRST_SNAPSHOT * rowsNs;
    }

    /** A run is cheaper than a snapshot, because it has no rows that did not change. */
    private void act(long nowNs, double snapshotNs, boolean isIdle) {
        boolean wantsSnapshot = false;
        boolean wantsRun = false;
        for (ObjectiveBound bound : bounds) {
            boolean sorts = bound.isHelpedBySorting();
            boolean isNear = bound.isNear(sorts ? SORTING_NS : snapshotNs);
            wantsRun |= isNear && sorts;
            wantsSnapshot |= isNear && !sorts;
        }
        if (wantsRun && around.isSorted()) {
            runs++;
            sortingBeganNs = nowNs;
            around.sort();
        }
        boolean failsToSort = wantsRun && nowNs - sortingBeganNs > MOST_SORTING_NS;
        if (isIdle && (wantsSnapshot || failsToSort)) {
            snapshotBeganNs = nowNs;
            snapshots++;
            around.snapshot();
        }
    }

    /**
     * A backlog may grow by what its bound leaves, until the present snapshot, or one that begins now, is made. A pace ends when no reply
     * waits for it any more.
     */
    private void setPace(double snapshotNs) {
        double allowed = Double.MAX_VALUE;
        boolean isLong = false;
        for (ObjectiveBound bound : bounds) {
            double withinNs = bound.isHelpedBySorting() ? Math.min(SORTING_NS, snapshotNs) : snapshotNs;
            allowed = Math.min(allowed, bound.allowed(bytesPerSecond, withinNs));
            isLong |= bound.isLong();
        }
        boolean slows = throttles && isLong && (allowed < bytesPerSecond || pace > 0 && replies.areWaiting());
        if (slows) {
            pace = (long) Math.clamp(allowed, (double) LEAST_PACE, MOST_PACE);
            replies.begin();
        } else {
            pace = 0;
            replies.end();
        }
    }

    @Override
    public void onClose() {
        replies.end();
    }
}

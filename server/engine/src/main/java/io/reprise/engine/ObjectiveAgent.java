package io.reprise.engine;

import io.reprise.runtime.agent.Agent;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the forecast of a recovery within an objective. It asks for a snapshot as soon as the backlog would grow beyond the objective, less a fifth,
 * until that snapshot is made. If the forecast exceeds the objective all the same, it warns, or sets a pace for replies to writers, so that the
 * backlog grows only as much as the objective leaves room for until the snapshot under way is made.
 *
 * <p>On a thread of its own; other parts of the engine are reached through {@link Surroundings}.
 */
final class ObjectiveAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final long TICK_NS = 100_000_000;
    private static final double SECOND_NS = 1e9;

    /** The share of the objective at which it acts. */
    private static final double SPARE = 0.8;

    /** A smaller share of the objective is not worth a snapshot. */
    private static final double LEAST_BACKLOG = 0.05;

    /** The weight of the last tick in a rate. */
    private static final double NEWEST = 0.1;

    /** Replies to so many bytes of log a second leave in any case. */
    private static final long LEAST_PACE = 64 << 10;

    private static final double MOST_PACE = 1e15;

    /** The time of the first snapshot, in times of the loading of its rows. */
    private static final int FIRST_SNAPSHOT = 4;

    /** The rest of the engine. */
    interface Surroundings {
        /** The forecast for now. */
        RecoveryForecast forecast();

        /** The part of it that a snapshot of this moment would leave. */
        long loadNs();

        /** The time that the last snapshot took; 0 if there was none. */
        long snapshotNs();

        /** Whether no snapshot is under way or asked for. */
        boolean isIdle();

        /** Asks for a snapshot. */
        void snapshot();
    }

    private final RecoveryObjective objective;
    private final Surroundings around;
    private final PacedReplies replies;
    private final AtomicReference<ObjectiveState> state;
    private long nextNs;
    private long lastNs;
    private long releasedNs;
    private long lastBytes;
    private long lastBacklogNs;

    /** Of replies' positions, in a second. */
    private double bytesPerSecond;

    /** The growth of the backlog, as nanoseconds of recovery in a nanosecond. */
    private double growth;

    private long snapshotBeganNs;
    private boolean kept = true;
    private long snapshots;
    private long pace;

    /** An agent that has not looked yet. */
    ObjectiveAgent(RecoveryObjective objective, Surroundings around, PacedReplies replies) {
        this.objective = objective;
        this.around = around;
        this.replies = replies;
        state = new AtomicReference<>(new ObjectiveState(objective.mostNs(), 0, true, 0, 0));
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
        RecoveryForecast forecast = around.forecast();
        long loadNs = around.loadNs();
        long backlogNs = Math.max(0, forecast.expectedNs() - loadNs);
        measure(nowNs, backlogNs);
        double snapshotNs = Math.max(TICK_NS, snapshotNs(loadNs));
        if (around.isIdle()) {
            if (isSnapshotDue(forecast.expectedNs(), backlogNs, snapshotNs)) {
                snapshotBeganNs = nowNs;
                snapshots++;
                around.snapshot();
            }
        } else {
            // While one is under way, its own records are not behind it yet.
            snapshotNs = Math.max(TICK_NS, snapshotNs - (nowNs - snapshotBeganNs));
        }
        judge(forecast.expectedNs(), loadNs);
        setPace(forecast.expectedNs(), backlogNs, snapshotNs);
        lastNs = nowNs;
        state.set(new ObjectiveState(objective.mostNs(), forecast.expectedNs(), kept, snapshots, pace));
        return 1;
    }

    private void begin(long nowNs) {
        lastNs = nowNs;
        nextNs = nowNs;
        lastBytes = replies.durableBytes();
        lastBacklogNs = Long.MAX_VALUE;
    }

    private void measure(long nowNs, long backlogNs) {
        long passedNs = Math.max(1, nowNs - lastNs);
        long bytes = replies.durableBytes();
        bytesPerSecond += NEWEST * ((bytes - lastBytes) * SECOND_NS / passedNs - bytesPerSecond);
        // A snapshot has ended if it got less.
        if (backlogNs >= lastBacklogNs) {
            growth += NEWEST * ((double) (backlogNs - lastBacklogNs) / passedNs - growth);
        }
        lastBytes = bytes;
        lastBacklogNs = backlogNs;
    }

    private long snapshotNs(long loadNs) {
        long last = around.snapshotNs();
        return last > 0 ? last : FIRST_SNAPSHOT * loadNs;
    }

    private boolean isSnapshotDue(long expectedNs, long backlogNs, double snapshotNs) {
        return backlogNs >= LEAST_BACKLOG * objective.mostNs()
                && expectedNs + growth * snapshotNs >= SPARE * objective.mostNs();
    }

    private void judge(long expectedNs, long loadNs) {
        boolean now = expectedNs <= objective.mostNs();
        if (now == kept) {
            return;
        }
        kept = now;
        if (now) {
            LOG.info("A recovery would take {} s again, within the objective", seconds(expectedNs));
            return;
        }
        LOG.warn(
                "A recovery would take {} s, longer than the objective of {} s. {}",
                seconds(expectedNs),
                seconds(objective.mostNs()),
                loadNs > objective.mostNs()
                        ? "Loading the rows alone takes " + seconds(loadNs)
                                + " s: raise recovery.objective, or deal the rows to more partitions or nodes."
                        : "Snapshots come too slowly for what is written: raise snapshot.share, or recovery.objective"
                                + (objective.throttles() ? "." : ", or set recovery.enforce: throttle."));
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.1f", ns / SECOND_NS);
    }

    /**
     * The backlog may grow by what the objective leaves, until the present snapshot, or one that begins now, is made. A pace ends when no reply
     * waits for it any more.
     */
    private void setPace(long expectedNs, long backlogNs, double snapshotNs) {
        double room = Math.max(0, SPARE * objective.mostNs() - expectedNs);
        double allowed = growth == 0 ? Double.MAX_VALUE : bytesPerSecond * room / (growth * snapshotNs);
        boolean slows = objective.throttles()
                && backlogNs >= LEAST_BACKLOG * objective.mostNs()
                && (allowed < bytesPerSecond || pace > 0 && replies.areWaiting());
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

package io.reprise.engine;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One bound of an {@link ObjectiveAgent}: its forecast, and the growth of this. Owned by the agent's thread. */
final class ObjectiveBound {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final double SECOND_NS = 1e9;

    /** The share of the bound at which there is something to do. */
    private static final double SPARE = 0.8;

    /** A smaller share of the bound, or of the time of the rows, is not worth a snapshot or a run. */
    private static final double LEAST_BACKLOG = 0.05;

    /** The weight of the last tick in a rate. */
    static final double NEWEST = 0.1;

    private final ObjectiveState.Kind kind;
    private final long mostNs;
    private final boolean throttles;
    private long expectedNs;
    private long rowsNs;
    private long lastBacklogNs = Long.MAX_VALUE;

    /** The part of the forecast that goes away when the log is sorted. */
    private long unsortedNs;

    /** The growth of the backlog, as nanoseconds of recovery in a nanosecond. */
    private double growth;

    private boolean kept = true;

    /** A bound that was not looked at. */
    ObjectiveBound(ObjectiveState.Kind kind, long mostNs, boolean throttles) {
        this.kind = kind;
        this.mostNs = mostNs;
        this.throttles = throttles;
    }

    /** Looks at new forecasts. */
    void look(RecoveryOutlooks outlooks, long passedNs) {
        expectedNs = outlooks.now().of(kind);
        rowsNs = outlooks.afterSnapshot().of(kind);
        unsortedNs = Math.max(0, expectedNs - outlooks.afterSorting().of(kind));
        // A snapshot or a run has ended if it got less.
        if (backlogNs() >= lastBacklogNs) {
            growth += NEWEST * ((double) (backlogNs() - lastBacklogNs) / passedNs - growth);
        }
        lastBacklogNs = backlogNs();
    }

    private long backlogNs() {
        return Math.max(0, expectedNs - rowsNs);
    }

    private double least() {
        return LEAST_BACKLOG * Math.max(mostNs, rowsNs);
    }

    /** Whether the forecast comes too near to the bound within a time. */
    boolean isNear(double withinNs) {
        return isLong() && expectedNs + growth * withinNs >= SPARE * mostNs;
    }

    /** Whether a run of the sorted log takes away most of what is behind the last snapshot. */
    boolean isHelpedBySorting() {
        return unsortedNs >= least() && 2 * unsortedNs >= backlogNs();
    }

    /** The bytes of log that may come in a second, so that the bound is kept for a time; no more than most of them. */
    double allowed(double bytesPerSecond, double withinNs) {
        if (growth == 0 || !isLong()) {
            return Double.MAX_VALUE;
        }
        return bytesPerSecond * Math.max(0, SPARE * mostNs - expectedNs) / (growth * withinNs);
    }

    /** Whether there is a backlog that a pace is worth. */
    boolean isLong() {
        return backlogNs() >= least();
    }

    /** Reports a bound that is missed, or kept again. */
    void judge() {
        boolean now = expectedNs <= mostNs;
        if (now == kept) {
            return;
        }
        kept = now;
        if (now) {
            LOG.info("{} {} s again, within the objective", kind.sentence(), seconds(expectedNs));
            return;
        }
        LOG.warn(
                "{} {} s, longer than the objective of {} s. {}",
                kind.sentence(),
                seconds(expectedNs),
                seconds(mostNs),
                rowsNs > mostNs
                        ? "Loading the rows alone takes " + seconds(rowsNs)
                                + " s: raise this objective of 'recovery', or deal the rows to more partitions or nodes."
                        : "Snapshots come too slowly for what is written: raise snapshot.share, or this objective of"
                                + " 'recovery'" + (throttles ? "." : ", or set recovery.enforce: throttle."));
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, ns < SECOND_NS ? "%.3f" : "%.1f", ns / SECOND_NS);
    }

    /** The bound, the forecast that was looked at last, and whether it is kept. */
    ObjectiveState.Bound state() {
        return new ObjectiveState.Bound(kind, mostNs, expectedNs, kept);
    }
}

package io.reprise.engine;

import java.util.List;

/**
 * The state of an objective for the times of recoveries.
 *
 * @param bounds each time that is bounded
 * @param snapshots the number of snapshots that were made to keep it
 * @param runs the number of runs of the sorted log that were asked for to keep it
 * @param bytesPerSecond the pace of replies, as bytes of log; 0: replies do not wait
 */
public record ObjectiveState(List<Bound> bounds, long snapshots, long runs, long bytesPerSecond) {
    /** A time of a recovery. */
    public enum Kind {
        /** Until all rows are there. */
        ALL("A recovery would take", "all rows"),
        /** Until the engine opens. */
        FIRST("The first answer of a recovery would take", "the first answer"),
        /** The loading of the heaviest bucket. */
        BUCKET("The loading of a bucket would take", "a bucket");

        private final String sentence;
        private final String title;

        Kind(String sentence, String title) {
            this.sentence = sentence;
            this.title = title;
        }

        String sentence() {
            return sentence;
        }

        /** Its name in a list. */
        public String title() {
            return title;
        }
    }

    /**
     * The state of one bound.
     *
     * @param kind the time that is bounded
     * @param mostNs the bound
     * @param expectedNs the forecast when it was looked at last
     * @param kept whether that is within the bound
     */
    public record Bound(Kind kind, long mostNs, long expectedNs, boolean kept) {}

    /** Copies the bounds. */
    public ObjectiveState {
        bounds = List.copyOf(bounds);
    }

    /** Whether all bounds are kept. */
    public boolean kept() {
        return bounds.stream().allMatch(Bound::kept);
    }
}

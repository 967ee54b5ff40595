package io.reprise.engine;

import java.util.Optional;

/**
 * Settings of the log that is sorted by bucket. Immutable.
 *
 * @param sorted whether the durable log is sorted into runs by bucket, by which a later start on demand finds the records of a bucket; empty:
 *     it is if the engine recovers on demand
 * @param images whether runs have images of the rows that commands have written instead of the commands, so that a start runs only commands
 *     again that are behind the last run
 * @param reused whether segments of the log are used again as soon as runs have the rows that their transactions changed, instead of kept
 *     until a snapshot has them
 * @param only whether the sorted log is the only storage, as {@link Options#storeInLog} makes it: it is sorted, with images, its segments are
 *     used again, and bases are merged from runs instead of snapshots by the clock. Rows are copied for a base only where there is
 *     none to merge, as behind a change of the schema.
 * @param runBytes bytes of log that a run has, at least
 * @param runFan the number of runs that are merged into a longer one
 * @param leastBaseBytes bytes of sorted log that are not worth a base, if the sorted log is the only storage
 * @param imageBytes the room for images of each partition's commands, a power of two
 */
public record SortedLogSettings(
        Optional<Boolean> sorted,
        boolean images,
        boolean reused,
        boolean only,
        long runBytes,
        int runFan,
        long leastBaseBytes,
        long imageBytes) {
    /** Runs of commands of 16 MiB and more, eight of which are merged, if the engine recovers on demand. */
    public static final SortedLogSettings DEFAULTS =
            new SortedLogSettings(Optional.empty(), false, false, false, 16 << 20, 8, 64 << 20, 64 << 20);

    /** The same, sorted or not. */
    public SortedLogSettings withSorting(boolean value) {
        return new SortedLogSettings(
                Optional.of(value), images, reused, only, runBytes, runFan, leastBaseBytes, imageBytes);
    }

    /** The same with or without images of commands. */
    public SortedLogSettings withImages(boolean value) {
        return new SortedLogSettings(sorted, value, reused, only, runBytes, runFan, leastBaseBytes, imageBytes);
    }

    /** The same, whose segments are used again or not. */
    public SortedLogSettings withReuse(boolean value) {
        return new SortedLogSettings(sorted, images, value, only, runBytes, runFan, leastBaseBytes, imageBytes);
    }

    /** The same with other sizes. */
    public SortedLogSettings withSizes(long newRunBytes, int newRunFan, long newLeastBaseBytes) {
        return new SortedLogSettings(
                sorted, images, reused, only, newRunBytes, newRunFan, newLeastBaseBytes, imageBytes);
    }

    /** The same with another room for images, for tests. */
    SortedLogSettings withImageBytes(long value) {
        return new SortedLogSettings(sorted, images, reused, only, runBytes, runFan, leastBaseBytes, value);
    }

    /** The same as the only storage: sorted, with images, its segments used again. */
    SortedLogSettings asOnlyStorage() {
        return new SortedLogSettings(Optional.of(true), true, true, true, runBytes, runFan, leastBaseBytes, imageBytes);
    }

    /**
     * The same as it takes effect.
     *
     * @param possible whether the log can be sorted: in a cluster it can't
     * @param onDemand whether the engine recovers on demand
     * @param hasFiles whether there is a directory
     * @param hasCommands whether transactions may be logged as commands
     */
    SortedLogSettings effective(boolean possible, boolean onDemand, boolean hasFiles, boolean hasCommands) {
        boolean sorts = possible && sorted.orElse(onDemand);
        return new SortedLogSettings(
                Optional.of(sorts),
                sorts && images && hasFiles && hasCommands,
                sorts && reused,
                sorts && only && hasFiles,
                runBytes,
                runFan,
                leastBaseBytes,
                imageBytes);
    }

    boolean isSorted() {
        return sorted.orElse(false);
    }
}

package io.reprise.engine;

/**
 * Expected times of a recovery.
 *
 * @param allNs until all rows are there
 * @param firstNs until the engine opens
 * @param bucketNs of loading the heaviest bucket on demand; 0 without recovery on demand
 */
record RecoveryOutlook(long allNs, long firstNs, long bucketNs) {
    /** The time that a bound is about. */
    long of(ObjectiveState.Kind kind) {
        return switch (kind) {
            case ALL -> allNs;
            case FIRST -> firstNs;
            case BUCKET -> bucketNs;
        };
    }
}

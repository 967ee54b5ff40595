package io.reprise.engine;

/**
 * The longest times that a recovery should take; 0: any.
 *
 * @param allNs until all rows are there
 * @param firstNs until the engine opens, with recovery on demand
 * @param bucketNs of loading the heaviest bucket on demand
 * @param throttles whether replies to writers wait while a forecast is longer; otherwise there is a warning only
 */
public record RecoveryObjective(long allNs, long firstNs, long bucketNs, boolean throttles) {
    /** Checks the times. */
    public RecoveryObjective {
        long least = Math.min(allNs, Math.min(firstNs, bucketNs));
        if (least < 0 || allNs + firstNs + bucketNs == 0) {
            throw new IllegalArgumentException("an objective of " + least + " ns can't be kept by any recovery");
        }
    }

    /** An objective for the time until all rows are there. */
    public RecoveryObjective(long allNs, boolean throttles) {
        this(allNs, 0, 0, throttles);
    }
}

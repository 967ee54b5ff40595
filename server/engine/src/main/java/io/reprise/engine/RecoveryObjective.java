package io.reprise.engine;

/**
 * The longest time that a recovery should take.
 *
 * @param mostNs the time of loading and replaying
 * @param throttles whether replies to writers wait while the forecast is longer; otherwise there is a warning only
 */
public record RecoveryObjective(long mostNs, boolean throttles) {
    /** Checks the time. */
    public RecoveryObjective {
        if (mostNs <= 0) {
            throw new IllegalArgumentException("an objective of " + mostNs + " ns can't be kept by any recovery");
        }
    }
}

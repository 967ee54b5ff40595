package io.reprise.engine;

/**
 * The expected time of a recovery if the node stopped now.
 *
 * @param expectedNs the time of loading and replaying
 * @param rows of the newest snapshot
 * @param commands behind it
 * @param dataRecords behind it
 * @param logBytes behind it
 * @param measured the number of recoveries from which the constants were learnt; 0: those of a usual machine
 * @param lastExpectedNs the time that the last recovery was expected to take; 0 if there was none
 * @param lastTookNs the time that it took
 */
public record RecoveryForecast(
        long expectedNs,
        long rows,
        long commands,
        long dataRecords,
        long logBytes,
        long measured,
        long lastExpectedNs,
        long lastTookNs) {}

package io.reprise.engine;

/**
 * The expected time of a recovery if the node stopped now.
 *
 * @param onDemand whether it would load buckets while it serves
 * @param expectedNs the time until all rows are there
 * @param firstNs the time until the engine opens; the same if it loads everything first
 * @param bucketNs the time of loading the heaviest bucket on demand; 0 if it loads everything first
 * @param rows of the newest snapshot
 * @param commands behind it that run again
 * @param dataRecords behind it that are applied
 * @param logBytes behind it that are scanned, because no run of the sorted log has them
 * @param runs of the sorted log that are read
 * @param measured the number of recoveries from which the constants were learnt; 0: those of a usual machine
 * @param lastExpectedNs the time that the last recovery was expected to take until all rows were there; 0 if there was none, or it goes on
 * @param lastTookNs the time that it took
 * @param lastFirstExpectedNs the time that it was expected to take until the engine opened
 * @param lastFirstNs the time that it took until then
 */
public record RecoveryForecast(
        boolean onDemand,
        long expectedNs,
        long firstNs,
        long bucketNs,
        long rows,
        long commands,
        long dataRecords,
        long logBytes,
        long runs,
        long measured,
        long lastExpectedNs,
        long lastTookNs,
        long lastFirstExpectedNs,
        long lastFirstNs) {}

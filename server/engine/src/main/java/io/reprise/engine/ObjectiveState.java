package io.reprise.engine;

/**
 * The state of an objective for the time of recoveries.
 *
 * @param mostNs the objective
 * @param expectedNs the forecast when it was looked at last
 * @param kept whether that is within the objective
 * @param snapshots the number of snapshots that were made to keep it
 * @param bytesPerSecond the pace of replies, as bytes of log; 0: replies do not wait
 */
public record ObjectiveState(long mostNs, long expectedNs, boolean kept, long snapshots, long bytesPerSecond) {}

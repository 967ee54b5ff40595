package io.reprise.engine;

/**
 * The work of a recovery, or of a part of one.
 *
 * @param rows to load
 * @param commands to run again
 * @param dataRecords to apply
 * @param logBytes of log to scan
 * @param runs of the sorted log to open
 */
record RecoveryWork(double rows, double commands, double dataRecords, double logBytes, double runs) {}

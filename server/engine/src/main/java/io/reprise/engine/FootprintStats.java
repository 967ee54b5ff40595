package io.reprise.engine;

/**
 * Counts of the footprints that an engine has logged.
 *
 * @param records FOOTPRINT records
 * @param bytes their payloads
 * @param footprints footprints in them: one for each partition of a transaction
 */
public record FootprintStats(long records, long bytes, long footprints) {}

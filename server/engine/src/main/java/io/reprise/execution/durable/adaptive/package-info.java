/**
 * Adaptive logging: the choice between a command and a data record for each transaction, at its commit. Read
 * {@link io.reprise.execution.durable.adaptive.LoggingChooser} first.
 *
 * <pre>
 *  gate -> LoggingChooser -- command or data
 *             ^ LoggingTables, each second
 *          LoggingAdvisor <- FootprintChunk, on the thread of the footprints
 * </pre>
 *
 * <p>Threads: a chooser is its site's. The advisor belongs to the footprint agent and publishes immutable tables. Nothing waits.
 *
 * <p>Invariants: the choice changes the form of a record, never a row. The bytes that data records add stay within the quota.
 */
package io.reprise.execution.durable.adaptive;

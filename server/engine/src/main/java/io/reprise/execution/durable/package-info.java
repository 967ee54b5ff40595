/**
 * Connects executors with the log: {@link io.reprise.execution.durable.DurableGate} gives each transaction that wrote
 * something its record before it commits, and lets its reply go when the log is durable. Read that first.
 *
 * <p>Threads: a gate belongs to its site's thread. Invariants: a reply leaves only when everything that the
 * transaction wrote or may have seen is durable (with a synchronous log). An executor never waits for the log. It
 * takes no transaction while there is no room for the record, and rolls back transactions that can't be logged
 * because the disk is full.
 */
package io.reprise.execution.durable;

/**
 * Closures: the transactions that must run again to rebuild a part of the database. Read {@link io.reprise.recovery.closure.BackwardPass}
 * first.
 *
 * <pre>
 *  LogReader --> LogHistory: blocks, last one first --> BackwardPass --> needed or not
 *                LogHistory --> DependencyGraph, for reports over small logs
 * </pre>
 *
 * <p>Threads: one. Invariant: a transaction that is not needed changes nothing that a needed one reads. A closure may be larger than
 * necessary, never smaller.
 */
package io.reprise.recovery.closure;

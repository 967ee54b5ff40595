/**
 * The engine's view of the machine, behind interfaces, so that a simulation can replace all of it: invariants and
 * failures here, threads and queues in {@code agent}, time in {@code time}, disks in {@code file}, off-heap memory in
 * {@code memory}, agreement on an order in {@code order}. Nothing here knows what a transaction is. Only these
 * packages may start a thread, read a clock or open a file.
 *
 * <p>Read {@link io.reprise.runtime.agent.Agent} first, then {@link io.reprise.runtime.FailureHandler}.
 */
package io.reprise.runtime;

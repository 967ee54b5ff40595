/**
 * The common part of the sample workloads. A {@link io.reprise.workload.Workload} is a schema, procedures, a loader,
 * a generator of calls and a checker. A {@link io.reprise.workload.Database} is its counterpart, embedded or over a
 * network.
 *
 * <p>A generator is owned by one thread, the driver's, and allocates nothing for each call, because in benchmarks it
 * shares a core with the executor that it feeds. Nothing here knows the server. Start with {@code Workload}.
 */
package io.reprise.workload;

/**
 * Drives a workload at a server over TCP, wherever that runs: {@code reprise bench} and the benchmarks {@code tcp-*}
 * are its users. A {@link io.reprise.benchmark.drive.Session} has the connections and the workload. A {@link
 * io.reprise.benchmark.drive.Drive} is calls being made, by a {@link io.reprise.benchmark.drive.Driver} that doesn't
 * wait for replies or by {@link io.reprise.benchmark.drive.Callers} that do. {@link
 * io.reprise.benchmark.drive.Failures} counts the calls that did not commit.
 *
 * <p>Threads: those that make calls, and the network thread of each client, which is told of their ends. Fields that
 * one writes and others read are volatile. Start with {@code Session}.
 */
package io.reprise.benchmark.drive;

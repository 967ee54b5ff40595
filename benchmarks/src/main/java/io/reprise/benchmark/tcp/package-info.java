/**
 * Benchmarks of a server process and a client process on one machine, over TCP. {@link
 * io.reprise.benchmark.tcp.ServerProcess} starts and ends the server, {@link io.reprise.benchmark.tcp.Driver} makes the calls.
 * Start with {@code TcpRun}.
 */
package io.reprise.benchmark.tcp;

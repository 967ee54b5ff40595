/**
 * Benchmarks of a server process and a client process on one machine, over TCP. {@link
 * io.reprise.benchmark.tcp.ServerProcess} starts, asks and ends the server, {@code drive} makes the calls. Start with {@code
 * TcpRun}.
 */
package io.reprise.benchmark.tcp;

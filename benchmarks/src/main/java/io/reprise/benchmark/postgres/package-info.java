/**
 * Benchmarks over the PostgreSQL port, with JDBC's driver of PostgreSQL as the client, beside a PostgreSQL on the same machine where there is
 * one. Both commit synchronously, and take turns. Begin with {@link io.reprise.benchmark.postgres.PgWorkloadBenchmark}.
 *
 * <p>Threads: a terminal is a thread with a connection of its own; the benchmark's thread starts and joins them.
 */
package io.reprise.benchmark.postgres;

/**
 * Benchmarks of the embedded engine, driven by the workloads in {@code procedures}. {@link
 * io.reprise.benchmark.engine.EngineRun} opens an engine, loads a workload into it and measures; the benchmarks say with
 * what options.
 *
 * <p>Threads: each partition's site runs its own client ({@link io.reprise.benchmark.engine.DriverAgent}) in turn with its
 * initiator and executor, so that a partition with all that it needs fits on one core. The benchmark's own thread only
 * switches the clients on and off and reads their counters.
 */
package io.reprise.benchmark.engine;
